"""`python -m benchmarks.entities`: precision and recall of matching names, by class of pair."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from benchmarks.entities.names import FILE, Apart, compare
from benchmarks.entities.pairs import Figures, Judged, by_class, figures, judge, read

CROSS = "en-zh"


@click.command()
@click.option("--held", is_flag=True, help="The other half; for final figures only.")
@click.option("--show", is_flag=True, help="Print every pair with a wrong verdict.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures.")
def main(*, held: bool, show: bool, json_file: Path | None) -> None:
    """Match every labelled pair; then every two names of the texts of the shared data."""
    console = Console()
    judged = judge(read("held" if held else "dev"))
    console.print(_table(judged))
    for each in judged if show else ():
        if not each.right:
            _show(console, each)
    apart = compare()
    _report(console, apart)
    if json_file:
        json_file.write_text(json.dumps(_document(judged, apart), indent=2), encoding="utf-8")


def _parts(judged: Sequence[Judged]) -> dict[str, list[Judged]]:
    """Each class, and all but the pairs across languages, which are counted apart."""
    one_language = [each for each in judged if each.pair.language != CROSS]
    parts = by_class(judged)
    parts["across languages"] = [each for each in judged if each.pair.language == CROSS]
    for language in ("en", "zh"):
        parts[f"all {language}"] = [each for each in judged if each.pair.language == language]
    return {**parts, "all": one_language}


def _table(judged: Sequence[Judged]) -> Table:
    table = Table("class", "pairs", "merged wrongly", "missed", "precision", "recall")
    for name, part in _parts(judged).items():
        table.add_row(name, *_cells(figures(part)))
    return table


def _cells(found: Figures) -> tuple[str, ...]:
    counts = (str(found.pairs), str(found.merged_wrongly), str(found.missed))
    return (*counts, f"{found.precision:.3f}", f"{found.recall:.3f}")


def _show(console: Console, judged: Judged) -> None:
    pair = judged.pair
    said = "same" if judged.verdict.same else "different"
    console.print(
        f"{pair.id} {pair.label}: {pair.one.name!r}, {pair.other.name!r} ({pair.one.kind}): "
        f"{said}, {judged.verdict.reason}"
    )


def _report(console: Console, apart: Apart | None) -> None:
    if apart is None:
        console.print(f"names of texts: skipped, there is no {FILE.name} beside the checkout")
        return
    console.print(
        f"names of texts: {apart.names} names, {apart.compared} pairs within one text, "
        f"{len(apart.merged)} merged; {len(apart.merged_across)} merged across texts"
    )
    for merge in (*apart.merged, *apart.merged_across):
        console.print(f"  {merge.one!r}, {merge.other!r} ({merge.kind}): {merge.reason}")


def _document(judged: Sequence[Judged], apart: Apart | None) -> dict[str, object]:
    parts = {name: asdict(figures(part)) for name, part in _parts(judged).items()}
    return {"pairs": parts, "names": None if apart is None else asdict(apart)}


if __name__ == "__main__":
    main()
