"""The words by which memory is searched for a prompt: those of its matter, without its frame.

"Do you remember what my cat is called?" asks what my cat is called. The frame is in no answer, yet
its words are in many a line ("Remember that ..."), and it draws the vector of the whole towards
talk about remembering. Who asks "Who am I?" is looked for by the words in which people say that.
"""

from anamnesis_libs.talk.asking import asks_for_portrait, without_frame
from anamnesis_retrieval.ranking.portrait import introduction


def as_searched(prompt: str) -> str:
    """The words to search with; the prompt itself where it has no frame."""
    return introduction(prompt) if asks_for_portrait(prompt) else without_frame(prompt)
