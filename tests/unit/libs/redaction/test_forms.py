"""Tokens, commands, numbers and paths in the forms they have, and look-alikes that stay."""

import json
from pathlib import Path

import pytest

from anamnesis_libs.redaction.ports import Redaction
from anamnesis_libs.redaction.redactor import PolicyRedactor
from anamnesis_libs.redaction.values import is_placeholder

REDACTOR = PolicyRedactor()
BODY = "a1B2c3D4e5" * 7
UUID = "123e4567-e89b-12d3-a456-426614174000"
GITLEAKS = Path(__file__).parents[5] / "shared" / "data" / "secrets" / "gitleaks-dev.jsonl"
FOUND_MIN = 0.9
TAKEN_MAX = 0.12
"""Of the look-alikes: most that go are called a key, a token or a password where they stand."""


def redacted(text: str) -> str:
    return REDACTOR.redact(text).text


@pytest.mark.parametrize(
    "prefix", ["pat", "dt", "ft", "ffct", "imt", "agent", "oas", "ptt", "cbt", "rt", "soat"]
)
def test_every_token_of_gitlab_goes(prefix: str) -> None:
    assert redacted(f"use gl{prefix}-{BODY[:20]} now") == "use <GITLAB_TOKEN> now"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"GR1348941{BODY[:20]}", "<GITLAB_TOKEN>"),
        ("ABIAIOSFODNN7EXAMPLE", "<AWS_ACCESS_KEY>"),
        ("ACCAIOSFODNN7EXAMPLE", "<AWS_ACCESS_KEY>"),
        (f"sk_prod_{BODY[:20]}", "<STRIPE_KEY>"),
        (f"rk_prod_{BODY[:20]}", "<STRIPE_KEY>"),
        ("http://hooks.slack.com/services/T02/B72/" + BODY[:20], "<SLACK_TOKEN>"),
        ("hooks.slack.com/workflows/T02/A04/" + BODY[:20], "<SLACK_TOKEN>"),
        (f"dop_v1_{'0af39c' * 10}beef", "<REDACTED_CREDENTIAL>"),
        (f"shpat_{'0af39c1d' * 4}", "<REDACTED_CREDENTIAL>"),
        ("Authorization: Api-Token abc123def456", "Authorization: Api-Token <REDACTED_TOKEN>"),
        ("curl \\\n  -u jo:s3cret https://h", "curl \\\n  -u jo:<REDACTED_CREDENTIAL> https://h"),
        ("curl --user jo:'s3cret' h", "curl --user jo:'<REDACTED_CREDENTIAL>' h"),
        ("sshpass -p s3cret ssh h", "sshpass -p <REDACTED_CREDENTIAL> ssh h"),
        (
            '<add key="Password" value="s3cret!" />',
            '<add key="Password" value="<REDACTED_CREDENTIAL>" />',
        ),
        ("from 2001:db8::1: refused", "from <IP_ADDRESS>: refused"),
        ("ip:2001:db8::1,", "ip:<IP_ADDRESS>,"),
        ("415-555-0132, ext. 12", "<PHONE_NUMBER>"),
        ("415-555-0132 extension 12.", "<PHONE_NUMBER>."),
        ("+44 20 7946 0958 ext 123", "<PHONE_NUMBER>"),
        ("021-62345678转801", "<PHONE_NUMBER>"),
        ("010-62345678-801", "<PHONE_NUMBER>"),
        ("projects/-home-jo-work/a.jsonl", "projects/-home-<USER>-work/a.jsonl"),
        ("C--Users-jo-work", "C--Users-<USER>-work"),
        (f'"user_id": "{UUID}"', '"user_id": "<UUID>"'),
    ],
)
def test_what_has_a_form_goes(text: str, expected: str) -> None:
    assert redacted(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "https://h.example/2018-250-xoxo-indieweb-1.jpg",
        f"https://h.example/IMG_7269_{UUID}.jpg",
        f"credentialsId: '{UUID}'",
        f'"kms_key_id": "{UUID}"',
        "io.jsonwebtoken:jjwt-jackson-0.11.2",
        "OPENAI_API_KEY=sk-...",
        "const apiKey = 'YOUR_API_KEY';",
        "SECRET_KEY = 'your_secret_key_here'",
        "glpat-XXXXXXXXXXX-XXXXXXXX",
        "curl -u username:password https://h",
        "Authorization: Bearer XXXXXXXXXXXXXXXX",
        "stay-at-home-mom, get-home-page-x",
        "std::vector a::b::c at 12:30:45",
        "you can pass `debug=True`",
        "s.AcceptanceTimeoutSeconds",
    ],
)
def test_look_alikes_stay(text: str) -> None:
    assert REDACTOR.redact(text) == Redaction(text)


def test_a_weak_password_is_no_placeholder() -> None:
    assert not any(is_placeholder(each) for each in ("password1", "changeme", "letmein", "x" * 300))


def test_rule_tests_of_others_are_found_and_few_look_alikes_go() -> None:
    if not GITLEAKS.is_file():
        pytest.skip(f"{GITLEAKS} is not there")
    rows = [json.loads(line) for line in GITLEAKS.read_text(encoding="utf-8").splitlines()]
    told = [row for row in rows if row["kind"] == "tps"]
    alike = [row["text"] for row in rows if row["kind"] == "fps"]
    found = [
        redacted(r["text"]) != r["text"] and (r["secret"] or "\0") not in redacted(r["text"])
        for r in told
    ]
    assert sum(found) >= FOUND_MIN * len(told)
    assert sum(redacted(text) != text for text in alike) <= TAKEN_MAX * len(alike)
