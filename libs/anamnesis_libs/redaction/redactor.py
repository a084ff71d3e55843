"""Redaction by patterns: no model, no network, time linear in the text.

Where spans overlap, the earliest names the kind, the longest of those that start together; what
the others covered beyond its end goes with it, because half a secret is still one. A tag may
uncover what was glued to a secret, so the text is read again until nothing is found: redacting
twice is redacting once.
"""

import re
from collections.abc import Iterator, Sequence

from anamnesis_libs.errors import RedactionBlocked
from anamnesis_libs.redaction.patterns import SECRETS
from anamnesis_libs.redaction.personal import PERSONAL
from anamnesis_libs.redaction.persons import Persons
from anamnesis_libs.redaction.policy import (
    DEFAULT_POLICY,
    PERSON,
    RedactionAction,
    RedactionLevel,
    RedactionPolicy,
)
from anamnesis_libs.redaction.ports import Redaction
from anamnesis_libs.redaction.recogniser import LONG, Recogniser, Starts
from anamnesis_libs.redaction.replacing import Draft, Find

RECOGNISERS: tuple[Recogniser, ...] = (*SECRETS, *PERSONAL)
"""All that finds what has a form, the special before the general. People have none."""

# The one character whose lower case is longer than itself; it would shift what follows.
_GROWS_WHEN_LOWERED = "\u0130"
# One that finds, and one that finds nothing more, are the rule.
_PASSES_MAX = 8

_Ranked = tuple[int, Recogniser]
"""A recogniser behind its place in the table, which decides ties."""


class PolicyRedactor:
    """Redacts by a policy. Made once at start-up, used by any number of threads at once.

    The first text under a policy with people waits for their lexicons (`Persons`).
    """

    def __init__(self, recognisers: Sequence[Recogniser] = RECOGNISERS) -> None:
        self._by_cue: dict[str, list[_Ranked]] = {}
        self._long_by_cue: dict[str, list[_Ranked]] = {}
        self._by_starts: dict[Starts, list[_Ranked]] = {}
        for ranked in enumerate(recognisers):
            recogniser = ranked[1]
            if recogniser.starts:
                self._by_starts.setdefault(recogniser.starts, []).append(ranked)
            else:
                by_cue = self._long_by_cue if recogniser.long else self._by_cue
                for cue in recogniser.cues:
                    by_cue.setdefault(cue, []).append(ranked)
        self._persons = Persons()

    def redact(
        self, text: str, policy: RedactionPolicy = DEFAULT_POLICY, known_names: Sequence[str] = ()
    ) -> Redaction:
        """Return `text` redacted; the very same text where there is nothing to redact.

        `known_names` are people that the caller knows of, such as who speaks: under `STRICT` they
        are found wherever they are named. People never block a text, they become pseudonyms.

        Raises:
            RedactionBlocked: the policy refuses a text with what was found.
        """
        if not text or policy.level is RedactionLevel.OFF:
            return Redaction(text)
        draft = Draft(text)
        for _ in range(_PASSES_MAX):
            if not draft.replace(self._finds(draft.text, policy, known_names)):
                break
        redaction = draft.redaction()
        if policy.action is RedactionAction.BLOCK:
            _refuse(redaction)
        return redaction

    def _finds(
        self, text: str, policy: RedactionPolicy, known_names: Sequence[str]
    ) -> Iterator[Find]:
        for find in self._formed(text):
            if policy.covers(find.kind):
                yield find
        if policy.covers(PERSON):
            yield from self._persons.find(text, known_names, policy.pseudonym_key)

    def _formed(self, text: str) -> Iterator[Find]:
        # Substring search is some hundred times faster than a pattern that finds nothing.
        folded = text.replace(_GROWS_WHEN_LOWERED, " ").lower()
        for by_cue in (self._by_cue, self._long_by_cue if LONG.search(text) else {}):
            for cue, recognisers in by_cue.items():
                if cue in folded:
                    for ranked in recognisers:
                        yield from _at_cue(ranked, cue, text, folded)
        for starts, recognisers in self._by_starts.items():
            places: list[int] | None = None
            for ranked in recognisers:
                if any(cue in folded for cue in ranked[1].cues):
                    places = starts(text) if places is None else places
                    yield from _at_places(ranked, places, text)


def _refuse(redaction: Redaction) -> None:
    kinds = {span.kind for span in redaction.spans} - {PERSON}
    if kinds:
        raise RedactionBlocked(sorted(kinds))


def _at_cue(ranked: _Ranked, cue: str, text: str, folded: str) -> Iterator[Find]:
    regex = ranked[1].regex
    position = folded.find(cue)
    while position >= 0:
        match = regex.match(text, position)
        if match:
            yield from _checked(ranked, match)
        position = folded.find(cue, match.end() if match else position + 1)


def _at_places(ranked: _Ranked, places: Sequence[int], text: str) -> Iterator[Find]:
    regex = ranked[1].regex
    read = 0
    for place in places:
        match = regex.match(text, place) if place >= read else None
        if match:
            read = match.end()
            yield from _checked(ranked, match)


def _checked(ranked: _Ranked, match: re.Match[str]) -> Iterator[Find]:
    rank, recogniser = ranked
    start, end = match.span(match.lastindex or 0)
    if recogniser.check is None or recogniser.check(match.string, start, end):
        yield Find(start, end, recogniser.kind, recogniser.tag, rank)
