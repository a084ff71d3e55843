"""The accounts of the memory service: what a namespace may still spend on models, and has spent."""

import uuid
from datetime import UTC

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis.memory.v1.admin_service_pb2_grpc import AdminServiceStub
from anamnesis_libs.models.budget import Budget
from anamnesis_libs.models.chat import ChatUsage, Purpose
from anamnesis_libs.rpc.channels import Channels
from anamnesis_libs.rpc.peers import call


class MemoryAccounts:
    """Implements `Accounts` over a channel."""

    def __init__(self, channels: Channels, timeout_s: float) -> None:
        self._admin = AdminServiceStub(channels.to("memory"))
        self._timeout_s = timeout_s

    async def left(self, namespace: str) -> Budget:
        """See `Accounts.left`."""
        request = pb.GetUsageRequest(namespace=namespace, hours=1)
        answer = await call(self._admin.GetUsage, request, timeout_s=self._timeout_s)
        turns = answer.reset_time.ToDatetime(tzinfo=UTC)
        return Budget(answer.calls_left, answer.tokens_left, turns)

    async def report(self, namespace: str, purpose: Purpose, usage: ChatUsage) -> None:
        """See `Accounts.report`; what the channel sends twice is added once."""
        request = pb.ReportUsageRequest(
            namespace=namespace,
            usages=[
                pb.Usage(
                    purpose=purpose.value,
                    calls=usage.calls,
                    input_tokens=usage.input_tokens,
                    output_tokens=usage.output_tokens,
                )
            ],
            request_id=uuid.uuid4().hex,
        )
        await call(self._admin.ReportUsage, request, timeout_s=self._timeout_s)
