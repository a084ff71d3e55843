"""The first command of the README: it runs, and what it shows is so."""

import subprocess
import sys

import pytest

from tests.support.processes import REPOSITORY, environment

ROOMS = (
    "R-01  2026-03-02-order-page",
    "R-02  2026-03-14-a-visit",
    "R-03  2026-03-30-changes",
    "R-04  2026-04-13-flour-invoice",
)
WRONG = ("uses Sunday", "Juno is", "closed on")


@pytest.mark.long
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
    first_answer = done.stdout[done.stdout.index("what is Mara allergic to") :].split(
        "$ anamnesis"
    )[0]
    assert "hazelnuts" in first_answer[: first_answer.index("2.")]
    rooms = [done.stdout.index(room) for room in ROOMS]
    assert rooms == sorted(rooms)
    last_screen = done.stdout[done.stdout.index("demo facts") :]
    assert last_screen.count("Mara is allergic to hazelnuts") == 2
    assert "林悦对花生过敏" in last_screen
    assert not [line for line in last_screen.splitlines() if line[:1] != "$" and len(line) > 80]
    assert not [wrong for wrong in WRONG if wrong in last_screen]
