"""Unrefined memories, words of a model and runs of refinement between the wire and the model."""

import json
from datetime import datetime

from anamnesis.cluster.v1 import cluster_service_pb2
from anamnesis.memory.v1 import memory_service_pb2, sleep_pb2
from anamnesis_cluster.convert.runs import from_ended
from anamnesis_cluster.refinement.cycle import Told
from anamnesis_cluster.refinement.model import Asked, Refined, Unrefined
from anamnesis_cluster.runs import Ended


def to_unrefined(found: memory_service_pb2.UnrefinedMemory) -> Unrefined:
    """A memory that a model can improve."""
    return Unrefined(
        memory_id=found.memory_id,
        etag=found.etag,
        owner=json.dumps(
            [found.user_id, *found.participants, found.agent_id, int(found.visibility)]
        ),
        speaker=found.speaker,
        text=found.text,
        importance=found.importance,
        levels=found.levels,
    )


def from_refined(refined: Refined) -> memory_service_pb2.NewRefinement:
    """The words of a model about a memory."""
    return memory_service_pb2.NewRefinement(
        memory_id=refined.memory.memory_id,
        etag=refined.memory.etag,
        importance=refined.importance,
        reason=refined.reason,
        summary=refined.summary,
        overview=refined.overview,
    )


def from_told(
    told: Told, start: datetime, end: datetime
) -> cluster_service_pb2.RefineMemoriesResponse:
    """A message of a run that began at a time, `end` being now."""
    match told:
        case Asked():
            progress = cluster_service_pb2.RefinementProgress(asked=told.memories)
            return cluster_service_pb2.RefineMemoriesResponse(progress=progress)
        case Ended():
            return cluster_service_pb2.RefineMemoriesResponse(
                run=from_ended(told, sleep_pb2.SLEEP_PHASE_REFINE, start, end)
            )
