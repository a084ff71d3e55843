"""Every error the suite raises on purpose. Nothing in here knows a status code or a wire.

AnamnesisError
├── InvalidArgument             the request is wrong, and will be wrong again
│   ├── SetupInvalid            a setting or the place of start is wrong; raised before serving
│   ├── PromptTooLong           beyond a chat model's input budget: split it
│   └── RedactionBlocked        the namespace's policy refuses a text with a secret in it
├── NotFound
│   ├── NamespaceNotFound
│   ├── MemoryNotFound
│   ├── SessionNotFound
│   ├── SegmentNotFound
│   ├── ClusterNotFound, MemoryInNoCluster
│   ├── UploadNotFound
│   ├── CopyNotFound
│   ├── ItemNotFound
│   ├── EntityNotFound, EntityNameNotFound
│   ├── EdgeNotFound
│   └── WingNotFound, PointerNotFound
├── AlreadyExists
│   └── NamespaceExists
├── FailedPrecondition          right request, wrong state; something else must happen first
│   ├── EmbeddingModelMismatch
│   ├── LedgerExpired           what stood there is gone, and was something else
│   ├── EntityNotMerged
│   ├── MemoryNotAssignable     it cannot go into that cluster
│   ├── RevisionOfAnotherIncarnation
│   ├── SchemaNewer             a newer version has written what this one cannot read
│   ├── ModelRefused            the chat model declined, and would again
│   └── AnswerMalformed         the chat model's answer cannot be used
├── Conflict                    somebody else changed it in between: read again, retry
│   └── LeaseLost               somebody else has the work by now: drop the result
├── OutOfRange
│   ├── RevisionInFuture
│   └── CursorExpired
├── Later                       it passes: says how long to wait
│   ├── ResourceExhausted       a queue or budget is full
│   │   ├── TooLarge
│   │   ├── QuotaExceeded       a key or token has called too much
│   │   ├── ZoneFull            a zone of working memory that evicts nothing has no room
│   │   └── BudgetExhausted     a namespace's model budget of the hour is used up
│   └── Unavailable             something we need does not answer
│       ├── ModelUnavailable
│       ├── PeerUnavailable
│       └── StoreUnavailable
│           └── StoreFull       the disk has no room: reads and deletions go on
├── StoreDamaged                what a namespace's file holds cannot be read any more
├── Unauthenticated
├── PermissionDenied            it is somebody else's
│   ├── KeyNotEntitled          the key that was sent may not do this
│   └── SeedingNotAllowed       the policy of the source does not name the namespace
├── DeadlineExceeded
├── Unimplemented
└── Internal                    a fault of ours; the incident id leads to the log

`reason` is the name of a value of `anamnesis.common.v1.ErrorReason`, without its prefix.
"""

from collections.abc import Sequence

from anamnesis_libs.errors.exhausted import BudgetExhausted as BudgetExhausted
from anamnesis_libs.errors.exhausted import Later
from anamnesis_libs.errors.exhausted import QuotaExceeded as QuotaExceeded
from anamnesis_libs.errors.exhausted import ResourceExhausted as ResourceExhausted
from anamnesis_libs.errors.exhausted import TooLarge as TooLarge
from anamnesis_libs.errors.exhausted import ZoneFull as ZoneFull
from anamnesis_libs.errors.root import AnamnesisError as AnamnesisError
from anamnesis_libs.errors.root import FieldViolation as FieldViolation
from anamnesis_libs.errors.root import InvalidArgument as InvalidArgument
from anamnesis_libs.errors.root import invalid_field as invalid_field
from anamnesis_libs.models.chat import Spending


class SetupInvalid(InvalidArgument):
    """The suite cannot start like this; the message says what to change. Never sent."""


class PromptTooLong(Spending, InvalidArgument):
    """A prompt beyond the model's input budget; nothing was sent."""

    reason = "PROMPT_TOO_LONG"

    def __init__(self, message: str, tokens_max: int) -> None:
        super().__init__(message, metadata={"tokens_max": str(tokens_max)})


class RedactionBlocked(InvalidArgument):
    """A text holds what the namespace's policy refuses; says of which kinds, never what."""

    reason = "CONTENT_BLOCKED"

    def __init__(self, kinds: Sequence[str]) -> None:
        super().__init__(
            f"the namespace's policy refuses text with {', '.join(kinds)}; take it out",
            metadata={"kinds": ",".join(kinds)},
        )


class NotFound(AnamnesisError):
    """The requested item does not exist."""


class AlreadyExists(AnamnesisError):
    """The item to be created exists already."""


class NamespaceExists(AlreadyExists):
    """A namespace of this name is there already."""

    reason = "NAMESPACE_EXISTS"

    def __init__(self, namespace: str) -> None:
        message = f"namespace {namespace!r} exists already"
        super().__init__(message, metadata={"namespace": namespace})


class FailedPrecondition(AnamnesisError):
    """The request is right, the state is not; the message says what must happen first."""


class EmbeddingModelMismatch(FailedPrecondition):
    """The namespace's vectors are of another model than the configured one."""

    reason = "EMBEDDING_MODEL_MISMATCH"

    def __init__(self, namespace_model: str, configured_model: str) -> None:
        super().__init__(
            f"the namespace is bound to the embedding model {namespace_model!r}, configured is "
            f"{configured_model!r}; configure the namespace's model, or run Reembed",
            metadata={"namespace_model": namespace_model, "configured_model": configured_model},
        )


