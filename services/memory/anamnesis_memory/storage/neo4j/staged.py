"""Vectors of another model in Neo4j: kept beside those in use, then put in their place."""

from collections.abc import Sequence

from anamnesis_libs.errors import Conflict
from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.ports.upkeep import Binding
from anamnesis_memory.storage import rows
from anamnesis_memory.storage.neo4j.rows import node
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction
from anamnesis_memory.storage.neo4j.topics import recompute_topics


def binding_of(clock: Row, place: str) -> Binding | None:
    """The model that a clock names as `bound`, or as `staged`."""
    told = node(clock)
    if told[f"{place}_model"] is None:
        return None
    return Binding(rows.text(told[f"{place}_model"]), rows.number(told[f"{place}_dimension"]))


async def stage(tx: ScopedTransaction, binding: Binding, staged: Sequence[Row]) -> None:
    """Keep vectors of a model; those of another one go."""
    await _stage_only(tx, binding)
    await tx.put("put_staged", staged)


async def switch(tx: ScopedTransaction, binding: Binding, revision: int) -> None:
    """Put what is staged in place of all in use.

    Raises:
        Conflict: a memory that has vectors in use has none staged.
    """
    await _stage_only(tx, binding)
    (told,) = await tx.run("count_left_behind")
    if left := rows.number(node(told)["count"]):
        raise Conflict(
            f"{left} memories have no vector of {binding.model!r} yet",
            metadata={"resource": "embeddings"},
        )
    for statement in (
        *("use_staged", "clear_embedded_pending", "put_missing_pending"),
        "clear_copied_vectors",
    ):
        await tx.run(statement)
    await tx.run("bind", model=binding.model, dimension=binding.dimension)
    found = await tx.run("all_topics")
    topic_ids = [rows.text(node(row)["topic_id"]) for row in found]
    await recompute_topics(tx, topic_ids, revision, binding.dimension)


async def _stage_only(tx: ScopedTransaction, binding: Binding) -> None:
    """Let go of what is staged for another model."""
    (clock,) = await tx.run("get_clock")
    if binding_of(clock, "staged") != binding:
        await tx.run("clear_staged")
        await tx.run("bind_staged", model=binding.model, dimension=binding.dimension)
