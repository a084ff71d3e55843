"""`python -m benchmarks.users`: asks for one user among a thousand, and for the same one alone."""

import asyncio
import random
import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from anamnesis_libs import logs
from benchmarks.namespaces.service import MIB, Service, running

CROWDED, ALONE = "crowded", "alone"
ASKED_USERS = 5
RATIO_MAX = 1.5
PEOPLE = ("Nadia", "Omar", "Lin", "Petra", "Tomas", "Ines", "Kofi", "Mei")
VERBS = ("moved", "sold", "painted", "lost", "fixed", "borrowed", "cooked", "planned")
THINGS = ("the boat", "a piano", "green tea", "the garden", "old maps", "a violin", "the roof")
PLACES = ("in Porto", "near Delft", "at work", "in Hangzhou", "on the island", "by the lake")
QUESTIONS = tuple(f"who {verb} {thing}?" for verb in VERBS for thing in THINGS)


@dataclass(frozen=True, slots=True)
class Measured:
    """Latencies in milliseconds: of searches, and of the first one after a write of the user."""

    search_ms: list[float]
    first_ms: list[float]


@click.command()
@click.option("--users", default=1000, show_default=True, help="Users of the crowded namespace.")
@click.option("--memories", default=200, show_default=True, help="Memories of each user.")
@click.option("--rounds", default=40, show_default=True, help="Writes, each with five questions.")
@click.option("--seed", default=0, show_default=True, help="Of what is said and asked.")
def main(users: int, memories: int, rounds: int, seed: int) -> None:
    """Fill one namespace with many users and one with a few of them each alone; ask both by turns.

    Ends with 1 where the median search among all takes more than 1.5 times that alone.
    """
    logs.configure("warning", "console")
    among, alone, held = asyncio.run(_run(users, memories, rounds, seed))
    ratio = statistics.median(among.search_ms) / statistics.median(alone.search_ms)
    _print(among, alone, held, f"{users:,} users of {memories} memories; median ratio {ratio:.2f}")
    if ratio > RATIO_MAX:
        sys.exit(f"a search among all takes {ratio:.2f} times that alone")


async def _run(
    users: int, memories: int, rounds: int, seed: int
) -> tuple[Measured, Measured, Sequence[float]]:
    rng = random.Random(seed)
    names = [f"user-{number}" for number in range(users)]
    asked = rng.sample(names, min(ASKED_USERS, users))
    async with running(open_max=256, memory_bytes_max=4096 * MIB) as service:
        held = [service.held().rss_mib]
        for user in track(names, "filling", console=Console(stderr=True), transient=True):
            texts = [_text(rng) for _ in range(memories)]
            await service.fill(CROWDED, texts, user)
            if user in asked:
                await service.fill(f"{ALONE}-{user}", texts, user)
        held.append(service.held().rss_mib)
        among, alone = Measured([], []), Measured([], [])
        for number in range(rounds):
            user = asked[number % len(asked)]
            text, questions = _text(rng), rng.sample(QUESTIONS, 5)
            pairs = [(CROWDED, among), (f"{ALONE}-{user}", alone)]
            rng.shuffle(pairs)
            for namespace, measured in pairs:
                await _ask(service, namespace, user, (number, text), questions, measured)
        return among, alone, held


async def _ask(
    service: Service,
    namespace: str,
    user: str,
    write: tuple[int, str],
    questions: Sequence[str],
    measured: Measured,
) -> None:
    """Write once, ask until it is found, then ask some more."""
    number, text = write
    measured.first_ms.append(await service.fill(namespace, [text], user, f"more-{number}"))
    for question in questions:
        measured.search_ms.append(await service.search(namespace, question, user_id=user))


def _text(rng: random.Random) -> str:
    parts = (rng.choice(PEOPLE), rng.choice(VERBS), rng.choice(THINGS), rng.choice(PLACES))
    return f"{' '.join(parts)} on day {rng.randrange(3000)}."


def _print(among: Measured, alone: Measured, held: Sequence[float], title: str) -> None:
    table = Table(title=title)
    for heading in ("", "search p50 ms", "p95", "first after a write p50 ms", "p95"):
        table.add_column(heading, justify="right")
    for name, measured in (("one among all", among), ("the same alone", alone)):
        table.add_row(name, *_spread(measured.search_ms), *_spread(measured.first_ms))
    console = Console(width=110)
    console.print(table)
    console.print(f"RSS of server and client: {held[0]:,.0f} MiB empty, {held[-1]:,.0f} MiB filled")


def _spread(measured: Sequence[float]) -> tuple[str, str]:
    parts = statistics.quantiles(measured, n=20)
    return f"{parts[9]:.1f}", f"{parts[18]:.1f}"


if __name__ == "__main__":
    main()
