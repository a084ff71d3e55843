"""What pages promise to list: every page, every command, every rpc."""

import itertools
import re
import shlex
from pathlib import Path

from click.testing import CliRunner

from anamnesis_cli.main import COMMANDS, anamnesis
from tests.support.each_row import over

ROOT = Path(__file__).parent.parent
PAGES = sorted(file for file in (ROOT / "docs").glob("*.md") if file.name != "index.md")
RPCS = [
    (service.group(1), rpc)
    for file in sorted((ROOT / "protos" / "anamnesis").rglob("*_service.proto"))
    if (text := file.read_text(encoding="utf-8"))
    if (service := re.search(r"^service (\w+)", text, re.MULTILINE))
    for rpc in re.findall(r"^  rpc (\w+)\(", text, re.MULTILINE)
]


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


@over(PAGES, str)
def test_a_page_is_linked(page: Path) -> None:
    assert f"({page.name})" in _read("docs/index.md")
    assert f"(docs/{page.name})" in _read("README.md")


@over(sorted(COMMANDS), str)
def test_a_command_is_in_the_table(command: str) -> None:
    assert re.search(rf"^\|.*`anamnesis {command}\b", _read("README.md"), re.MULTILINE)


@over(RPCS, ".".join)
def test_an_rpc_is_in_the_row_of_its_service(rpc: tuple[str, str]) -> None:
    service, name = rpc
    (row,) = re.findall(
        rf"^\| `anamnesis\.\w+\.v1\.{service}` .*$", _read("docs/grpc.md"), re.MULTILINE
    )
    assert f"`{name}`" in row


_CALL = re.compile(r"^(?:\$ )?(?:\.venv/bin/)?anamnesis (?!is ready)(.*)$", re.MULTILINE)


def _commands() -> list[tuple[str, str]]:
    """Each call of `anamnesis` in a block of a page, with the page."""
    found: dict[tuple[str, str], None] = {}
    for page in (ROOT / "README.md", *PAGES):
        for block in re.findall(r"(?ms)^```\w*\n(.*?)^```", page.read_text("utf-8")):
            for line in re.findall(_CALL, block.replace("\\\n", " ")):
                found[page.name, line] = None
    return list(found)


@over(_commands(), ": ".join)
def test_a_command_of_a_page_has_only_options_that_are_there(told: tuple[str, str]) -> None:
    reader = shlex.shlex(told[1], posix=True, punctuation_chars="|&>;")
    reader.whitespace_split = True
    words = itertools.takewhile(lambda word: word[:1] not in tuple("|&>;"), reader)
    answer = CliRunner().invoke(anamnesis, [*words, "--help"])
    assert answer.exit_code == 0, answer.output
