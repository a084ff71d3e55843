"""Answers of a chat model that writes skills of the lessons about migrations."""

from tests.support.openai_chat_script import Given
from tests.support.openai_server import OpenAIServer

WRITE, CHECK, JUDGE = "crystallise_skill", "crystallise_check", "crystallise_judge"
STEPS = (
    "Stop the workers: `make stop-workers`.",
    "Start the database: `docker compose up -d db`.",
    "Run `alembic upgrade head`.",
)


def written(*steps: str, failures: int = 4) -> dict[str, object]:
    """An answer that writes a skill."""
    known = (
        ("multiple head revisions are present", "Merge the heads: `alembic merge heads`.", 2),
        ("target database is not up to date", "Stamp it first: `alembic stamp 4f1c2`.", 1),
        (
            "column order_id contains null values",
            "Fill the column before it is made not null; never drop the rows.",
            4,
        ),
        (
            "lock timeout after 30 s",
            "Do not run it while the workers write: stop them, and wait until none is at work.",
            5,
        ),
    )
    return {
        "declined": False,
        "reason": "",
        "title": "Migrating the database",
        "trigger": "the schema is to be changed, migrations are run, or one of them has failed.",
        "steps": [
            {"do": one, "done_when": "", "on_failure": "", "lessons": [5, 3]} for one in steps
        ],
        "failures": [
            {"when": when, "do": do, "lessons": [number]} for when, do, number in known[:failures]
        ],
        "avoid": [],
    }


def verdicts(*said: str) -> Given:
    """An answer that judges the statements in their order."""
    return {
        "verdicts": [{"statement": number, "verdict": one} for number, one in enumerate(said, 1)]
    }


GROUNDED = verdicts(*["grounded"] * 9)


def script(server: OpenAIServer) -> None:
    """A skill of three steps, all of which is borne out."""
    server.chat.answer(WRITE, written(*STEPS))
    server.chat.answer(CHECK, GROUNDED)
