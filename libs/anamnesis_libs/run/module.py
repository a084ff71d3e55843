"""Targets, and the contract of a service with the process that runs it.

`services/<name>/wiring.py` has `build(context: ServiceContext) -> ServiceModule`.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from grpc import aio

from anamnesis_libs.clock import Clock
from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.logs import Logger
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.tokens import TokenCounter

# Each target with those it needs; `all` is every target in this order.
TARGETS: dict[str, tuple[str, ...]] = {
    "memory": (),
    "ingestion": ("memory",),
    "cluster": ("memory",),
    "retrieval": ("memory",),
}
ALL = "all"
# Targets that keep data under `server.data_dir`, which no second process may use.
DATA_OWNERS = frozenset({"memory"})


@dataclass(frozen=True, slots=True)
class ServiceContext:
    """The objects that a process lends its services."""

    settings: Settings
    clock: Clock
    tokens: TokenCounter
    logger: Logger
    channels: Channels
    # Set when the process begins to stop: streams without an end of their own end then.
    stopping: asyncio.Event


class ServiceModule(Protocol):
    """A service as a process sees it."""

    @property
    def name(self) -> str:
        """The target: "memory", "ingestion", "cluster" or "retrieval"."""
        ...

    @property
    def service_names(self) -> Sequence[str]:
        """Full names of its gRPC services, for health and reflection."""
        ...

    @property
    def loops(self) -> Sequence[Loop]:
        """The background work of the service; it runs between `start` and `stop`."""
        ...

    def register(self, server: aio.Server) -> None:
        """Adds its servicers to a server; may be called for more than one."""
        ...

    async def start(self) -> None:
        """Opens what it needs; calls arrive only after it returns."""
        ...

    async def stop(self) -> None:
        """Flushes and closes; called when no call and no loop is left."""
        ...


def members(target: str) -> tuple[str, ...]:
    """The services a target runs, in the order they start."""
    if target == ALL:
        return tuple(TARGETS)
    if target not in TARGETS:
        known = ", ".join((ALL, *TARGETS))
        raise SetupInvalid(f"unknown target {target!r}; the targets are {known}")
    return (target,)
