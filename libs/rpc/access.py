"""Whether an agent's key may ask for what it asks.

A key of operators, and of the services among themselves, may do everything. An agent's key may do
what its rights say (see `rights`), in its namespaces, for the callers that it names: never past
visibility, unless it has the right to operate.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from google.protobuf.message import Message

from libs.errors import KeyNotEntitled
from libs.rpc.rights import (
    AGENT_FIELDS,
    AGENT_RIGHTS,
    AGENT_RPCS,
    CALLER,
    ITSELF,
    OPERATOR_FIELDS,
    RIGHTS,
    Right,
)

_NAMESPACE = "namespace"
PARTICIPANTS = "participants"
"""Whose a session of several people becomes."""

ANYBODY = "*"
_OWNERS = ("agent_id", "user_id")


@dataclass(frozen=True, slots=True)
class Agent:
    """An agent's key: the agent and the user it may name; `*` is any, empty is none.

    It opens `namespaces`, or all where none is named, as far as its rights go.
    """

    agent_id: str = ANYBODY
    user_id: str = ANYBODY
    namespaces: frozenset[str] = frozenset()
    rights: frozenset[Right] = AGENT_RIGHTS

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
        fields = request.DESCRIPTOR.fields_by_name
        operates = Right.OPERATE in self.rights
        for field in () if operates else OPERATOR_FIELDS:
            if field in fields and getattr(request, field):
                raise KeyNotEntitled(f"{field} is for operators; leave it unset")
        field = AGENT_FIELDS.get(method, "")
        if field and not operates and not getattr(request, field):
            raise KeyNotEntitled(f"without {field} it is for operators; set {field}")
        paths = AGENT_RPCS.get(method, ())
        for path in paths:
            self._check_named(request, path, needed=paths == (CALLER,) and not operates)

    def _check_namespaces(self, request: Message) -> None:
        """What is asked about is in a namespace of the key's; what is in none is about all."""
        if _NAMESPACE not in request.DESCRIPTOR.fields_by_name and not _parts(request):
            raise KeyNotEntitled("it is about all namespaces, and this key opens only some")
        for given in _namespaces(request):
            if given not in self.namespaces:
                raise KeyNotEntitled(f"namespace: this key does not open {given!r}")

    def _check_takes_part(self, path: str, named: Message) -> None:
        """Nobody makes a conversation of others, which would be theirs, without taking part."""
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
            for field, given in zip(_OWNERS, ids, strict=True):
                self._check_id(f"{path}.{field}".lstrip("."), given, getattr(self, field))

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
