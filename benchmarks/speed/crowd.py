"""Many clients at once, each with one call under way: nine searches, then a write."""

import asyncio
import time

from benchmarks.speed.calls import Agent
from benchmarks.speed.timing import Timed

WRITE_EVERY = 10


async def crowd(agent: Agent, clients: int, calls: int) -> tuple[Timed, float]:
    """Share so many calls out among clients of one namespace.

    Returns:
        What each call took, and the calls a second of all clients together.
    """
    numbers = iter(range(calls))
    taken_s: list[float] = []

    async def one() -> None:
        for number in numbers:
            begun_s = time.perf_counter()
            if number % WRITE_EVERY:
                await agent.ask_next()
            else:
                await agent.append_next()
            taken_s.append(time.perf_counter() - begun_s)

    begun_s = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(clients)))
    rate = calls / (time.perf_counter() - begun_s)
    return Timed(f"{clients} clients, 90 / 10", agent.stored, taken_s), rate
