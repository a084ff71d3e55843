"""The source of a fact as people can look it up: the speaker, and the drawer of the words."""

from collections.abc import Iterable, Mapping, Sequence

import grpc

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1.knowledge_pb2 import KnownFact
from anamnesis.memory.v1.memory_pb2 import Memory
from anamnesis_cli.cut import cut_end
from anamnesis_cli.memories import read_memories
from anamnesis_cli.output import role_word
from anamnesis_cli.target import Target

_SPEAKER_CHARS_MAX = 40

Drawers = Mapping[str, Memory]


def read_drawers(
    channel: grpc.Channel, target: Target, caller: Caller, facts: Iterable[KnownFact]
) -> Drawers:
    """The drawers that the facts were taken from, by id, as far as the caller may see them."""
    ids = (each for known in facts for each in known.memory.fact.source_memory_ids)
    return read_memories(channel, target, caller, ids)


def said_by(known: KnownFact, drawers: Drawers) -> Sequence[str]:
    """Each that says so: a speaker and where, or the name that a source gave itself."""
    told = [drawers[each] for each in known.memory.fact.source_memory_ids if each in drawers]
    first = {drawer.session_id: drawer for drawer in reversed(told)}
    return [
        f"{speaker(first[source])} at {first[source].pointer}" if source in first else source
        for source in known.sources
    ]


def speaker(drawer: Memory) -> str:
    """The speaker by name, or else the speaker's role."""
    episode = drawer.episode
    return cut_end(episode.name, _SPEAKER_CHARS_MAX) or f"the {role_word(episode.role)}"
