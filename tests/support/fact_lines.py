"""Lines of facts in memory, as a store would keep them: what each decision writes is applied."""

from dataclasses import dataclass, field

from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.facts.transitions import LineEdits, retract, tell
from anamnesis_memory.domain.facts.versions import FactLine, FactVersion, Telling


@dataclass(slots=True)
class Lines:
    """All lines, and every version that was ever known."""

    predicates: SingleValued = field(default_factory=SingleValued)
    lines: dict[str, FactLine] = field(default_factory=dict)
    line_of: dict[str, str] = field(default_factory=dict)
    """The line of a telling."""
    versions: list[FactVersion] = field(default_factory=list)

    def tell(self, telling: Telling) -> LineEdits:
        """Keeps an assertion and what follows."""
        line_id = telling.statement.line_id
        self.line_of[telling.telling_id] = line_id
        return self._keep(line_id, tell(self._line(line_id), telling, self.predicates))

    def retract(self, telling_id: str, recorded_us: int) -> LineEdits:
        """Takes an assertion back."""
        line_id = self.line_of[telling_id]
        outcome = retract(self._line(line_id), {telling_id}, recorded_us, self.predicates)
        return self._keep(line_id, outcome)

    def _line(self, line_id: str) -> FactLine:
        return self.lines.get(line_id, FactLine())

    def _keep(self, line_id: str, outcome: LineEdits) -> LineEdits:
        self.lines[line_id] = outcome.line
        for change in outcome.changes:
            if change.before is not None:
                self._end(change.before)
            if change.after is not None and change.after not in self.versions:
                self.versions.append(change.after)
        return outcome

    def _end(self, ended: FactVersion) -> None:
        places = [
            place
            for place, version in enumerate(self.versions)
            if version.state.fact_id == ended.state.fact_id and version.known_to_us is None
        ]
        (place,) = places
        if ended.void:
            del self.versions[place]
        else:
            self.versions[place] = ended
