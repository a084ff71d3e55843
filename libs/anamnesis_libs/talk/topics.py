"""The matters of everyday life that a text speaks of: home, work, food, software and their like.

A question and its answer often share a matter and no word: "where do I live" and "we moved to
Porto", "my employer" and "a new job". The words stand in `data/topics.*.toml`: a table a matter, in
it a list a *relation*, such as `family.partner`. Two texts of one relation are about one thing; two
of one matter are in the same corner of life. English words are compared as the index compares them,
without endings; Chinese ones by containment.
"""

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anamnesis_libs.index.analysis import has_cjk, tokens
from anamnesis_libs.talk.phrases import DATA, LANGUAGES

TEXT_CHARS_MAX = 1_000
"""Of a longer text its beginning is read."""

ANSWERS = "answers"
"""The matter of rules that say how to answer, whatever is asked."""

SOFTWARE = "software"
"""The matter of logs of work: nearly all of their lines are of it."""

_ANY = "any"
_MEANT = re.compile(
    # The way to work is a commute, and says nothing of the job.
    r"\b(?:(?P<commute>(?:to|from) work\b(?! (?:at|as|for|in|on|with|from)\b))"
    # What did not work is no work.
    r"|(?P<failed>(?<!\bi )(?<!\bwe )(?:did|does)(?:n['’]?t| not) work\b"
    r"(?! (?:at|as|for|in|on|with|from|there|here)\b))"
    # Who joins a team has no new job by that.
    r"|(?P<club>join(?:ed|ing)?(?= (?:an?|the|my|our|this|your) (?:[\w-]{1,20} ){0,3}(?:team|club"
    r"|gym|band|choir|class|group|league|church|call|meeting|community|server|challenge|course"
    r"|party|queue)\b))"
    # Who quits smoking, or Spanish, leaves no job.
    r"|(?P<habit>quit(?:ting)?(?= (?:smoking|drinking|vaping|sugar|coffee|caffeine|alcohol|yoga"
    r"|the gym|piano|guitar|cello|spanish|french|german|italian|portuguese|japanese|duolingo)\b))"
    # What somebody runs or owns is what they live on.
    r"|(?P<company>(?:runs?|owns?) (?:an?|my|our|their)(?= (?:[\w-]{1,20} ){0,3}(?:studio|shop"
    r"|store|bakery|cafe|restaurant|company|agency|farm|salon|gym|startup|practice|firm|school"
    r"|workshop|brewery|bar|hotel|clinic|gallery|consultancy|nonprofit)\b)))"
    # A doctor who does something to somebody tells of no job: 医生给我开了药.
    r"|(?P<doctor>[医醫]生(?=[给給让讓叫说說建开開要嘱囑换換劝勸]))"
)
"""Words, of a text in lower case, that mean something else where they stand."""
_SENSES = {
    "commute": "commute",
    "failed": "",
    "club": "",
    "habit": "",
    "company": "company",
    "doctor": "大夫",
}
_TRADE = re.compile(r"\W*(?:(?:so|and|hey|hi)\W+)?what do i do\W*$", re.IGNORECASE)

_SURVEYED = re.compile(
    r"\b(?:what|which|any|my|our|of|about)\s+(?:[a-z]+\s+)??(?P<word>[a-z]+)"
    r"(?=\s*(?:$|[?.,!]|(?:do|did|does|have|has|had|am|are|is|was|were|should|can|could|would|will"
    r"|i|we|problems?|issues?|conditions?|members?|that)\b))"
)
"""What is asked about as such: "which sports do I do", and not "my sports academy"."""


@dataclass(frozen=True, slots=True)
class Topics:
    """The matters of a text, and its relations as `matter.relation`."""

    matters: frozenset[str] = frozenset()
    relations: frozenset[str] = frozenset()


