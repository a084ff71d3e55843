"""Environments: stages of a deployment and operating systems, in both languages."""

import re
from collections.abc import Iterator

from anamnesis_memory.dedup.difference import Aspect, Difference
from anamnesis_memory.dedup.reading import TokenReading, is_extra

_PLACE = r"(?= (?:env|environment|system|stage|server|cluster|account|database|bucket)s?\b)"
_ENVIRONMENTS = {
    "production": r"\b(?:production|prod)\b|线上|生产(?=环境|库|服|的|上|,|$)|正式环境",
    "staging": r"\b(?:staging|pre-?prod(?:uction)?)\b|预发布?|预生产|灰度",
    "test": rf"\b(?:test|testing|qa){_PLACE}|测试(?=环境|服|库|桶|集群)",
    "development": r"\b(?:development|dev)\b|开发(?=环境|库|机|服)",
    "demo": rf"\bdemo{_PLACE}|演示(?=环境|库|服)",
    "local": r"\b(?:locally|on localhost|local machine)\b|本地环境|本机",
    "ci": r"\b(?:CI|build servers?)\b|构建机|流水线",
    "linux": r"\blinux\b",
    "ubuntu": r"\bubuntu\b",
    "debian": r"\bdebian\b",
    "alpine": r"\balpine\b",
    "windows": r"\bWindows\b",
    "macos": r"\b(?:mac ?os(?: x)?|os ?x)\b|苹果电脑",
    "android": r"\bandroid\b|安卓",
    "ios": r"\bios\b|苹果手机",
}
_ANY = re.compile(
    "|".join(f"(?P<{name}>{words})" for name, words in _ENVIRONMENTS.items()), re.IGNORECASE
)


def environment_differences(a: TokenReading, b: TokenReading) -> Iterator[Difference]:
    """Environments that one text names and the other does not, outside of extra clauses."""
    ours, theirs = _named(a), _named(b)
    left = {name: found for name, found in ours.items() if name not in theirs}
    right = {name: found for name, found in theirs.items() if name not in ours}
    if left and right:
        yield Difference(
            Aspect.ENVIRONMENT, next(iter(left.values()))[0], next(iter(right.values()))[0]
        )
        return
    for found in left.values():
        if not is_extra(a, a.clause_at(found.start()), b):
            yield Difference(Aspect.ENVIRONMENT, found[0], "")
    for found in right.values():
        if not is_extra(b, b.clause_at(found.start()), a):
            yield Difference(Aspect.ENVIRONMENT, "", found[0])


def _named(of: TokenReading) -> dict[str, re.Match[str]]:
    return {found.lastgroup or "": found for found in _ANY.finditer(of.text)}
