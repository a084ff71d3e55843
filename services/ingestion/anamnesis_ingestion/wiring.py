"""Puts the ingestion service together: its servicer, its limits, its channel to memory."""

from collections.abc import Sequence

from grpc import aio

from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.ingestion.v1.ingestion_service_pb2_grpc import (
    add_IngestionServiceServicer_to_server,
)
from anamnesis.memory.v1.ledger_service_pb2_grpc import LedgerServiceStub
from anamnesis_ingestion.api.ingestion import IngestionServicer
from anamnesis_ingestion.api.pipeline import PipelineParts
from anamnesis_ingestion.intake.files.file_reading import FileLimits
from anamnesis_ingestion.intake.files.room import Room
from anamnesis_ingestion.peers.pipeline import PipelinePeer
from anamnesis_ingestion.pipeline.analyzers import ConfiguredAnalyzers
from anamnesis_ingestion.pipeline.running import Runner
from anamnesis_ingestion.pipeline.stages import StageRules, Stages
from anamnesis_ingestion.pipeline.work import PipelineStage, Wish
from anamnesis_ingestion.segmentation.model import PROMPT_TOKENS_MAX
from anamnesis_libs.models.budget import NamespaceBudgets
from anamnesis_libs.models.factory import load_chat
from anamnesis_libs.rpc.accounts import MemoryAccounts
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.run.module import ServiceContext, ServiceModule
from anamnesis_libs.settings.config import Settings

_EVENTS_IN_A_WRITE_MAX = 1000  # the ledger's own bound


class IngestionModule:
    """The ingestion service; it keeps nothing."""

    name = "ingestion"
    service_names: Sequence[str] = (
        ingestion_service_pb2.DESCRIPTOR.services_by_name["IngestionService"].full_name,
    )

    def __init__(self, context: ServiceContext) -> None:
        settings = context.settings
        timeout_s = settings.peers.timeout_s
        self._chat = load_chat(settings.models)
        memory = PipelinePeer(context.channels, timeout_s, settings.ingestion.pipeline_lease_s)
        accounts = MemoryAccounts(context.channels, timeout_s)
        chats = NamespaceBudgets(self._chat, accounts) if self._chat else None
        rules = _rules(settings)
        self._analyzers = ConfiguredAnalyzers(
            memory, chats, context.tokens, rules.segment_window_tokens
        )
        stages = Stages(memory, self._analyzers, settings.write_gate, rules, context.tokens)
        self._memory = memory
        self._runner = Runner(
            memory, stages.work, settings.ingestion.pipeline_lease_s, context.logger
        )
        self._parallel = settings.ingestion.pipeline_parallel
        self._servicer = IngestionServicer(
            LedgerServiceStub(context.channels.to("memory")),
            file_limits(settings),
            Room(settings.ingestion.held_bytes_max),
            timeout_s,
            PipelineParts(memory, self._runner, settings.ingestion.sft_score_min, self._parallel),
        )
        self.loops: Sequence[Loop] = (
            Loop("ingestion.pipeline", every_s=settings.ingestion.pipeline_every_s, step=self.step),
        )

    async def step(self) -> bool:
        """Work on all due claims; true if there may be more."""
        wish = Wish(stages=tuple(PipelineStage), limit=self._parallel)
        return bool(await self._runner.claim_and_run(wish))

    def register(self, server: aio.Server) -> None:
        """Adds its servicer to a server."""
        add_IngestionServiceServicer_to_server(self._servicer, server)

    async def start(self) -> None:
        """Nothing to open: the channel to memory connects by itself."""

    async def stop(self) -> None:
        """Report the usage of models; acknowledged events are committed by then."""
        await self._analyzers.close()
        if self._chat is not None:
            await self._chat.close()


def build(context: ServiceContext) -> ServiceModule:
    """The service of a process."""
    return IngestionModule(context)


def _rules(settings: Settings) -> StageRules:
    """The rules of the stages; a window fits the chat model beside the words of the prompt."""
    models, ingestion = settings.models, settings.ingestion
    readable = models.llm_max_input_tokens - models.llm_prompt_reserve_tokens - PROMPT_TOKENS_MAX
    return StageRules(
        segment_window_tokens=min(ingestion.segment_window_tokens, readable),
        extract_window_tokens=min(ingestion.extract_window_tokens, readable),
        extract_overlap_events=ingestion.extract_overlap_events,
        lesson_score_min=ingestion.lesson_score_min,
    )


def file_limits(settings: Settings) -> FileLimits:
    """A batch is kept well under the largest message, and so is one event."""
    message_bytes_max = settings.server.message_bytes_max
    return FileLimits(
        file_bytes_max=settings.ingestion.file_bytes_max,
        document_bytes_max=settings.ingestion.document_bytes_max,
        line_bytes_max=settings.ingestion.line_bytes_max,
        batch_events_max=min(settings.ingestion.append_batch_max, _EVENTS_IN_A_WRITE_MAX),
        batch_bytes_max=message_bytes_max // 4,
        event_bytes_max=message_bytes_max // 2,
    )
