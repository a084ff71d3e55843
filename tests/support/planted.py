"""Lines with planted secrets: marks in a file become invented values and labelled spans.

No file of the repository holds anything that looks like a live secret. A line of
`tests/data/redaction` names it by a mark, and the mark is filled here, always with the same
characters:

    {{github_token:ghp}}        a made-up value of the form `ghp`, labelled `github_token`
    {{email=jo@mail.example}}   the text itself, labelled `email`
    {{bearer/jwt:jwt}}          labelled `bearer`; whoever calls it `jwt` is right too
    {{?ip=10.0.0.0}}            neither missed when it stays nor wrong when it goes
    {{:hex40}}                  a made-up value that is no secret, without label
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from tests.support.planted_forms import made_up

DATA = Path(__file__).parents[1] / "data" / "redaction"
STRICT_KINDS = frozenset({"person"})
_MARK = re.compile(r"\{\{(\??)([a-z_/]*)([:=])(.*?)\}\}")


@dataclass(frozen=True, slots=True)
class Span:
    """What has to go from a text: the characters from `start` up to `end`, without it."""

    start: int
    end: int
    kind: str
    also: tuple[str, ...] = ()
    """Kinds that are as right."""
    optional: bool = False

    @property
    def policy(self) -> str:
        """The mildest policy under which it goes: `DEFAULT` or `STRICT`."""
        return "STRICT" if self.kind in STRICT_KINDS else "DEFAULT"


@dataclass(frozen=True, slots=True)
class Line:
    """A text with all that is planted in it, in order."""

    id: str
    language: str
    text: str
    spans: tuple[Span, ...]

    def value(self, span: Span) -> str:
        """The characters of a span."""
        return self.text[span.start : span.end]

    def required(self, policy: str = "DEFAULT") -> tuple[Span, ...]:
        """What has to go under `policy` (`DEFAULT` or `STRICT`)."""
        return tuple(
            span for span in self.spans if not span.optional and span.policy in ("DEFAULT", policy)
        )


def planted(half: str) -> list[Line]:
    """The lines of `dev` or of `held`, their marks filled."""
    raw = (DATA / f"{half}.jsonl").read_text(encoding="utf-8").splitlines()
    records = (json.loads(line) for line in raw)
    return [filled(each["id"], each["language"], each["text"]) for each in records]


def filled(line_id: str, language: str, text: str) -> Line:
    """One line with its marks filled; the same id and text give the same line everywhere."""
    done, spans, read = "", list[Span](), 0
    for mark in _MARK.finditer(text):
        optional, kinds, sign, rest = mark.groups()
        done += text[read : mark.start()]
        value = rest if sign == "=" else made_up(rest, f"{line_id}/{mark.start()}")
        if kinds:
            kind, *also = kinds.split("/")
            end = len(done) + len(value)
            spans.append(Span(len(done), end, kind, tuple(also), bool(optional)))
        done, read = done + value, mark.end()
    return Line(line_id, language, done + text[read:], tuple(spans))
