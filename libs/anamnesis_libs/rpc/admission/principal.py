"""Checks of a principal's request: an agent's key or a token may not ask for everything.

A key of operators, and of the services among themselves, may do everything. A principal may do what
its rights say (see `rights`), in its namespaces, for the callers that it names: never past
visibility, unless it has the right to operate. What it writes has its names and says where it is
from: both are stamped on it here, whatever it says of itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from google.protobuf.message import Message

from anamnesis.memory.v1 import memory_pb2
from anamnesis_libs.errors import KeyNotEntitled
from anamnesis_libs.rpc.admission.rights import (
    AGENT_FIELDS,
    AGENT_RIGHTS,
    AGENT_RPCS,
    CALLER,
    ITSELF,
    OPERATOR_FIELDS,
    READING_RPCS,
    RIGHTS,
    Right,
)

_NAMESPACE = "namespace"
_SOURCE = "source_namespace"
PARTICIPANTS = "participants"
"""The field that names the people of a session of several."""

ANYBODY = "*"
_OWNERS = ("agent_id", "user_id")
_PROVENANCE = "provenance"
_OBSERVED, _ASSERTED = memory_pb2.ORIGIN_OBSERVED, memory_pb2.ORIGIN_ASSERTED


@dataclass(frozen=True, slots=True)
class Limits:
    """The quotas of a principal: calls a second and at once, MiB of requests a day; 0: any."""

    calls_per_s: float = 0.0
    calls_at_once: int = 0
    mib_per_day: int = 0

    def over(self, default: "Limits") -> "Limits":
        """These limits, and the default for each that is not set."""
        return Limits(
            self.calls_per_s or default.calls_per_s,
            self.calls_at_once or default.calls_at_once,
            self.mib_per_day or default.mib_per_day,
        )


@dataclass(frozen=True, slots=True)
class Principal:
    """A caller: the agent and the user it may name; `*` is any, empty is none.

    It opens `namespaces`, or all where none is named, as far as its rights go. `name` tells it from
    others in the server's accounts and says nothing of its key.
    """

    agent_id: str = ANYBODY
    user_id: str = ANYBODY
    namespaces: frozenset[str] = frozenset()
    rights: frozenset[Right] = AGENT_RIGHTS
    limits: Limits = Limits()
    name: str = field(default="", compare=False)

    def check_rpc(self, method: str) -> None:
        """Refuse what the key has no right to.

        Raises:
            KeyNotEntitled: only another key may call it.
        """
        right = RIGHTS.get(method)
        if right in self.rights:
            return
        if right in AGENT_RIGHTS:
            raise KeyNotEntitled(f"{method} needs the right {right}, which this key does not have")
        raise KeyNotEntitled(
            f"{method} is for operators; call it with a key of security.api_keys_file"
        )

    def check_request(self, method: str, request: Message) -> None:
        """Refuse what an agent may not ask for.

        Raises:
            KeyNotEntitled: it is about a namespace that the key does not open, it passes visibility
                over, names no caller, or one that is not the key's.
        """
        if self.namespaces:
            self._check_namespaces(request)
        if method in READING_RPCS:
            self._check_source(request)
        fields = request.DESCRIPTOR.fields_by_name
        operates = Right.OPERATE in self.rights
        for name in () if operates else OPERATOR_FIELDS:
            if name in fields and getattr(request, name):
                raise KeyNotEntitled(f"{name} is for operators; leave it unset")
        name = AGENT_FIELDS.get(method, "")
        if name and not operates and not getattr(request, name):
            raise KeyNotEntitled(f"without {name} it is for operators; set {name}")
        paths = AGENT_RPCS.get(method, ())
        for path in paths:
            self._check_named(request, path, needed=paths == (CALLER,) and not operates)
        if not operates:
            self._stamp(request, paths)

    def _check_namespaces(self, request: Message) -> None:
        """Refuse namespaces that the key does not open, and requests about all namespaces."""
        if _NAMESPACE not in request.DESCRIPTOR.fields_by_name and not _parts(request):
            raise KeyNotEntitled("it is about all namespaces, and this key opens only some")
        for given in _namespaces(request):
            if given not in self.namespaces:
                raise KeyNotEntitled(f"namespace: this key does not open {given!r}")

    def _check_source(self, request: Message) -> None:
        """Refuse what reads another namespace for a key that may not read it."""
        source = getattr(request, _SOURCE)
        if Right.READ not in self.rights or (self.namespaces and source not in self.namespaces):
            raise KeyNotEntitled(f"{_SOURCE}: this key does not read {source!r}")

    def _check_takes_part(self, path: str, named: Message) -> None:
        """Refuse a conversation of others in which the caller takes no part."""
        others = getattr(named, PARTICIPANTS)
        taking_part = {ANYBODY, getattr(named, _OWNERS[1]), *others} - {""}
        if others and self.user_id not in taking_part:
            told = f"{self.user_id!r} must be one of them" if self.user_id else "leave it empty"
            raise KeyNotEntitled(f"{path}: this key may not name others alone; {told}")

    def _check_named(self, request: Message, path: str, *, needed: bool) -> None:
        """The caller that stands at a path is the key's."""
        for named in _at(request, path):
            ids = [getattr(named, field) for field in _OWNERS]
            if needed and not any(ids):
                raise KeyNotEntitled("no caller is named; set caller.agent_id or caller.user_id")
            if PARTICIPANTS in named.DESCRIPTOR.fields_by_name:
                self._check_takes_part(f"{path}.{PARTICIPANTS}".lstrip("."), named)
            for owner, given in zip(_OWNERS, ids, strict=True):
                self._check_id(f"{path}.{owner}".lstrip("."), given, getattr(self, owner))

    def _stamp(self, request: Message, paths: Sequence[str]) -> None:
        """Put the key's names where a record or a caller has none, and say who states a memory.

        What a principal writes as OBSERVED, as if the pipeline had read it, is ASSERTED.
        """
        for named in (each for path in paths for each in _at(request, path)):
            for owner, own in zip(_OWNERS, (self.agent_id, self.user_id), strict=True):
                if own != ANYBODY and not getattr(named, owner):
                    setattr(named, owner, own)
            if _PROVENANCE in named.DESCRIPTOR.fields_by_name:
                provenance = getattr(named, _PROVENANCE)
                if provenance.origin == _OBSERVED:
                    provenance.origin = _ASSERTED

    def _check_id(self, path: str, given: str, allowed: str) -> None:
        if allowed != ANYBODY and given not in ("", allowed):
            told = f"name {allowed!r}" if allowed else "leave it empty"
            raise KeyNotEntitled(f"{path}: this key may not name {given!r}; {told}")


def _at(request: Message, path: str) -> Iterator[Message]:
    """The messages at a path: the request itself, a field of it, or each of a repeated one."""
    if path == ITSELF:
        yield request
        return
    field = request.DESCRIPTOR.fields_by_name[path]
    if field.is_repeated:
        yield from getattr(request, path)
    elif path == CALLER or request.HasField(path):
        yield getattr(request, path)


def _namespaces(request: Message) -> Iterator[str]:
    """The namespaces that a request names, itself or in a part of it that is set."""
    if _NAMESPACE in request.DESCRIPTOR.fields_by_name:
        yield getattr(request, _NAMESPACE)
    for name in _parts(request):
        if request.HasField(name):
            yield getattr(getattr(request, name), _NAMESPACE)


def _parts(request: Message) -> list[str]:
    """The names of the fields that hold a message which names a namespace."""
    return [
        field.name
        for field in request.DESCRIPTOR.fields
        if field.message_type is not None
        and not field.is_repeated
        and _NAMESPACE in field.message_type.fields_by_name
    ]
