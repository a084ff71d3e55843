"""What pages promise to list: every page, every command, every rpc."""

import re
from pathlib import Path

from libs.cli.main import anamnesis
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


@over(sorted(anamnesis.commands), str)
def test_a_command_is_in_the_table(command: str) -> None:
    assert re.search(rf"^\|.*`anamnesis {command}\b", _read("README.md"), re.MULTILINE)


@over(RPCS, ".".join)
def test_an_rpc_is_in_the_row_of_its_service(rpc: tuple[str, str]) -> None:
    service, name = rpc
    (row,) = re.findall(
        rf"^\| `anamnesis\.\w+\.v1\.{service}` .*$", _read("docs/grpc.md"), re.MULTILINE
    )
    assert f"`{name}`" in row
