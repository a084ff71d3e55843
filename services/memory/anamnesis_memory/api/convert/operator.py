"""Answers to operators, for the wire."""

from collections.abc import Mapping

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1 import namespace_pb2
from anamnesis_memory.api.convert.enums import FINDING_KIND
from anamnesis_memory.api.convert.policy import from_policy
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.memories.policy import Policy
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.model.progress import Progress
from anamnesis_memory.operations.exporting import Chunk
from anamnesis_memory.operations.findings import Finding, Summary
from anamnesis_memory.operations.importing import Imported
from anamnesis_memory.operations.privatising import Privatised
from anamnesis_memory.ports.upkeep import RecordType
from anamnesis_memory.runtime.revisions import revision_token

NOBODYS_TOLD_MAX = 100


def from_namespace(
    namespace: Namespace, revision: int, policy: Policy | None = None
) -> namespace_pb2.Namespace:
    """A namespace, with its policy where that is known."""
    return namespace_pb2.Namespace(
        namespace=namespace.name,
        incarnation=namespace.incarnation,
        create_time=to_timestamp(namespace.create_time_us),
        revision=revision_token(namespace, revision),
        embedding_model=namespace.embedding_model,
        embedding_dimension=namespace.embedding_dimension,
        policy=None if policy is None else from_policy(policy),
    )


def from_told(
    told: Finding | Progress | Summary, namespace: Namespace
) -> pb.VerifyConsistencyResponse:
    """A message of a verification: a finding, its progress, or its summary."""
    match told:
        case Finding():
            return pb.VerifyConsistencyResponse(
                finding=pb.Finding(
                    kind=FINDING_KIND.to_pb(told.kind),
                    id=told.id,
                    description=told.description,
                    repaired=told.repaired,
                )
            )
        case Progress():
            return pb.VerifyConsistencyResponse(progress=from_progress(told))
        case Summary():
            return pb.VerifyConsistencyResponse(
                summary=pb.VerificationSummary(
                    revision=revision_token(namespace, told.revision),
                    records=_counts(told.records),
                    findings=told.findings,
                    repaired=told.repaired,
                    index_rebuilt=told.index_rebuilt,
                )
            )


def from_privatised(done: Privatised) -> pb.MadePrivate:
    """Counts of what was made private, with the ids that belong to nobody."""
    return pb.MadePrivate(
        sessions=done.sessions,
        memories=done.memories,
        nobodys=len(done.nobodys),
        nobodys_ids=done.nobodys[:NOBODYS_TOLD_MAX],
    )


def from_progress(progress: Progress) -> pb.WorkProgress:
    """The progress of a piece of work."""
    return pb.WorkProgress(stage=progress.stage, done=progress.done, total=progress.total)


def from_chunk(chunk: Chunk) -> pb.ExportNamespaceResponse:
    """The next bytes of an export."""
    return pb.ExportNamespaceResponse(
        chunk=chunk.content, records=chunk.records, records_total=chunk.records_total
    )


def from_imported(imported: Imported) -> pb.ImportNamespaceResponse:
    """The outcome of an import."""
    return pb.ImportNamespaceResponse(
        namespace=from_namespace(imported.namespace, imported.revision),
        records=_counts(imported.counts),
        pending_embeddings=imported.pending,
        replaced_embedding_model=imported.replaced_model,
    )


def _counts(counts: Mapping[RecordType, int]) -> dict[str, int]:
    return {kind.value: count for kind, count in counts.items()}
