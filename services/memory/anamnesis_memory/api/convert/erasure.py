"""Receipts of erasures and what is left of texts, for the wire."""

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1 import erasure_pb2
from anamnesis_memory.erasure.canaries import CanaryTraces
from anamnesis_memory.erasure.receipt import Receipt
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports.life import ErasureSubject
from anamnesis_memory.runtime.revisions import revision_token


def to_subject(request: pb.DeleteSubjectRequest) -> ErasureSubject:
    """The subject whose traces an erasure removes."""
    return ErasureSubject(request.agent_id, request.user_id, request.session_id)


def from_receipt(receipt: Receipt, namespace: Namespace) -> erasure_pb2.ErasureReceipt:
    """The receipt of an erasure, for the wire."""
    return erasure_pb2.ErasureReceipt(
        records=receipt.records,
        derived_memories=len(receipt.derived),
        kept_for_review=len(receipt.kept),
        index_entries=receipt.index_entries,
        files=receipt.files,
        revision=revision_token(namespace, receipt.revision),
    )


def from_found(found: CanaryTraces) -> pb.VerifyErasureResponse:
    """The places where canaries were found."""
    return pb.VerifyErasureResponse(
        places=[
            erasure_pb2.CanaryPlace(
                store=one.store,
                place=one.place,
                canary=one.canary,
                occurrences=one.occurrences,
            )
            for one in found.places
        ],
        looked_through=found.looked_through,
    )
