"""The costs that a fleet is added up from, as they were measured, in a file."""

from dataclasses import asdict, dataclass
from pathlib import Path

from pydantic import TypeAdapter

MEASURED = Path(__file__).with_name("costs.json")
"""The costs of the default run; docs/scaling.md says where and when it was made."""


@dataclass(frozen=True, slots=True)
class Costs:
    """The resources that a part takes, by target; processor time is of one core."""

    base_mib: dict[str, float]
    """Resident memory of a process that has done nothing yet."""
    idle_cores: dict[str, float]
    """Share of a core that it takes while nobody calls."""
    search_core_ms: dict[str, float]
    append_core_ms: dict[str, float]
    """Of one event, embedded and indexed; several to a call."""
    open_kib: float
    """Resident in memory for each namespace that is open, whatever is in it."""
    indexed_kib: float
    """Resident in memory for each memory of an open namespace: vector, postings, columns."""
    snapshot_kib: float
    """A memory in a snapshot of its index, on the disk of a replica."""
    neo4j_kib: float
    """A memory in the store of Neo4j, indices of Neo4j included, logs not."""
    neo4j_log_kib: float
    """A memory in Neo4j's transaction logs, which are pruned."""


def read(path: Path) -> Costs:
    """Costs out of a file that `write` wrote."""
    return TypeAdapter(Costs).validate_json(path.read_bytes())


def write(path: Path, costs: Costs) -> None:
    """Keep costs in a file."""
    path.write_bytes(TypeAdapter(dict[str, object]).dump_json(asdict(costs), indent=1) + b"\n")
