"""`python -m benchmarks.namespaces`: fills many namespaces, opens each in turn, prints both."""

import asyncio
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import click
from rich.console import Console
from rich.table import Table

from anamnesis_libs import logs
from benchmarks.namespaces.service import MIB, Held, Service, running

MEMORIES = 20
FILLED_AT_ONCE = 8
STEPS = 10
SUBJECTS = ("the garden", "a flight to Rome", "green tea", "the piano", "my sister's painting")
VERBS = ("talked about", "planned", "forgot", "paid for")


@dataclass(frozen=True, slots=True)
class Step:
    """Figures of a share of the namespaces; latencies in milliseconds, the most that was held."""

    phase: str
    namespaces: int
    most: Held
    cold_ms: Sequence[float] = ()
    warm_ms: Sequence[float] = ()


@click.command()
@click.option("--count", default=2000, show_default=True, help="Namespaces.")
@click.option("--open-max", default=256, show_default=True, help="storage.namespaces_open_max")
@click.option("--memory-mib", default=2048, show_default=True, help="index.memory_bytes_max")
def main(count: int, open_max: int, memory_mib: int) -> None:
    """Fill namespaces of 20 memories, then search each twice: closed at first, open then.

    Ends with 1 where more stays open, or taken by what is open, than the settings allow.
    """
    logs.configure("warning", "console")
    begun, steps, bounded = asyncio.run(_run(count, open_max, memory_mib))
    _print(begun, steps, f"open at most {open_max}, {memory_mib} MiB")
    if not bounded:
        sys.exit("a bound was exceeded")


async def _run(count: int, open_max: int, memory_mib: int) -> tuple[Held, list[Step], bool]:
    size = max(count // STEPS, 1)
    names = [f"team-{number:05d}" for number in range(count)]
    shares = [names[start : start + size] for start in range(0, count, size)]
    async with running(open_max, memory_mib * MIB) as service:
        begun, steps, bounded = service.held(), [], True
        for pass_over in (_fill, _visit):
            for share in shares:
                steps.append(await pass_over(service, share))
                bounded &= await service.resting(open_max, memory_mib)
        return begun, steps, bounded


async def _fill(service: Service, names: Sequence[str]) -> Step:
    held = []
    for start in range(0, len(names), FILLED_AT_ONCE):
        group = names[start : start + FILLED_AT_ONCE]
        await asyncio.gather(*(service.fill(name, _texts(name)) for name in group))
        held.append(service.held())
    return Step("fill", len(names), _most(held))


async def _visit(service: Service, names: Sequence[str]) -> Step:
    cold_ms, warm_ms, held = [], [], []
    for name in names:
        cold_ms.append(await service.search(name, "who paid for the piano?"))
        warm_ms.append(await service.search(name, "who forgot the green tea?"))
        held.append(service.held())
    return Step("visit", len(names), _most(held), cold_ms, warm_ms)


def _texts(name: str) -> list[str]:
    return [
        f"In {name} we {VERBS[turn % 4]} {SUBJECTS[turn % 5]} on day {turn}."
        for turn in range(MEMORIES)
    ]


def _most(held: Sequence[Held]) -> Held:
    return Held(
        open=max(each.open for each in held),
        accounted_mib=max(each.accounted_mib for each in held),
        rss_mib=max(each.rss_mib for each in held),
        files=max(each.files for each in held),
    )


def _print(begun: Held, steps: Sequence[Step], bounds: str) -> None:
    table = Table(title=f"Namespaces of {MEMORIES} memories; {bounds}; most at any time")
    for heading in ("", "namespaces", "open", "accounted MiB", "RSS MiB", "files"):
        table.add_column(heading, justify="right")
    for heading in ("cold p50 ms", "p95", "warm p50 ms", "p95"):
        table.add_column(heading, justify="right")
    done = dict.fromkeys((each.phase for each in steps), 0)
    table.add_row("begin", "0", *_held(begun))
    for each in steps:
        done[each.phase] += each.namespaces
        table.add_row(each.phase, str(done[each.phase]), *_held(each.most), *_spread(each))
    Console(width=120).print(table)


def _held(held: Held) -> tuple[str, ...]:
    return (
        str(held.open),
        f"{held.accounted_mib:,.0f}",
        f"{held.rss_mib:,.0f}",
        str(held.files),
    )


def _spread(step: Step) -> list[str]:
    told = []
    for measured in (step.cold_ms, step.warm_ms):
        if measured:
            parts = statistics.quantiles(measured, n=20)
            told += [f"{parts[9]:.1f}", f"{parts[18]:.1f}"]
    return told


if __name__ == "__main__":
    main()
