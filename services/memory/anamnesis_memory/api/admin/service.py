"""AdminService, put together."""

from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceServicer
from anamnesis_memory.api.admin.erasure import Erasure, ErasureRpcs
from anamnesis_memory.api.admin.model_usage import UsageRpcs
from anamnesis_memory.api.admin.namespaces import NamespaceRpcs
from anamnesis_memory.api.admin.operations import OperationRpcs, Operations
from anamnesis_memory.api.admin.sleep import SleepRpcs
from anamnesis_memory.model.usage import Budget
from anamnesis_memory.ports.catalogue import Catalogue
from anamnesis_memory.runtime.calls import Calls


class AdminServicer(
    NamespaceRpcs, UsageRpcs, SleepRpcs, OperationRpcs, ErasureRpcs, AdminServiceServicer
):
    """Serves AdminService; each base class serves some of its rpcs, none calls another."""

    def __init__(
        self,
        calls: Calls,
        catalogue: Catalogue,
        budget: Budget,
        operations: Operations,
        erasure: Erasure,
    ) -> None:
        NamespaceRpcs.__init__(self, calls, catalogue)
        UsageRpcs.__init__(self, calls, budget)
        SleepRpcs.__init__(self, calls, operations.sleeper, operations.handed_out)
        OperationRpcs.__init__(self, calls, operations)
        ErasureRpcs.__init__(self, calls, erasure)