class LedgerExpired(FailedPrecondition):
    """Another event was sent to an index where the ledger is gone, and with it what stood there."""

    reason = "LEDGER_EXPIRED"

    def __init__(self, session_id: str, index: int, expired_before_index: int) -> None:
        super().__init__(
            f"the ledger of session {session_id!r} before index {expired_before_index} has expired "
            f"(retention.ledger_days), and event {index} is not the one that was there; send what "
            f"is new from index {expired_before_index} on, or all of it as a session of its own",
            metadata={
                "session_id": session_id,
                "expired_before_index": str(expired_before_index),
            },
        )


class ClusterNotReady(FailedPrecondition):
    """The cluster has too few lessons, or too few new ones, to be made a skill."""

    reason = "CLUSTER_NOT_READY"

    def __init__(self, cluster_id: str, members: int) -> None:
        super().__init__(
            f"cluster {cluster_id!r} has {members} lessons, which are too few, or too few since "
            "the last attempt; wait for more, or set `force`",
            metadata={"cluster_id": cluster_id, "members": str(members)},
        )


class EntityNotMerged(FailedPrecondition):
    """The entity is part of no other, so there is nothing to split it from."""

    reason = "ENTITY_NOT_MERGED"

    def __init__(self, entity_id: str) -> None:
        message = f"entity {entity_id!r} is part of no other; GetEntity names what was merged"
        super().__init__(message, metadata={"entity_id": entity_id})


class MemoryNotAssignable(FailedPrecondition):
    """The memory cannot go into the cluster; the message says why, and what to do first."""

    reason = "MEMORY_NOT_ASSIGNABLE"

    def __init__(self, memory_id: str, why: str, message: str) -> None:
        super().__init__(message, metadata={"memory_id": memory_id, "why": why})


class RevisionOfAnotherIncarnation(FailedPrecondition):
    """The revision was given by a namespace that was deleted and made again since."""

    reason = "REVISION_OF_ANOTHER_INCARNATION"

    def __init__(self, namespace: str) -> None:
        message = f"the revision is of an earlier namespace {namespace!r}; read without one"
        super().__init__(message, metadata={"namespace": namespace})


class ModelRefused(Spending, FailedPrecondition):
    """The chat model, or a filter before it, declined to answer; asking again will not help."""

    reason = "MODEL_REFUSED"


class AnswerMalformed(Spending, FailedPrecondition):
    """The chat model's answer was cut short, or does not fit its schema even after a repair."""

    reason = "ANSWER_MALFORMED"


class Conflict(AnamnesisError):
    """Somebody else changed it in between."""

    reason = "CONFLICT"


class LeaseLost(Conflict):
    """A result under a lease that is no longer the current one."""

    reason = "LEASE_LOST"

    def __init__(self, kind: str, session_id: str) -> None:
        about = f" of session {session_id!r}" if session_id else ""
        super().__init__(
            f"the lease of the {kind} work{about} is lost; claim it again",
            metadata={"kind": kind, "session_id": session_id},
        )


class OutOfRange(AnamnesisError):
    """A position beyond what exists, or no longer exists."""


class RevisionInFuture(OutOfRange):
    """A revision that the namespace has not reached."""

    reason = "REVISION_IN_FUTURE"

    def __init__(self, asked: int, reached: int) -> None:
        super().__init__(
            f"revision {asked} was never given by this namespace, which is at {reached}",
            metadata={"asked": str(asked), "reached": str(reached)},
        )


class CursorExpired(OutOfRange):
    """The change log no longer reaches back to the cursor."""

    reason = "CURSOR_EXPIRED"

    def __init__(self, oldest: int) -> None:
        message = "the change log no longer reaches back to this cursor; list anew"
        super().__init__(message, metadata={"oldest": str(oldest)})


class Unavailable(Later):
    """Something the answer needs does not answer."""


class ModelUnavailable(Spending, Unavailable):
    """The configured model does not answer."""

    reason = "MODEL_UNAVAILABLE"


class PeerUnavailable(Unavailable):
    """Another service of the suite does not answer."""

    reason = "PEER_UNAVAILABLE"


class StoreUnavailable(Unavailable):
    """The store does not answer, or its disk is full."""

    reason = "STORE_UNAVAILABLE"


class StoreFull(StoreUnavailable):
    """The disk has no room left; what was to be written was not. Reads and deletions go on."""

    reason = "STORE_FULL"


class SchemaNewer(FailedPrecondition):
    """A newer version wrote this store; start one at least as new."""

    reason = "SCHEMA_NEWER"


class StoreDamaged(AnamnesisError):
    """The file of one namespace is gone, or a part of it cannot be read; the others are well."""

    reason = "STORE_DAMAGED"


class Unauthenticated(AnamnesisError):
    """The call has no key, or one that is not known."""

    reason = "UNAUTHENTICATED"


class PermissionDenied(AnamnesisError):
    """A caller that may not do this, since it is somebody else's."""

    reason = "PERMISSION_DENIED"


class KeyNotEntitled(PermissionDenied):
    """A known key that may not do this."""

    reason = "KEY_NOT_ENTITLED"


class SeedingNotAllowed(PermissionDenied):
    """A namespace that the policy of a source does not let be seeded from there."""

    reason = "SEEDING_NOT_ALLOWED"

    def __init__(self, source: str, namespace: str) -> None:
        message = (
            f"namespace {source!r} does not seed {namespace!r}: its policy does not name it in "
            "seeds_to"
        )
        super().__init__(message, metadata={"source_namespace": source})


class DeadlineExceeded(AnamnesisError):
    """The call did not finish in the caller's time."""

    reason = "DEADLINE_EXCEEDED"


class Unimplemented(AnamnesisError):
    """The server does not know the rpc."""

    reason = "UNIMPLEMENTED"


class Internal(AnamnesisError):
    """A fault of ours."""

    reason = "INTERNAL"
