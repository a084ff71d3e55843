"""Plans that are no more: they were called off, or what was planned has been done.

A plan is done by what tells it with the same verb and all of its things: "is going to buy a flat
in Perth" by "bought a flat in Perth last week". A Chinese one is done
by what such a deed brings about: 打算搬去大理 by 住在大理.
"""

import re
from datetime import timedelta
from functools import cache
from pathlib import Path

from anamnesis_ingestion.learning.english.vocabulary import pasts, words
from anamnesis_ingestion.learning.knowledge import FactKind, Held, LearnedFact, Precision
from anamnesis_libs.talk.narrowing import object_words

PLANS = frozenset({"plans", "wants", "considers"})
_DONE_AS = frozenset(
    {FactKind.EXPERIENCE, FactKind.EVENT, FactKind.IDENTITY, FactKind.OTHER, FactKind.RELATIONSHIP}
)
_LASTS = {
    Precision.DAY: timedelta(days=1),
    Precision.WEEK: timedelta(days=7),
    Precision.MONTH: timedelta(days=31),
    Precision.YEAR: timedelta(days=366),
}
_HAN = re.compile(r"[\u4e00-\u9fff]")
_DEEDS = Path(__file__).with_name("chinese_deeds.tsv")
_WORD = re.compile(r"[\w'-]+")
_WORD_MIN = 4


def may_end_plans(fact: LearnedFact) -> bool:
    """True for what calls a plan off, and for what may be what was planned."""
    deed = fact.kind in _DONE_AS or fact.predicate == "uses"
    return fact.ends_only or (deed and not fact.ended and fact.predicate not in PLANS)


def ends_plan(fact: LearnedFact, plan: Held) -> bool:
    """True if a fact that is told after a plan of its subject says that the plan is over."""
    if plan.predicate not in PLANS or fact.subject.casefold() != plan.subject.casefold():
        return False
    if fact.ends_only:
        return fact.predicate == "plans" and _is_of(fact.object, plan.object)
    if _HAN.search(plan.object):
        return (
            not fact.ended
            and not _was_before(fact, plan)
            and _is_done_in_chinese(fact, plan.object)
        )
    may = may_end_plans(fact) and not _was_before(fact, plan)
    return may and _is_done(fact.statement, plan.object)


def _was_before(fact: LearnedFact, plan: Held) -> bool:
    """True for what happened before the plan was told, and so is not what was planned."""
    since, told_at = fact.time.since, plan.told_at
    if since is None or told_at is None:
        return False
    return since + _LASTS.get(fact.time.precision, timedelta()) < told_at


def _is_of(thing: str, planned: str) -> bool:
    """True if all that is said of a thing is in the plan, and more than that one goes there."""
    if _HAN.search(thing):
        return thing in planned
    meant = _stems(thing) - words("goings")
    return bool(meant) and meant <= _stems(planned)


def _is_done(statement: str, planned: str) -> bool:
    """True if a statement tells the deed that is planned, and not that one prepares to do it."""
    deed = _stems(planned)
    verb = next(iter(object_words(planned)), "")
    if re.search(rf"(?<!had )\bto {re.escape(verb)}\b", statement.casefold()):
        return False
    return len(deed) > 1 and _stem(verb) in deed and deed <= _stems(statement)


def _is_done_in_chinese(fact: LearnedFact, planned: str) -> bool:
    """True if the plan opens with a verb of what is told, and names what it is told of."""
    for verb in _chinese_deeds().get(fact.predicate, ()):
        itself = verb.removeprefix("*")
        named = itself in fact.statement if verb.startswith("*") else fact.object in planned
        if planned.startswith(itself) and named:
            return True
    return False


@cache
def _chinese_deeds() -> dict[str, tuple[str, ...]]:
    """The verbs of plans by the predicate that tells them done."""
    rows = (
        line.split("\t")
        for line in _DEEDS.read_text("utf-8").splitlines()
        if line[:1] not in {"", "#"}
    )
    return {predicate: tuple(verbs.split()) for predicate, verbs in rows}


def _stems(text: str) -> frozenset[str]:
    """The words of a text without their endings, and without those of a season or a weekday."""
    found = {each.casefold() for each in _WORD.findall(text)}
    timely = words("periods") | words("months") | words("days")
    return frozenset(map(_stem, found - words("fillers") - timely))


def _stem(word: str) -> str:
    word = pasts().get(word, word)
    word = f"{word[:-3]}y" if word.endswith(("ied", "ies")) else word
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= _WORD_MIN - 1:
            return _single(word.removesuffix(ending))
    return word


def _single(stem: str) -> str:
    """The stem with its last letter once: "plan" of "planned"."""
    return stem[:-1] if len(stem) > _WORD_MIN and stem[-1] == stem[-2] != "l" else stem
