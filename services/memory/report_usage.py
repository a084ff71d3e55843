"""Adding to what models cost a namespace; takes no revision."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.memory.ports import Decision, Edits, Seen, Stamp, Wanted
from services.memory.usage import HourUsage, bounded


@dataclass(frozen=True, slots=True)
class ReportUsage:
    """The write behind `AdminService.ReportUsage`."""

    usages: Sequence[HourUsage]

    def wanted(self) -> Wanted:
        """Nothing: what is reported is added."""
        return Wanted()

    def decide(self, seen: Seen, stamp: Stamp) -> Decision[None]:
        """Add it; a store's sums stop at `TOTAL_MAX`, and nothing larger is added to them."""
        return Decision(None, Edits(usages=tuple(map(bounded, self.usages))))
