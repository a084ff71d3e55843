"""`python -m benchmarks.life`: a year under each policy, as a table, JSON and pictures.

Ends with 1 where something forgotten is still there, or something protected is not.
"""

import json
import multiprocessing
import sys
from pathlib import Path

import click

from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from benchmarks.life import plot
from benchmarks.life.apart import lived_apart
from benchmarks.life.checks import faults
from benchmarks.life.report import print_years
from benchmarks.life.world import DAYS


@click.command()
@click.option("--memories", default=5000, show_default=True, help="Stored over the year.")
@click.option("--days", default=DAYS, show_default=True, help="Days; a year has 365.")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write figures there.")
@click.option(
    "--plots", type=click.Path(path_type=Path, file_okay=False), help="Write pictures there."
)
def main(memories: int, days: int, json_file: Path | None, plots: Path | None) -> None:
    """Live through a year twice, under KEEP and under ADAPTIVE, each in a process of its own."""
    jobs = [(policy, memories, days) for policy in Forgetting]
    with multiprocessing.get_context("spawn").Pool(len(jobs)) as pool:
        years = pool.starmap(lived_apart, jobs)
    print_years(years)
    if json_file is not None:
        document = [year.as_dict() for year in years]
        json_file.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    if plots is not None:
        plot.write(years, plots)
    wrong = {year.policy: faults(year.checks) for year in years if faults(year.checks)}
    if wrong:
        sys.exit(f"found in the wrong place: {wrong}")


if __name__ == "__main__":
    main()
