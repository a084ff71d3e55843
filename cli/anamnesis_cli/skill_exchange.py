"""Skills between memory and folders: which there are, what they rest on, and their files."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import grpc

from anamnesis.cluster.v1.projection_service_pb2 import ListSkillsRequest
from anamnesis.cluster.v1.projection_service_pb2_grpc import ProjectionServiceStub
from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.memory_pb2 import (
    MEMORY_KIND_PROCEDURAL,
    PROCEDURE_STATUS_ACTIVE,
    PROCEDURE_STATUS_DRAFT,
    PROCEDURE_STATUS_UNSPECIFIED,
    Memory,
    Procedure,
    ProcedureStatus,
    ProcedureStep,
)
from anamnesis.memory.v1.memory_service_pb2 import (
    CreateMemoryRequest,
    DeleteMemoryRequest,
    NewMemory,
)
from anamnesis.memory.v1.memory_service_pb2_grpc import MemoryServiceStub
from anamnesis_cli.call import error_of
from anamnesis_cli.failures import WrongUsage
from anamnesis_cli.memories import read_memories
from anamnesis_cli.output import console, note, one_line
from anamnesis_cli.skill_folder import FILE, Ground, SkillFile
from anamnesis_cli.target import Target
from anamnesis_libs.errors.not_found import NamespaceNotFound

SKILL_TAG = "skill"
PAGE_SIZE = 500
_STEPS_MAX = 100


def listed_skills(
    channel: grpc.Channel,
    target: Target,
    caller: Caller,
    status: ProcedureStatus.ValueType = PROCEDURE_STATUS_UNSPECIFIED,
) -> Iterator[Memory]:
    """Skills in full; without a status those that were proposed or are in use."""
    stub = ProjectionServiceStub(channel)
    request = ListSkillsRequest(
        namespace=target.working_namespace, caller=caller, status=status, page_size=PAGE_SIZE
    )
    while True:
        page = stub.ListSkills(request, timeout=target.timeout_s)
        yield from page.skills
        request.page_token = page.next_page_token
        if not page.next_page_token:
            return


def skills_there(channel: grpc.Channel, target: Target, caller: Caller) -> list[Memory]:
    """Skills that were proposed or are in use; none where there is no such namespace yet."""
    try:
        return [*listed_skills(channel, target, caller)]
    except grpc.RpcError as failed:
        if isinstance(error_of(failed, target.server), NamespaceNotFound):
            return []
        raise


def sources_of(
    channel: grpc.Channel, target: Target, caller: Caller, skill: Memory
) -> Sequence[Ground]:
    """The memories that a skill rests on, each with the places of its drawers."""
    found = read_memories(channel, target, caller, skill.procedure.source_memory_ids)
    ids = [one for memory in found.values() for one in memory.lesson.evidence_memory_ids]
    drawers = read_memories(channel, target, caller, ids)
    return [
        Ground(
            memory.memory_id,
            memory.summary or memory.content,
            tuple(
                drawers[one].pointer or one
                for one in memory.lesson.evidence_memory_ids
                if one in drawers
            ),
        )
        for memory in found.values()
    ]


def write_folder(folder: Path, skill: Memory, files: Mapping[Path, str]) -> None:
    """Write a skill's folder, unless another skill is in it."""
    there = folder / FILE
    before = there.read_text("utf-8") if there.exists() else ""
    if before and skill.memory_id not in before and before != files[Path(FILE)]:
        note(f"{folder}: holds another skill; left alone")
        return
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    console().print(one_line(str(there)), soft_wrap=True)


def make_way(
    channel: grpc.Channel, target: Target, caller: Caller, known: Memory, *, replace: bool
) -> None:
    """Delete a skill that is to be replaced.

    Raises:
        WrongUsage: it is not.
    """
    if not replace:
        raise WrongUsage(
            f"there is a skill {known.procedure.name} that says something else",
            "--replace deletes it first",
        )
    request = DeleteMemoryRequest(
        namespace=target.working_namespace, memory_id=known.memory_id, caller=caller
    )
    MemoryServiceStub(channel).DeleteMemory(request, timeout=target.timeout_s)


def keep_skill(
    channel: grpc.Channel, target: Target, skill: SkillFile, *, proposed: bool, user_id: str
) -> Memory:
    """Store a skill that was read, for one user where one is named."""
    part = Procedure(
        name=skill.name,
        goal=skill.description,
        steps=[ProcedureStep(spec=line) for line in skill.steps[:_STEPS_MAX]],
        status=PROCEDURE_STATUS_DRAFT if proposed else PROCEDURE_STATUS_ACTIVE,
    )
    new = NewMemory(
        kind=MEMORY_KIND_PROCEDURAL,
        content=skill.text,
        procedure=part,
        tags=[SKILL_TAG],
        user_id=user_id,
    )
    request = CreateMemoryRequest(namespace=target.working_namespace, memory=new)
    return MemoryServiceStub(channel).CreateMemory(request, timeout=target.timeout_s).memory
