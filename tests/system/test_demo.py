"""The first command of the README: it runs, and what it shows is so."""

import re
import subprocess
import sys

import pytest

from tests.support.processes import REPOSITORY, environment

LINES_MAX = 148
WRONG = ("uses Sunday", "Juno is", "REDACTED", "If it fails")


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
    assert not [wrong for wrong in WRONG if wrong in done.stdout]
    assert "allergic to hazelnuts" in _printed(done.stdout, "search 'what is Mara")
    assert "对花生过敏" in _printed(done.stdout, "search 林悦")
    topic = _printed(done.stdout, "clusters show")
    assert re.match(r"alembic, database, [a-z, ]+lessons: 6\n", topic)
    assert "database is locked" in topic
    assert "lp: Error" not in topic
    skill = _printed(done.stdout, "skills show alembic-upgrade")
    assert "5. Migrate the database: `alembic upgrade head`\n6. " in skill
    assert "## When it fails\n- **" in skill
    profile = _printed(done.stdout, "profile")
    assert "- Mara is allergic to hazelnuts" in profile
    assert "migrate" not in profile
    context = _printed(done.stdout, "context")
    assert "lesson: sqlite3.OperationalError: database is locked\n" in context
    assert "What helped: Stop the order page" in context


def _printed(shown: str, command: str) -> str:
    """What a command of the demo printed, up to the next command or step."""
    behind = shown.split(f"$ anamnesis -n demo {command}", 1)[1]
    return re.split(r"\n(?=\$ |\n)", behind.split("\n", 1)[1], maxsplit=1)[0]
