"""PalaceService: wings, rooms, closets, drawers, and the pointers that lead there."""

from anamnesis.memory.v1 import palace_service_pb2_grpc
from services.memory.prepare import Preparer
from services.memory.serving.calls import Calls


class PalaceServicer(palace_service_pb2_grpc.PalaceServiceServicer):
    """Serves the palace; see the proto for what each rpc promises."""

    def __init__(self, calls: Calls, prepare: Preparer) -> None:
        self._calls = calls
        self._prepare = prepare
