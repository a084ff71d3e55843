"""Noting in the catalogue when a namespace is to sleep, so that nothing is opened to find out.

One note stands for a whole cycle, under the kind of its first phase. A namespace that is written to
or used is noted once an hour; one at rest is looked at once a day, since time alone makes memories
fade.
"""

from collections import OrderedDict
from dataclasses import dataclass

from anamnesis_libs.clock import Clock, micros
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.ports.catalogue import Catalogue

CYCLE = Work.REINFORCE
REMEMBERED_MAX = 100_000


@dataclass(frozen=True, slots=True)
class Hours:
    """The delays of a cycle of sleep: after a change, and after a cycle where nothing changes."""

    every_us: int
    idle_every_us: int


class DueNotes:
    """Notes that a namespace is to sleep; remembers which it has noted."""

    def __init__(self, catalogue: Catalogue, clock: Clock, hours: Hours) -> None:
        self._catalogue = catalogue
        self._clock = clock
        self._hours = hours
        self._until_us: OrderedDict[str, int] = OrderedDict()

    async def touched(self, namespace: Namespace) -> None:
        """Note, before a change, when the next cycle is due, unless that is noted."""
        now_us = micros(self._clock.now())
        if self._until_us.get(namespace.incarnation, 0) > now_us:
            return
        due_us = now_us + self._hours.every_us
        await self._catalogue.set_due(namespace.name, CYCLE, due_us)
        self._until_us[namespace.incarnation] = due_us
        while len(self._until_us) > REMEMBERED_MAX:
            self._until_us.popitem(last=False)
