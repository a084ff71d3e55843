"""The console blocks of README.md and docs/: every command runs, and prints what the page shows.

Each page has a suite of its own, a home directory and a terminal of 80 columns, or what is printed
into a pipe. What a page takes
for granted stands in tests/data/pages, in blocks like its own, which run before it.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.page_samples import Shell, open_shell, prepared, steps_of
from tests.support.processes import REPOSITORY, environment, start

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]
LEFT_OUT: Mapping[tuple[str, str], str] = {
    (
        "graph.md",
        "anamnesis -n demo graph",
    ): "a world larger than the page tells, as in its picture",
    ("grpc.md", 'grpcurl -plaintext -d \'{"namespace": "team-a"'): "a watch has no end, and work "
    "is dead after minutes of failed tries",
    ("whose-memory.md", "anamnesis policy -n old --private"): "a namespace of an earlier version",
}
"""Commands that are not run here: of which page, how they begin, and why."""
WIDE = ("README.md", "facts.md", "palace.md")
"""Pages that show what a pipe gets: rows that are wider than a terminal of 80 columns."""
PAGES = [
    page
    for page in (REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md")))
    if any(steps_of(page.read_text("utf-8")))
]


@pytest.fixture
def shell(tmp_path: Path, page: Path) -> Iterator[Shell]:
    """A shell beside a running suite, in a directory with the examples."""
    programs = tmp_path / "bin"
    programs.mkdir()
    work = tmp_path / "work"
    work.mkdir()
    shutil.copytree(REPOSITORY / "examples", work / "examples")
    process = start(tmp_path / "data")
    client = programs / "anamnesis"
    client.write_text(
        "#!/bin/bash\n"
        f'[ "$1" = serve ] || set -- --server {process.address} "$@"\n'
        f'exec {sys.executable} -m anamnesis_cli.main "$@"\n'
    )
    client.chmod(0o755)
    path = f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    columns = "120" if page.name in WIDE else "80"
    own = environment({"PATH": path, "HOME": str(tmp_path), "COLUMNS": columns})
    opened = open_shell(work, own, process.address)
    yield opened
    opened.process.kill()
    opened.process.wait()
    assert process.stop() == 0, "".join(process.output)


@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=() if page.name == "README.md" else pytest.mark.long, id=page.name)
        for page in PAGES
    ],
)
def test_a_page_shows_what_its_commands_print(page: Path, shell: Shell) -> None:
    before = REPOSITORY / "tests" / "data" / "pages" / page.name
    steps = prepared(page.read_text("utf-8"), before.read_text("utf-8") if before.exists() else "")
    wrong = [shell.run(step) for step in steps if not _left_out(page.name, step.command)]
    assert not any(wrong), "\n\n".join(filter(None, wrong))


def _left_out(page: str, command: str) -> bool:
    return any(name == page and command.startswith(begin) for name, begin in LEFT_OUT)
