"""A year in a process of its own, where other years cannot slow it down."""

import asyncio

from rich.console import Console

from benchmarks.life.checks import checked
from benchmarks.life.year import Year, lived
from libs import logs
from services.memory.life.forgetting import Forgetting


def lived_apart(policy: Forgetting, memories: int, days: int) -> Year:
    """Live through a year; how far it is goes to standard error."""
    logs.configure("warning", "console")
    told = Console(stderr=True).print
    return asyncio.run(lived(policy, memories, days, told, checked))
