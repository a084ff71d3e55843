"""Adding to what models cost a namespace; takes no revision."""

from collections.abc import Sequence
from dataclasses import dataclass

from anamnesis_memory.model.usage import HourUsage, bounded
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet


@dataclass(frozen=True, slots=True)
class ReportUsage:
    """The write behind `AdminService.ReportUsage`."""

    usages: Sequence[HourUsage]

    def wanted(self) -> ReadSet:
        """Nothing: what is reported is added."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """Add the usages, with no number above `TOTAL_MAX`, at which a store's sums stop."""
        return Decision(None, WriteSet(usages=tuple(map(bounded, self.usages))))
