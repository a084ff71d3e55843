"""Decisions of a namespace's owner about its memories, and the writes that keep them."""

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import tzinfo

from anamnesis_libs.errors import FailedPrecondition
from anamnesis_libs.redaction.policy import RedactionAction, RedactionLevel, RedactionPolicy
from anamnesis_libs.zones import zone_of
from anamnesis_memory.domain.facts.predicates import SingleValued
from anamnesis_memory.domain.lifecycle.forgetting import Forgetting
from anamnesis_memory.domain.lifecycle.tiers import COLD_DAYS
from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.memory import Visibility
from anamnesis_memory.ports import CommitStamp, Decision, ReadSet, ReadView, WriteSet

POLICY_KEY = DocumentKey(Collection.POLICY, "")
ANY_NAMESPACE = "*"
_KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class AgentSwitch:
    """The features in which one agent does not take part."""

    agent_id: str
    recall_off: bool = False
    mining_off: bool = False


@dataclass(frozen=True, slots=True)
class Policy:
    """The decisions of a namespace's owner; `cold_days` of 0 archives nothing.

    `visibility` is that of writes which state none; None makes what names a user that user's own.
    """

    forgetting: Forgetting = Forgetting.KEEP
    redaction: RedactionPolicy = field(default_factory=RedactionPolicy)
    visibility: Visibility | None = None
    agents: tuple[AgentSwitch, ...] = ()
    cold_days: int = COLD_DAYS
    undecided: bool = False
    """Nobody has decided anything since users' own memories became private: all is shared."""
    predicates: SingleValued = field(default_factory=SingleValued)
    share_experience: bool = False
    """True if experiences that several users bear out are told to all."""
    context_tokens: int = 0
    """The budget of contexts that are asked for without one; 0 leaves it to retrieval."""
    context_floor: float = 0.0
    """More evidence, or less below 0, that a context wants before it speaks."""
    time_zone: str = ""
    """Where people are who say nothing of it; empty is UTC."""
    seeds_to: tuple[str, ...] = ()
    """The namespaces that may be seeded with what everybody sees here; see `ANY_NAMESPACE`."""

    def visibility_of(self, stated: Visibility | None, user_id: str) -> Visibility:
        """The visibility of a write: as stated, else by the policy, else private to its user."""
        usual = Visibility.PRIVATE_TO_USER if user_id else Visibility.SHARED
        return stated or self.visibility or usual

    @property
    def zone(self) -> tzinfo | None:
        """The zone of events that say nothing of theirs; None where none is named.

        Raises:
            FailedPrecondition: this machine does not know it, where another one did.
        """
        try:
            return zone_of(self.time_zone) if self.time_zone else None
        except ValueError as error:
            message = f"policy.time_zone: {error}; or install the package tzdata of the system"
            raise FailedPrecondition(
                message, reason="CONFLICT", metadata={"resource": "policy.time_zone"}
            ) from error

    def seeds(self, namespace: str) -> bool:
        """True if a namespace may be seeded from here."""
        return bool({namespace, ANY_NAMESPACE} & {*self.seeds_to})

    def recalls(self, agent_id: str) -> bool:
        """True if searches for this agent find anything."""
        return not any(one.recall_off for one in self.agents if one.agent_id == agent_id)

    @property
    def unmined(self) -> frozenset[str]:
        """The agents from whose sessions nothing is learned."""
        return frozenset(one.agent_id for one in self.agents if one.mining_off)


@dataclass(frozen=True, slots=True)
class ChangePolicy:
    """The write behind `UpdateNamespacePolicy`; `change` makes the new policy of the old one."""

    change: Callable[[Policy], Policy]

    def wanted(self) -> ReadSet:
        """The policy as it is."""
        return ReadSet(documents=(POLICY_KEY,))

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[Policy]:
        """Keep the new policy; the key of its pseudonyms is made once and stays."""
        before = policy_of(seen.documents.get(POLICY_KEY))
        key = before.redaction.pseudonym_key or secrets.token_bytes(_KEY_BYTES)
        after = replace(self.change(before), undecided=False)
        after = replace(after, redaction=replace(after.redaction, pseudonym_key=key))
        document = Document(Collection.POLICY, "", _packed(after), stamp.now_us)
        return Decision(after, WriteSet(documents=(document,)))


def policy_of(document: Document | None) -> Policy:
    """A policy as it is kept; the default where none is."""
    if document is None:
        return Policy()
    held = json.loads(document.body)
    visibility = held["visibility"]
    if len(held) == 1:
        return Policy(visibility=Visibility(visibility), undecided=True)
    kinds = held["redaction_kinds"]
    return Policy(
        forgetting=Forgetting(held["forgetting"]),
        redaction=RedactionPolicy(
            RedactionLevel(held["redaction_level"]),
            RedactionAction(held["redaction_action"]),
            None if kinds is None else frozenset(kinds),
            bytes.fromhex(held["pseudonym_key"]),
        ),
        visibility=Visibility(visibility) if visibility else None,
        agents=tuple(AgentSwitch(*one) for one in held["agents"]),
        cold_days=held["cold_days"],
        predicates=SingleValued(
            frozenset(held.get("single_valued", ())), frozenset(held.get("many_valued", ()))
        ),
        share_experience=held.get("share_experience", False),
        context_tokens=held.get("context_tokens", 0),
        context_floor=held.get("context_floor", 0.0),
        time_zone=held.get("time_zone", ""),
        seeds_to=tuple(held.get("seeds_to", ())),
    )


def users_own(policy: Policy) -> Policy:
    """The policy under which what names a user is that user's."""
    return replace(policy, visibility=None)


def shared_as_before(now_us: int) -> Document:
    """The policy of a namespace made when everybody saw what no write made private.

    The stores' migrations leave the same document; it decides nothing else.
    """
    held = {"visibility": Visibility.SHARED.value}
    return Document(Collection.POLICY, "", json.dumps(held), now_us)


def _packed(policy: Policy) -> str:
    redaction = policy.redaction
    return json.dumps(
        {
            "forgetting": policy.forgetting.value,
            "redaction_level": redaction.level.value,
            "redaction_action": redaction.action.value,
            "redaction_kinds": None if redaction.kinds is None else sorted(redaction.kinds),
            "pseudonym_key": redaction.pseudonym_key.hex(),
            "visibility": policy.visibility.value if policy.visibility else "",
            "agents": [(one.agent_id, one.recall_off, one.mining_off) for one in policy.agents],
            "cold_days": policy.cold_days,
            "single_valued": sorted(policy.predicates.added),
            "many_valued": sorted(policy.predicates.removed),
            "share_experience": policy.share_experience,
            "context_tokens": policy.context_tokens,
            "context_floor": policy.context_floor,
            "time_zone": policy.time_zone,
            "seeds_to": policy.seeds_to,
        }
    )
