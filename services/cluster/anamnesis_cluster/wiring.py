"""Puts the cluster service together."""

from collections.abc import Sequence
from functools import partial

from grpc import aio

from anamnesis.cluster.v1 import (
    cluster_service_pb2,
    cluster_service_pb2_grpc,
    projection_service_pb2,
    projection_service_pb2_grpc,
)
from anamnesis.memory.v1.sleep_pb2 import SLEEP_PHASE_CRYSTALLISE
from anamnesis_cluster.api.assigning import Assigning
from anamnesis_cluster.api.clusters import ClusterServicer
from anamnesis_cluster.api.projections import ProjectionServicer
from anamnesis_cluster.clusters.follow import Follower, Rules
from anamnesis_cluster.clusters.followers import Followers
from anamnesis_cluster.clusters.initial import run_initial
from anamnesis_cluster.clusters.label_writer import LabelWriters
from anamnesis_cluster.clusters.labelling import Labeller
from anamnesis_cluster.consolidation.cycle import Consolidator
from anamnesis_cluster.consolidation.judges import Judges
from anamnesis_cluster.leases import Lease
from anamnesis_cluster.peers.duplicates import DuplicatesPeer
from anamnesis_cluster.peers.leases import LeasePeer
from anamnesis_cluster.peers.memory import MemoryPeer
from anamnesis_cluster.peers.refining import RefiningPeer
from anamnesis_cluster.peers.runs import RunsPeer
from anamnesis_cluster.peers.skills import SkillPeer
from anamnesis_cluster.refinement.asking import Askers
from anamnesis_cluster.refinement.cycle import Refiner
from anamnesis_cluster.skills.cycle import SkillRuns
from anamnesis_cluster.skills.finding_writers import ConfiguredWriters
from anamnesis_libs.models.budget import NamespaceBudgets
from anamnesis_libs.models.factory import load_chat
from anamnesis_libs.rpc.accounts import MemoryAccounts
from anamnesis_libs.run.loop import Loop
from anamnesis_libs.run.module import ServiceContext

LOOK_EVERY_S = 30.0
"""Period in which it is looked for namespaces in which a phase is due."""
SERVICE = cluster_service_pb2.DESCRIPTOR.services_by_name["ClusterService"].full_name
PROJECTIONS = projection_service_pb2.DESCRIPTOR.services_by_name["ProjectionService"].full_name


class ClusterModule:
    """The cluster service as a process sees it: its loops, and nothing of its own to keep."""

    name = "cluster"
    service_names: Sequence[str] = (SERVICE, PROJECTIONS)

    def __init__(self, context: ServiceContext) -> None:
        self._context = context
        settings = context.settings
        self._memory = MemoryPeer(context.channels, settings.peers.timeout_s)
        models = settings.models
        self._chat = load_chat(models)
        accounts = MemoryAccounts(context.channels, settings.peers.timeout_s)
        self._chats = NamespaceBudgets(self._chat, accounts) if self._chat else None
        readable = models.llm_max_input_tokens - models.llm_prompt_reserve_tokens
        self._writers = ConfiguredWriters(self._chats, context.tokens, readable)
        self._rules = Rules(settings.clusters)
        lease_s = settings.clusters.lease_s
        self.followers = Followers(
            LeasePeer(context.channels, lease_s, settings.peers.timeout_s),
            self._new_follower,
            settings.clusters.namespaces_followed_max,
            lease_s,
            settings.clusters.quiet_s,
            context.clock,
            context.logger,
            context.stopping,
        )
        self.consolidator = Consolidator(
            DuplicatesPeer(context.channels, settings.sleep.lease_s, settings.peers.timeout_s),
            Judges(self._chats).of,
            settings.sleep.lease_s,
            round(settings.sleep.every_s),
            context.logger,
        )
        self.refiner = Refiner(
            RefiningPeer(context.channels, settings.sleep.lease_s, settings.peers.timeout_s),
            Askers(self._chats, context.tokens, readable).of if self._chats else None,
            settings.sleep.refine_max,
            settings.sleep.lease_s,
            round(settings.sleep.every_s),
            context.logger,
        )
        timeout_s = settings.peers.timeout_s
        self._skill_runs = SkillRuns(
            RunsPeer(context.channels, SLEEP_PHASE_CRYSTALLISE, settings.sleep.lease_s, timeout_s),
            lambda namespace: SkillPeer(context.channels, namespace, timeout_s),
            self._writers,
            Labeller(self._memory, LabelWriters(self._chats).of, context.logger).run,
            context.tokens,
            settings.sleep.lease_s,
            round(settings.sleep.every_s),
            context.logger,
        )
        assigning = Loop(
            "cluster.assign", every_s=settings.clusters.assign_every_s, step=self.followers.step
        )
        consolidating = Loop(
            "cluster.consolidate", every_s=LOOK_EVERY_S, step=self.consolidator.step
        )
        crystallising = Loop(
            "cluster.crystallise", every_s=LOOK_EVERY_S, step=self._skill_runs.step
        )
        refining = Loop("cluster.refine", every_s=LOOK_EVERY_S, step=self.refiner.step)
        asked = (refining,) if self.refiner.asks else ()
        asleep = (consolidating, crystallising, *asked) if settings.sleep.enabled else ()
        self.loops: Sequence[Loop] = (assigning, *asleep)

    def register(self, server: aio.Server) -> None:
        """Add the servicers to a server."""
        assigning = Assigning(self._context.channels, self._memory, self._rules)
        servicer = ClusterServicer(
            self._context.channels,
            self.followers,
            assigning,
            partial(
                run_initial,
                self._memory,
                settings=self._context.settings.clusters,
                patience_s=self._context.settings.clusters.vector_wait_s,
            ),
            self.consolidator,
            self.refiner,
            self._skill_runs,
            self._writers,
            self._context.clock,
            self._context.tokens,
            self._context.settings.peers.timeout_s,
        )
        cluster_service_pb2_grpc.add_ClusterServiceServicer_to_server(servicer, server)
        projections = ProjectionServicer(
            self._context.channels,
            self._context.clock,
            self._context.tokens,
            self._context.settings.peers.timeout_s,
        )
        projection_service_pb2_grpc.add_ProjectionServiceServicer_to_server(projections, server)

    async def start(self) -> None:
        """Nothing to open: channels connect at their first call."""

    async def stop(self) -> None:
        """End what is followed and report the usage of models; others go on from the cursors."""
        await self.followers.close()
        if self._chats is not None:
            await self._chats.close()
        if self._chat is not None:
            await self._chat.close()

    def _new_follower(self, lease: Lease) -> Follower:
        return Follower(
            lease,
            self._memory,
            self._rules,
            self._context.clock,
            self._context.logger,
            self._context.stopping,
        )


def build(context: ServiceContext) -> ClusterModule:
    """The cluster service, not started."""
    return ClusterModule(context)
