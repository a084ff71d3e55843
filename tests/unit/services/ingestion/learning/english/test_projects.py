"""What is used in a project that is named is a fact about the project."""

import pytest

from anamnesis_ingestion.learning.english.claims import Turn
from anamnesis_ingestion.learning.english.cleaning import cleaned
from anamnesis_ingestion.learning.english.reader import read


def told(text: str) -> list[tuple[str, str, str, str]]:
    turn = Turn(sentences=[cleaned(text)], subject="Mara", shown="Mara")
    return [(one.subject, one.predicate, one.object, one.statement) for one in read([turn])[0]]


@pytest.mark.parametrize(
    ("text", "project", "tool"),
    [
        ("In the repository kiln we always use pnpm.", "kiln", "pnpm"),
        ("In the kiln repo we use pnpm.", "kiln", "pnpm"),
        ("We use pnpm in the kiln repository.", "kiln", "pnpm"),
        ("In project atlas we use ruff, never flake8.", "atlas", "ruff"),
    ],
)
def test_it_is_the_project_that_uses_it(text: str, project: str, tool: str) -> None:
    assert (project, "uses", tool, f"{project} uses {tool}") in told(text)
    assert not any(one[0] == "Mara" for one in told(text))


@pytest.mark.parametrize(
    "text",
    [
        "We use Postgres in production.",
        "At work we use Slack.",
        "I use vim in the kiln repository.",
    ],
)
def test_without_a_project_it_is_the_speaker(text: str) -> None:
    assert [one[:2] for one in told(text)] == [("Mara", "uses")]