def topics_of(text: str) -> Topics:
    """The matters and relations that a text speaks of.

    A word of a phrase says nothing by itself: who asks what you do "for a living" means your work.
    """
    said = text[:TEXT_CHARS_MAX]
    read = _MEANT.sub(_as_meant, said.lower())
    english, chinese = _english(), _chinese()
    found = {held for phrase in _phrase().findall(read) for held in _phrases()[phrase]}
    apart = _phrase().sub(" ", read)
    found.update(held for word in set(tokens(apart)) for held in english.get(word, ()))
    if has_cjk(said):
        words = set(_chinese_words().findall(_MEANT.sub(_as_meant, said)))
        found.update(held for word in words for held in chinese[word])
    return Topics(
        frozenset(held.partition(".")[0] for held in found),
        frozenset(held for held in found if not held.endswith(f".{_ANY}")),
    )


def _as_meant(found: re.Match[str]) -> str:
    return _SENSES[found.lastgroup or ""]


def relations_asked(question: str) -> frozenset[str]:
    """The relations that a question is about, with those that its wide words stand for: family."""
    if asks_for_trade(question):
        return frozenset({"work.job"})
    return topics_of(question).relations | wide_relations(question)


def asks_for_trade(question: str) -> bool:
    """True for a question for one's work that has no word of it: "What do I do?"."""
    return _TRADE.match(question) is not None


def wide_relations(question: str) -> frozenset[str]:
    """The relations that the wide words of a question stand for; most questions have none."""
    read = question[:TEXT_CHARS_MAX].lower()
    said = {word for found in _SURVEYED.finditer(read) for word in tokens(found["word"])}
    said |= {word for word in _wide() if (" " in word or has_cjk(word)) and word in read}
    return frozenset(held for word in said & _wide().keys() for held in _wide()[word])


def related_words(relations: frozenset[str]) -> str:
    """The words of some relations, to search with."""
    lists = [_lists(language) for language in LANGUAGES]
    return " ".join(
        word for held in sorted(relations) for words in lists for word in words.get(held, ())
    )


@functools.cache
def _lists(language: str) -> Mapping[str, tuple[str, ...]]:
    """The words of each relation, as written in the data file of a language."""
    held = tomllib.loads((DATA / f"topics.{language}.toml").read_text(encoding="utf-8"))
    return {
        f"{matter}.{relation}": tuple(words.split())
        for matter, relations in held.items()
        for relation, words in relations.items()
    }


@functools.cache
def _wide() -> Mapping[str, tuple[str, ...]]:
    """The relations of each wide word: an English one by its stem, others as written."""
    held = tomllib.loads((DATA / "wide.toml").read_text(encoding="utf-8"))
    return {
        form: tuple(one["relations"].split())
        for one in held.values()
        for language in LANGUAGES
        for word in one[language].split()
        for form in ([word.replace("_", " ")] if "_" in word or has_cjk(word) else tokens(word))
    }


@functools.cache
def _english() -> Mapping[str, frozenset[str]]:
    """The relations of each English word, by its stem."""
    return _by_word(
        {held: tokens(" ".join(_split(words)[0])) for held, words in _lists("en").items()}
    )


@functools.cache
def _phrases() -> Mapping[str, frozenset[str]]:
    """The relations of each English phrase."""
    return _by_word({held: _split(words)[1] for held, words in _lists("en").items()})


@functools.cache
def _phrase() -> re.Pattern[str]:
    """Any English phrase."""
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, _phrases()))})\b")


def _split(words: Iterable[str]) -> tuple[list[str], list[str]]:
    """Words, and phrases with their spaces."""
    held = list(words)
    phrases = [word.replace("_", " ") for word in held if "_" in word]
    return [word for word in held if "_" not in word], phrases


@functools.cache
def _chinese() -> Mapping[str, frozenset[str]]:
    """The relations of each Chinese word."""
    return _by_word(_lists("zh"))


@functools.cache
def _chinese_words() -> re.Pattern[str]:
    """Any Chinese word; of two at one place the longer."""
    words = sorted(_chinese(), key=len, reverse=True)
    return re.compile("|".join(map(re.escape, words)))


def _by_word(lists: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    relations: dict[str, set[str]] = {}
    for relation, words in lists.items():
        for word in words:
            relations.setdefault(word, set()).add(relation)
    return {word: frozenset(held) for word, held in relations.items()}
