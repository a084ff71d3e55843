"""The lines with planted secrets hold to their own page: `tests/data/redaction/README.md`."""

import base64
import hashlib
import json
import re
import uuid
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path

import pytest

from tests.support.each_row import over
from tests.support.planted import DATA, Line, Span, filled, planted
from tests.support.planted_forms import cn_id_check, iban_holds, luhn_holds, made_up

KINDS_EVERYWHERE = {
    "aws_key",
    "azure_key",
    "basic",
    "bearer",
    "cn_id",
    "cn_mobile",
    "credit_card",
    "email",
    "gcp_key",
    "generic_credential",
    "github_token",
    "home_path",
    "iban",
    "ip",
    "jwt",
    "llm_key",
    "npm_token",
    "password",
    "pem_key",
    "person",
    "phone",
    "pypi_token",
    "slack_token",
    "stripe_key",
    "url_credentials",
    "us_ssn",
    "uuid",
}
CLEAN_SHARE_MIN = 0.35
LIVE_LOOKING = re.compile(
    r"(?<![a-z])sk-[\w-]{20}|gh[a-z]_\w{20}|github_pat_\w{20}|A[KS]IA[A-Z0-9]{12}|AIza[\w-]{20}"
    r"|xox[a-z]-\d{6}|hooks\.slack\.com|[rs]k_(?:live|test)_\w{9}|npm_\w{20}|pypi-\w{20}|eyJ\w{20}"
    r"|ya29\.\w{9}|PRIVATE KEY|(?<![0-9a-z])[0-9a-f]{32}(?![0-9a-z])"
    r"|(?<!\d)\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}(?!\d)"
)
AN_ORDER_NUMBER = "2026031500417762"
FINGERPRINTS = {
    "dev": "faeb92dfaaf90fff",
    "held": "e83a91887eb8c488",
}

HALVES = {half: planted(half) for half in ("dev", "held")}
LINES = [line for half in HALVES.values() for line in half]
SPANS = [(line, span) for line in LINES for span in line.spans]
each_line = over(LINES, lambda line: line.id)


def _shaped(pattern: str) -> Callable[[str], bool]:
    return lambda value: re.fullmatch(pattern, value, re.DOTALL) is not None


def _is_ip(value: str) -> bool:
    return not (ip_address(value).is_loopback or ip_address(value).is_unspecified)


def _is_card(value: str) -> bool:
    digits = re.sub("[ -]", "", value)
    return len(digits) in (15, 16) and luhn_holds(digits)


def _is_jwt(value: str) -> bool:
    header = value.split(".")[0]
    decoded = json.loads(base64.urlsafe_b64decode(header + "=" * (-len(header) % 4)))
    return value.count(".") == 2 and decoded["typ"] == "JWT"


SHAPES: dict[str, Callable[[str], bool]] = {
    "email": _shaped(r"[\w.+-]+@[\w.-]+\.(?:example|com|net|org)"),
    "phone": _shaped(r"[+(\d][\d ().-]{9,}\d"),
    "cn_mobile": _shaped(r"(?:\+86 )?1[3-9]\d[ -]?\d{4}[ -]?\d{4}"),
    "cn_id": lambda value: cn_id_check(value[:17]) == value[17:],
    "us_ssn": _shaped(r"4[1-9]{2}-[1-9]{2}-[1-9]{4}"),
    "credit_card": _is_card,
    "iban": lambda value: iban_holds(value.replace(" ", "")),
    "ip": _is_ip,
    "uuid": lambda value: str(uuid.UUID(value)) == value.lower(),
    "jwt": _is_jwt,
    "basic": lambda value: b":" in base64.b64decode(value, validate=True),
    "pem_key": _shaped(r"-----BEGIN [A-Z ]+-----.+-----END [A-Z ]+-----"),
    "home_path": _shaped(r"[\w.]+"),
    "person": _shaped(r"[A-Z][a-z]+(?: [A-Z][a-z]+)?|[\u4e00-\u9fff]{2,4}"),
}


def _digest(lines: list[Line]) -> str:
    shown = json.dumps([(line.id, line.text, [str(s) for s in line.spans]) for line in lines])
    return hashlib.sha256(shown.encode()).hexdigest()[:16]


