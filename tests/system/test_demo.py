"""The first command of the README: it runs, and what it shows is so."""

import subprocess
import sys

import pytest

from tests.support.processes import REPOSITORY, environment

WRONG = ("uses Sunday", "Juno is", "closed on")


@pytest.mark.timeout(180)
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
    last_screen = done.stdout[done.stdout.index("demo facts") :]
    assert last_screen.count("Mara is allergic to hazelnuts") == 2
    assert "林悦对花生过敏" in last_screen
    assert not [wrong for wrong in WRONG if wrong in last_screen]
