"""The first command of the README: it runs, and what it shows is so."""

import re
import subprocess
import sys

import pytest

from tests.support.processes import REPOSITORY, environment

STEPS = re.compile(r"^(\d)\. [A-Z][^\n]*[a-z,.]$", re.MULTILINE)
LINES_MAX = 150
WRONG = ("uses Sunday", "Juno is", "closed on", "REDACTED", "command=alembic upgrade head,")


@pytest.mark.long
@pytest.mark.timeout(300)
def test_the_demo_learns_what_its_conversations_tell() -> None:
    done = subprocess.run(
        [sys.executable, "tools/demo.py"],
        cwd=REPOSITORY,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    lines = done.stdout.splitlines()
    assert len(lines) <= LINES_MAX
    assert not [line for line in lines if line[:1] != "$" and len(line) > 80]
    commands = _commands(done.stdout)
    assert "allergic to hazelnuts" in commands["search 'what is Mara"]
    assert "对花生过敏" in commands["search 林悦"]
    topic = commands["clusters show"]
    assert re.match(r"alembic, database, .* lessons: 6\n", topic)
    assert "database is locked" in topic
    assert "lp: Error" not in topic
    assert "skill alembic-upgrade" in commands["skills make"]
    skill = commands["skills show alembic-upgrade"]
    assert "5. Migrate the database: `alembic upgrade head`\n6. " in skill
    assert "**sqlite3.OperationalError: database is locked**: The running page" in skill
    assert "If it fails" not in skill
    assert "- Mara is allergic to hazelnuts" in commands["profile"]
    assert "migrate" not in commands["profile"]
    assert "Stop the page before the migration" in " ".join(commands["context"].split())


def _commands(printed: str) -> dict[str, str]:
    """What each command printed, by how it begins; a step's announcement stands behind it."""