def test_ids_and_texts_are_unique() -> None:
    assert max(Counter(line.id for line in LINES).values()) == 1
    assert max(Counter(line.text for line in LINES).values()) == 1
    assert all(line.id.startswith(line.language + "-") for line in LINES)


@pytest.mark.parametrize("half", sorted(HALVES))
def test_a_half_is_balanced_and_a_third_of_it_is_clean(half: str) -> None:
    for language in ("en", "zh"):
        lines = [line for line in HALVES[half] if line.language == language]
        assert len(lines) >= 110
        assert sum(not line.spans for line in lines) >= CLEAN_SHARE_MIN * len(lines)


@pytest.mark.parametrize("half", sorted(HALVES))
def test_a_half_has_every_kind(half: str) -> None:
    counts = Counter(span.kind for line in HALVES[half] for span in line.spans)
    assert counts.keys() == KINDS_EVERYWHERE
    assert min(counts.values()) >= 2


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_language_has_every_kind(language: str) -> None:
    assert {s.kind for line, s in SPANS if line.language == language} == KINDS_EVERYWHERE


@pytest.mark.parametrize("half", sorted(HALVES))
def test_marks_are_filled_alike_everywhere(half: str) -> None:
    assert _digest(HALVES[half]) == FINGERPRINTS[half]


@pytest.mark.parametrize("file", sorted(DATA.glob("*.jsonl")), ids=lambda file: file.name)
def test_a_file_holds_nothing_that_looks_live(file: Path) -> None:
    found = set(LIVE_LOOKING.findall(file.read_text(encoding="utf-8")))
    assert found <= {AN_ORDER_NUMBER}


@each_line
def test_spans_are_in_order_and_apart(line: Line) -> None:
    ends = [0, *(span.end for span in line.spans)]
    starts = [*(span.start for span in line.spans), len(line.text)]
    assert all(end <= start for end, start in zip(ends, starts, strict=True))
    assert all(span.start < span.end for span in line.spans)
    assert not re.search(r"\{\{[^ ]", line.text), "a mark was not understood"


@pytest.mark.parametrize("kind", sorted(SHAPES))
def test_what_is_planted_has_the_shape_of_its_kind(kind: str) -> None:
    wrong = [
        line.value(span)
        for line, span in SPANS
        if span.kind == kind and not SHAPES[kind](line.value(span))
    ]
    assert wrong == []


def test_a_home_path_is_that_of_a_user() -> None:
    for line, span in SPANS:
        if span.kind == "home_path":
            assert re.search(r"(?:/home/|/Users/|\\Users\\{1,2})$", line.text[: span.start])


def test_numbers_as_long_as_a_card_are_none() -> None:
    for seed in range(50):
        assert not luhn_holds(made_up("order16", str(seed)))
        assert not luhn_holds(made_up("snowflake", str(seed)))


def test_nothing_planted_stands_in_a_clean_line() -> None:
    clean = "\n".join(line.text for line in LINES if not line.spans)
    assert [line.value(span) for line, span in SPANS if line.value(span) in clean] == []


def test_a_name_goes_under_the_strict_policy_only() -> None:
    line = filled("en-0", "en", "{{person=Ada}} is at {{ip=10.0.0.7}} of {{?ip=10.0.0.0}}")
    ada, host, net = line.spans
    assert [line.value(span) for span in line.spans] == ["Ada", "10.0.0.7", "10.0.0.0"]
    assert line.required() == (host,)
    assert line.required("STRICT") == (ada, host)
    assert net == Span(22, 30, "ip", (), optional=True)


def test_a_mark_is_filled_with_what_its_form_says() -> None:
    line = filled("en-0", "en", "token {{bearer/jwt:jwt}} of {{:hex40}}")
    again = filled("en-0", "en", "token {{bearer/jwt:jwt}} of {{:hex40}}")
    other = filled("en-1", "en", "token {{bearer/jwt:jwt}} of {{:hex40}}")
    (span,) = line.spans
    assert (span.kind, span.also) == ("bearer", ("jwt",))
    assert re.search(r" of [0-9a-f]{40}$", line.text)
    assert line == again
    assert other.text != line.text


def test_an_unknown_form_is_refused() -> None:
    with pytest.raises(KeyError):
        filled("en-0", "en", "{{email:no_such_form}}")
