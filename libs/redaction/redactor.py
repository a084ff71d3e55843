"""Redaction by patterns: no model, no network, time linear in the text.

Where spans overlap, the earliest names the kind, the longest of those that start together; what
the others covered beyond its end goes with it, because half a secret is still one. A tag may
uncover what was glued to a secret, so the text is read again until nothing is found: redacting
twice is redacting once.
"""

import re
from collections.abc import Iterator, Sequence

from libs.errors import RedactionBlocked
from libs.redaction.patterns import SECRETS
from libs.redaction.personal import PERSONAL
from libs.redaction.persons import Persons
from libs.redaction.policy import (
    DEFAULT_POLICY,
    PERSON,
    RedactionAction,
    RedactionLevel,
    RedactionPolicy,
)
from libs.redaction.ports import Redaction
from libs.redaction.recogniser import Recogniser, Starts
from libs.redaction.replacing import Draft, Find

RECOGNISERS: tuple[Recogniser, ...] = (*SECRETS, *PERSONAL)
"""All that finds what has a form, the special before the general. People have none."""

# The one character whose lower case is longer than itself; it would shift what follows.
_GROWS_WHEN_LOWERED = "\u0130"
# One that finds, and one that finds nothing more, are the rule.
_PASSES_MAX = 8


class PolicyRedactor:
    """Redacts by a policy. Made once at start-up, used by any number of threads at once.

    `people` loads the names that `STRICT` needs: a third of a second, some 70 MB.
    """

    def __init__(
        self, recognisers: Sequence[Recogniser] = RECOGNISERS, *, people: bool = True
    ) -> None:
        self._ranks = {recogniser: rank for rank, recogniser in enumerate(recognisers)}
        self._by_cue: dict[str, list[Recogniser]] = {}
        self._by_starts: dict[Starts, list[Recogniser]] = {}
        for recogniser in recognisers:
            if recogniser.starts:
                self._by_starts.setdefault(recogniser.starts, []).append(recogniser)
            else:
                for cue in recogniser.cues:
                    self._by_cue.setdefault(cue, []).append(recogniser)
        self._persons = Persons() if people else None

    def redact(
        self, text: str, policy: RedactionPolicy = DEFAULT_POLICY, known_names: Sequence[str] = ()
    ) -> Redaction:
        """Return `text` redacted; the very same text where there is nothing to redact.

        `known_names` are people that the caller knows of, such as who speaks: under `STRICT` they
        are found wherever they are named. People never block a text, they become pseudonyms.

        Raises:
            RedactionBlocked: the policy refuses a text with what was found.
            ValueError: the policy wants people found, and their names were not loaded.
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
            if self._persons is None:
                raise ValueError("a redactor without people cannot serve a policy with them")
            yield from self._persons.find(text, known_names, policy.pseudonym_key)

    def _formed(self, text: str) -> Iterator[Find]:
        # Substring search is some hundred times faster than a pattern that finds nothing.
        folded = text.replace(_GROWS_WHEN_LOWERED, " ").lower()
        for cue, recognisers in self._by_cue.items():
            if cue in folded:
                for recogniser in recognisers:
                    yield from _at_cue(recogniser, cue, text, folded, self._ranks[recogniser])
        for starts, recognisers in self._by_starts.items():
            hopeful = [each for each in recognisers if any(cue in folded for cue in each.cues)]
            if hopeful:
                places = starts(text)
                for recogniser in hopeful:
                    yield from _at_places(recogniser, places, text, self._ranks[recogniser])


class PatternRedactor:
    """Redacts every text by the same policy: the port of those who know no other."""

    def __init__(
        self,
        recognisers: Sequence[Recogniser] = RECOGNISERS,
        policy: RedactionPolicy = DEFAULT_POLICY,
    ) -> None:
        self._redactor = PolicyRedactor(recognisers, people=policy.covers(PERSON))
        self._policy = policy

    def redact(self, text: str) -> Redaction:
        """Return `text` redacted; the very same text where there is nothing to redact.

        Raises:
            RedactionBlocked: the policy refuses a text with what was found.
        """
        return self._redactor.redact(text, self._policy)


def _refuse(redaction: Redaction) -> None:
    kinds = {span.kind for span in redaction.spans} - {PERSON}
    if kinds:
        raise RedactionBlocked(sorted(kinds))


def _at_cue(recogniser: Recogniser, cue: str, text: str, folded: str, rank: int) -> Iterator[Find]:
    position = folded.find(cue)
    while position >= 0:
        match = recogniser.regex.match(text, position)
        if match:
            yield from _checked(recogniser, match, text, rank)
        position = folded.find(cue, match.end() if match else position + 1)


def _at_places(
    recogniser: Recogniser, places: Sequence[int], text: str, rank: int
) -> Iterator[Find]:
    read = 0
    for place in places:
        match = recogniser.regex.match(text, place) if place >= read else None
        if match:
            read = match.end()
            yield from _checked(recogniser, match, text, rank)


def _checked(recogniser: Recogniser, match: re.Match[str], text: str, rank: int) -> Iterator[Find]:
    start, end = match.span(match.lastindex or 0)
    if recogniser.check is None or recogniser.check(text, start, end):
        yield Find(start, end, recogniser.kind, recogniser.tag, rank)
