"""A year in a process of its own, where other years cannot slow it down."""

import asyncio

from rich.console import Console

from anamnesis_libs import logs
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from benchmarks.life.checks import checked
from benchmarks.life.year import Year, lived


def lived_apart(policy: Forgetting, memories: int, days: int) -> Year:
    """Live through a year; how far it is goes to standard error."""
    logs.configure("warning", "console")
    told = Console(stderr=True).print
    return asyncio.run(lived(policy, memories, days, told, checked))
