"""Words of lessons: what they speak of, the commands that they name, and what differs between two.

A learned lesson tells the call that failed in its context, as "`git push` (Push to remote)", and
what mended it in its resolution, a line for each call (`anamnesis_libs.talk.calls`).
"""

import re
from collections import Counter
from collections.abc import Sequence
from difflib import SequenceMatcher

from anamnesis_libs.index.analysis import STOP_WORDS
from anamnesis_libs.talk.calls import CALL_START, arguments_of, call_in_words, shortened

LEFT_OUT = "…"
_WORD = re.compile(r"[㐀-鿿]{2}|[^\W_][\w'./@+-]*[^\W_]|[^\W_]")
_PIPED = re.compile(r"\s{0,9}(?:2>&1|\|\s*(?:head|tail|grep)\b.*)$")
_FOLDER = re.compile(r"^cd \S+ && ")
_FIELD_NAME = re.compile(
    r"\b[A-Za-z][\w.]{0,60}: (?=\w{1,60}=)|, description=[^\n]*|\b\w+=|(?<=`) \([^\n]*\)$",
    re.MULTILINE,
)
_SENTENCE = re.compile(r"(?<=[.!?。！？])\s+|\n+|(?<=[。！？])")
_IN_PASSING = re.compile(
    r"^(?:(?:now|ok(?:ay)?|good|great|perfect|hmm+|yes|ah|oh|oops)?[,!. ]*(?:now )?"
    r"let(?: me|'s|’s)\b|i(?:'ll|’ll| will|'m going| am going)\b|now i\b|now to\b)|:$"
    r"|^\w{1,20}(?:[ ,]{1,3}\w{1,20}){0,2}!{1,9}$",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"\s+|[\w./@:=-]+|[^\w\s]")
ALIKE_MIN = 0.7
"""From how alike two errors, and two ways to mend them, are one."""
_SENTENCES_MAX = 2


def words_of(text: str) -> list[str]:
    """The words of a text that are more than grammar, in lower case."""
    found = (word.lower() for word in _WORD.findall(_FIELD_NAME.sub(" ", text)))
    return [word for word in found if word not in STOP_WORDS and not word.isdigit()]


def shared_terms(texts: Sequence[str], share: float) -> list[str]:
    """Words that so large a share of the texts has, the most common first, then by their place."""
    said = Counter(word for text in texts for word in dict.fromkeys(words_of(text)))
    first = words_of(texts[0]) if texts else []
    place = {word: at for at, word in reversed([*enumerate(first)])}
    enough = [word for word, count in said.items() if count >= max(2, share * len(texts))]
    return sorted(enough, key=lambda word: (-said[word], place.get(word, len(first)), word))


def command_of(context: str) -> str:
    """The command that a lesson tells of, without what cuts its output; empty where it has none."""
    given = arguments_of(context)
    command, *_ = (given.get("command") or given.get("cmd") or "").splitlines() or [""]
    return _FOLDER.sub("", _uncut(command))


def _uncut(command: str) -> str:
    """A command without what cuts its output."""
    while (shorter := _PIPED.sub("", command)) != command:
        command = shorter
    return command


def head_of(command: str) -> str:
    """The head of a command: its program and what it is told to do first, as `git push`."""
    said = [word for word in command.split() if "=" not in word]
    return " ".join(said[:2] if len(said) > 1 and re.match(r"[a-z]", said[1]) else said[:1])


def sentences_of(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [one.strip() for one in _SENTENCE.split(text) if one.strip()]


def remedy_of(resolution: str, failed: str = "") -> str:
    """The remedy that a resolution tells: its first words, then each call as one would type it.

    What an agent says while it works ("Let me check this.") is left out, and so is `failed`, the
    command that is run again to see if it works now.
    """
    at = CALL_START.search(resolution)
    said = sentences_of(resolution[: at.start()] if at else resolution)
    told = [one for one in said if not _IN_PASSING.search(one)][:_SENTENCES_MAX]
    calls = [one for one in _calls(resolution) if one != f"`{failed}`"]
    return " ".join([*told, *calls]).strip()


def step_of(call: str) -> str:
    """A step as one reads it: what its command is for, and the command; others as they are."""
    given = arguments_of(call)
    return call_in_words(call) if given.get("command") or given.get("cmd") else call


def _calls(resolution: str) -> list[str]:
    """The calls of a resolution: commands in marks, edits by file and what was written."""
    places = [*CALL_START.finditer(resolution)]
    said = []
    ends = [*(one.start() for one in places[1:]), len(resolution)]
    for place, end in zip(places, ends, strict=False):
        inside = resolution[place.end() : end]
        given = arguments_of(inside)
        if command := given.get("command") or given.get("cmd") or (place["shell"] and inside):
            said.append(f"`{shortened(_uncut(command.strip()))}`")
        elif (told := call_in_words(inside)).startswith(("In `", "Write `")):
            said.append(told)
    return list(dict.fromkeys(said))


def alike(one: str, other: str) -> float:
    """The share of their words that two texts have in the same order, from 0 to 1.

    Where it cannot reach `ALIKE_MIN` a bound above it is told, which is quick to find.
    """
    matcher = SequenceMatcher(None, one.split(), other.split(), autojunk=False)
    bound = min(matcher.real_quick_ratio(), matcher.quick_ratio())
    return matcher.ratio() if bound >= ALIKE_MIN else bound


def common_form(one: str, other: str) -> str:
    """The form that two texts share, with a mark where they differ."""
    left, right = _TOKEN.findall(one), _TOKEN.findall(other)
    kept: list[str] = []
    for kind, start, end, *_ in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if kind == "equal":
            kept += left[start:end]
        elif not kept or kept[-1] != LEFT_OUT:
            kept.append(LEFT_OUT)
    return "".join(kept)
