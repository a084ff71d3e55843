"""The whole attack against a suite of its own, and what it came to."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.hostile import calls, imports, tokens
from benchmarks.hostile.contracts import all_rpcs
from benchmarks.hostile.places import places
from benchmarks.hostile.wire import Tally, Wire
from benchmarks.installation import ALL, Backend, Process, installed

ATTACKERS = 3


@dataclass(frozen=True, slots=True)
class Attack:
    """The size of an attack; without `worked_on` imports are only read."""

    calls: int = 30_000
    imports: int = 700
    tokens: int = 1_000
    seed: int = 0
    worked_on: bool = True


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answers to an attack; resident memory of the suite before and after, in MiB."""

    tally: Tally
    paged_rpcs: int
    before_mib: int
    after_mib: int
    alive: bool
    places: Counter[str]

    @property
    def failed(self) -> bool:
        """True if there is any fault, or the suite has died."""
        return bool(self.tally.faults) or not self.alive


def run(attack: Attack, parts: Sequence[str] = ("calls", "imports", "tokens")) -> Outcome:
    """Start a suite on an empty store, attack it, end it."""
    with installed(Backend.EMBEDDED, ALL) as installation:
        process = installation.memory
        before_mib = _resident_mib(process)
        tally, paged = asyncio.run(attacked(process.address, attack, parts))
        alive = process.alive
        after_mib = _resident_mib(process) if alive else 0
        return Outcome(tally, paged, before_mib, after_mib, alive, places(process.log))


async def attacked(address: str, attack: Attack, parts: Sequence[str]) -> tuple[Tally, int]:
    """Attack the suite at an address; answers what came back and how many rpcs gave tokens."""
    wire, paged = Wire(address), 0
    target = calls.Target(wire, all_rpcs(), Tally())
    try:
        async with asyncio.TaskGroup() as group:
            if "calls" in parts:
                share = -(-attack.calls // ATTACKERS)
                for number in range(ATTACKERS):
                    group.create_task(calls.attack(target, share, attack.seed + 1000 * number))
            if "imports" in parts:
                group.create_task(_imports(target, attack))
            if "tokens" in parts:
                given = group.create_task(tokens.attack(target, attack.tokens, attack.seed))
        if "tokens" in parts:
            paged = given.result()
    finally:
        await wire.close()
    return target.tally, paged


async def _imports(target: calls.Target, attack: Attack) -> None:
    await imports.attack(target, attack.imports, attack.seed, worked_on=attack.worked_on)


def _resident_mib(process: Process) -> int:
    status = Path(f"/proc/{process.pid}/status").read_text()
    line = next(one for one in status.splitlines() if one.startswith("VmRSS:"))
    return int(line.split()[1]) // 1024
