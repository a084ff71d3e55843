"""Draws what a terminal of 80 columns shows as docs/pictures/*.svg, out of the commands themselves.

Run by `make pictures`. Each picture is real output, with its colours; the data is that of the demo
and twenty files made of it, in a directory that is gone afterwards.
"""

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.text import Text

from tools.demo import ANAMNESIS, ROOT, USER, serving
from tools.source_path import source_path

COLUMNS = 80
DEMO_PART = ("5. Five lessons", "$ anamnesis -n demo context")
"""The part of the demo that is drawn: a skill and a profile; how it begins, and what follows it."""
PICTURES = ROOT / "docs" / "pictures"
COMMANDS = {
    "ingest": "-n files ingest twenty --agent juno",
    "search": '-n demo search "database is locked" --limit 3',
    "learn": "-n demo learn",
    "facts": "-n demo facts",
    "activity": "-n demo activity",
}


def main() -> None:
    """Draws all of them."""
    with tempfile.TemporaryDirectory(prefix="anamnesis-pictures-") as name:
        directory = Path(name)
        _twenty_files(directory / "twenty")
        with serving(directory) as server:
            taken = "-n demo ingest examples/conversations --agent juno"
            revision = re.findall(
                r"revision ([0-9a-f]+-[0-9a-f]+)", _printed(directory, server, taken)
            )[-1]
            _printed(directory, server, f"-n demo search hello --at-least-revision {revision}")
            for picture, command in COMMANDS.items():
                _draw(picture, command, _printed(directory, server, command))
    demo = subprocess.run(  # our own command
        [sys.executable, "tools/demo.py"],
        cwd=ROOT,
        env=_terminal(),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    begin, end = map(demo.stdout.index, DEMO_PART)
    _draw("demo", "", demo.stdout[begin:end])


def _twenty_files(directory: Path) -> None:
    directory.mkdir()
    shutil.copytree(ROOT / "examples", directory.parent / "examples")
    sources = sorted((ROOT / "examples" / "conversations").glob("*.jsonl"))
    for number in range(20):
        source = sources[number % len(sources)]
        shutil.copy(source, directory / f"{number + 1:02}-{source.stem[11:]}.jsonl")


def _printed(directory: Path, server: str, command: str) -> str:
    """The output of a command, as a terminal gets it."""
    return subprocess.run(  # noqa: S603  # our own command
        [*ANAMNESIS, "--server", server, *shlex.split(command)],
        cwd=directory,
        env=_terminal(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=True,
    ).stdout.replace(f" --server {server}", "")


def _terminal() -> dict[str, str]:
    return {
        **os.environ,
        "ANAMNESIS_USER": USER,
        "COLUMNS": str(COLUMNS),
        "PYTHONPATH": source_path(),
        "FORCE_COLOR": "1",
        "TTY_INTERACTIVE": "0",
        "TERM": "xterm-256color",
    }


def _draw(picture: str, command: str, printed: str) -> None:
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), highlight=False)
    if command:
        console.print(f"$ anamnesis {command}", markup=False)
    console.print(Text.from_ansi(printed.rstrip()))
    drawn = console.export_svg(title="anamnesis", unique_id=picture)
    drawn = re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL)
    (PICTURES / f"terminal-{picture}.svg").write_text(drawn, encoding="utf-8")


if __name__ == "__main__":
    main()
