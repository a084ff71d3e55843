"""No fact is of a secret, nor of the tag that took a secret's place."""

import pytest

from anamnesis_ingestion.learning.gate import passed
from anamnesis_ingestion.learning.knowledge import FactKind, Knowledge, LearnedFact, Refused
from anamnesis_ingestion.learning.local.extractor import LocalExtractor
from anamnesis_ingestion.learning.secrets import tells_secret
from anamnesis_libs.redaction.redactor import PolicyRedactor
from anamnesis_libs.settings import WriteGate
from tests.support.talk import said

TAG = "<REDACTED_CREDENTIAL>"
TOLD = [
    "My password is hunter2.",
    "My API key is a1b2c3d4e5f6a7b8.",
    "I use hunter2 as the password for everything.",
    "I prefer the password hunter2x.",
    "I live at the lake and my door code is 4471.",
    "我的密码是hunter22。",
    "我的wifi密码是小狗。",
    "我的邮箱是jo@mail.example。",
]


def fact(subject: str, predicate: str, held: str, statement: str) -> LearnedFact:
    return LearnedFact(
        statement=statement,
        subject=subject,
        predicate=predicate,
        object=held,
        kind=FactKind.EXPERIENCE,
        sources=(0,),
    )


@pytest.mark.parametrize(
    ("subject", "predicate", "held", "statement"),
    [
        ("user", "password", "swordfish", "The user's password is swordfish"),
        ("gate code", "is", "4471", "The gate code is 4471"),
        ("user", "uses", TAG, f"The user uses {TAG}"),
        ("user", "uses", "REDACTED_CREDENTIAL>", f"The user uses {TAG}"),
        ("user", "uses", ">", f"The user uses {TAG} as the password"),
        ("user", "prefers", "password", f"The user prefers the password {TAG}"),
        (TAG, "is", "long", f"{TAG} is long"),
        ("user", "email", "<EMAIL_ADDRESS>", "The user's email is <EMAIL_ADDRESS>"),
        ("user", "银行卡密码", TAG, f"用户的银行卡密码是{TAG}"),
    ],
)
def test_a_fact_of_a_secret_is_told(
    subject: str, predicate: str, held: str, statement: str
) -> None:
    assert tells_secret(fact(subject, predicate, held, statement))


@pytest.mark.parametrize(
    ("subject", "predicate", "held", "statement"),
    [
        (
            "user's password manager",
            "is_named",
            "Bitwarden",
            "The user's password manager is Bitwarden",
        ),
        ("user", "works_at", "/home/<USER>/site", "The user works at /home/<USER>/site"),
        (
            "user",
            "mails",
            "reports to <EMAIL_ADDRESS>",
            "The user mails reports to <EMAIL_ADDRESS>",
        ),
        ("user", "knows", "<PERSON_3f9a1c07>", "The user knows <PERSON_3f9a1c07>"),
        ("user", "likes", "token-based games", "The user likes token-based games"),
        ("user", "deploys_to", "Fly.io", f"The user deploys to Fly.io with {TAG}"),
    ],
)
def test_a_fact_beside_one_is_not(subject: str, predicate: str, held: str, statement: str) -> None:
    assert not tells_secret(fact(subject, predicate, held, statement))


async def test_nothing_is_learned_of_secrets_that_are_told() -> None:
    lecture = said(*(PolicyRedactor().redact(text).text for text in TOLD))
    learned = await LocalExtractor().learn(lecture)
    after = passed(Knowledge(facts=learned.facts), lecture, WriteGate())
    assert after.refusals[Refused.WITHHELD] >= 5
    assert not any("REDACTED" in f"{each.subject}{each.object}" for each in after.facts)
    assert not any(
        each.predicate in {"password", "密码", "wifi密码", "邮箱"} for each in after.facts
    )
