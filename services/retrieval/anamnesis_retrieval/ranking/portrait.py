"""Who its asker is, where a prompt asks for that: "Who am I?", "What do you know about me?".

No line shares a word with such a prompt. So it is searched by the words in which people say who
they are, and what was learned of a life is read by the predicates that matter most in one.
"""

from collections import defaultdict
from collections.abc import Sequence

from anamnesis_libs.index.analysis import has_cjk, is_question
from anamnesis_libs.talk.asking import is_about_caller, is_request
from anamnesis_libs.talk.topics import topics_of
from anamnesis_retrieval.model import KnownFact
from anamnesis_retrieval.ranking.wording import worded

PREDICATES = (
    *("is_named", "is_aged", "born_on", "is_from", "lives_in"),
    *("works_as", "works_at", "employment_status", "studies", "studies_at", "education_status"),
    *("married_to", "has_partner", "marital_status", "has_relative", "has_pet"),
    *("is_allergic_to", "has_condition", "follows_diet", "does_not_eat"),
    *("speaks", "mother_tongue", "plays", "owns", "goal", "knows"),
)
"""What is told of a person, the first things first; their many likings are not who they are."""
FACTS_MAX = 14
SAME_MAX = 3
"""Facts of one predicate: who owns a dozen things is more than these."""


def introduction(prompt: str) -> str:
    """The words in which somebody says who they are, in the language of the prompt."""
    return worded("introduction", prompt)


def introduces(line: str) -> bool:
    """True for a line that tells something of its speaker's life, and wants nothing done."""
    return bool(is_about_caller(line) and topics_of(line).relations and not is_request(line))


def tells_of_life(line: str) -> bool:
    """True for a line that introduces; in Chinese also without a word of its speaker: 腰疼."""
    if introduces(line):
        return True
    of_life = has_cjk(line) and topics_of(line).relations
    return bool(of_life) and not (is_request(line) or is_question(line))


def portrait(newest_first: Sequence[KnownFact]) -> Sequence[KnownFact]:
    """The facts that say most of a person, of those that hold: the newest of each thing."""
    kept: dict[str, list[KnownFact]] = defaultdict(list)
    for one in newest_first:
        if len(kept[one.predicate]) < SAME_MAX:
            kept[one.predicate].append(one)
    return [one for predicate in PREDICATES for one in kept[predicate]][:FACTS_MAX]
