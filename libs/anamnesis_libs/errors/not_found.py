"""Things that may be asked for and not exist: the kinds of NotFound; see the tree in `errors`."""

from anamnesis_libs.errors import NotFound


class NamespaceNotFound(NotFound):
    """No such namespace; its first write would create it."""

    reason = "NAMESPACE_NOT_FOUND"

    def __init__(self, namespace: str) -> None:
        message = f"namespace {namespace!r} does not exist; its first write creates it"
        super().__init__(message, metadata={"namespace": namespace})


class _AbsentById(NotFound):
    """One thing of a namespace, named by its id: the subclass says what it is."""

    noun = ""

    def __init__(self, absent_id: str) -> None:
        super().__init__(
            f"{self.noun} {absent_id!r} does not exist in this namespace",
            metadata={f"{self.noun}_id": absent_id},
        )


class MemoryNotFound(_AbsentById):
    """The namespace has no such memory, or the caller may not see it."""

    reason = "MEMORY_NOT_FOUND"
    noun = "memory"


class SessionNotFound(_AbsentById):
    """The namespace has no such session."""

    reason = "SESSION_NOT_FOUND"
    noun = "session"


class ClusterNotFound(_AbsentById):
    """The namespace has no such cluster."""

    reason = "CLUSTER_NOT_FOUND"
    noun = "cluster"


class MemoryInNoCluster(ClusterNotFound):
    """The memory is in no cluster, or the caller may not see it."""

    def __init__(self, memory_id: str) -> None:
        message = f"memory {memory_id!r} is in no cluster of this namespace"
        NotFound.__init__(self, message, metadata={"memory_id": memory_id})


class SegmentNotFound(_AbsentById):
    """The session has no such segment (any more)."""

    reason = "SEGMENT_NOT_FOUND"
    noun = "segment"


class UploadNotFound(_AbsentById):
    """The archive has no such upload, or the caller may not see it."""

    reason = "UPLOAD_NOT_FOUND"
    noun = "upload"


class CopyNotFound(_AbsentById):
    """Nothing that is kept of the memory has this id, or the caller may not see it."""

    reason = "COPY_NOT_FOUND"
    noun = "copy"


class ItemNotFound(_AbsentById):
    """The working memory holds no such item."""

    reason = "ITEM_NOT_FOUND"
    noun = "item"


class EntityNotFound(_AbsentById):
    """The namespace has no such entity, or the caller may see none of its names."""

    reason = "ENTITY_NOT_FOUND"
    noun = "entity"


class WingNotFound(_AbsentById):
    """The palace has no such wing, or the caller may see nothing in it."""

    reason = "WING_NOT_FOUND"
    noun = "wing"


class EntityNameNotFound(NotFound):
    """No entity has this name in the caller's view."""

    reason = "ENTITY_NOT_FOUND"

    def __init__(self, name: str) -> None:
        message = f"no entity is named {name!r} in this namespace; ListEntities lists them"
        super().__init__(message, metadata={"name": name})


class EdgeNotFound(NotFound):
    """The graph has no such edge, or the caller may not see one of its ends."""

    reason = "EDGE_NOT_FOUND"

    def __init__(self, source_id: str, target_id: str, edge_type: str) -> None:
        super().__init__(
            f"no {edge_type} edge leads from {source_id!r} to {target_id!r} in this namespace",
            metadata={"source_id": source_id, "target_id": target_id, "type": edge_type},
        )


class PointerNotFound(NotFound):
    """The pointer was never given, or leads to what the caller may not see."""

    reason = "POINTER_NOT_FOUND"

    def __init__(self, pointer: str) -> None:
        message = f"pointer {pointer!r} leads nowhere in this namespace"
        super().__init__(message, metadata={"pointer": pointer})
