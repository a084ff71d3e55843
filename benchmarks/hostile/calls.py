"""Mutated calls over every rpc, in rounds: a filled namespace, many calls, then all of it read."""

import random
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from google.protobuf import text_format
from google.protobuf.message import Message

from benchmarks.hostile.contracts import Rpc
from benchmarks.hostile.files import file_bytes
from benchmarks.hostile.filling import fill, look
from benchmarks.hostile.mutations import broken_bytes, mutate
from benchmarks.hostile.plausible import Composer, Known
from benchmarks.hostile.wire import Answer, Tally, Wire

ROUND_CALLS = 1_500
UNDECODABLE = "undecodable bytes"
MUTATED = "mutated call"
VALID = "valid call"
ODD_FILE = "odd file"
AFTERWARDS = "read afterwards"
_RAW_SHARE = 0.1
_VALID_SHARE = 0.1
_FOLLOWING = ("chunk", "observation")
RUINOUS = ("DeleteNamespace", "DeleteSubject", "DeleteMemories", "DeleteSession", "MakePrivate")
_RUIN_SHARE = 0.2
_FILE_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Target:
    """The target of an attack: a suite, its rpcs, and the tally that counts the answers."""

    wire: Wire
    rpcs: Mapping[str, Rpc]
    tally: Tally
    cause: str = ""
    """The steps done before, if a fault would come of them."""

    async def sent(self, kind: str, rpc: Rpc, message: Message) -> Answer:
        """Send one message and count what came back."""
        answer = await self.wire.send(rpc, message.SerializeToString())
        self.tally.note(kind, rpc, answer, self.cause + shown(message))
        return answer

    async def read(self, kind: str, composer: Composer, known: Known) -> None:
        """Call every rpc that only reads."""
        for rpc in self.rpcs.values():
            if rpc.reads:
                answer = await self.sent(kind, rpc, composer.valid(rpc.request))
                learned(rpc, answer, known)

    async def work(self, kind: str, composer: Composer) -> None:
        """Call every rpc that writes or works, those last that take away most."""
        writing = [rpc for rpc in self.rpcs.values() if not (rpc.reads or rpc.waits)]
        for rpc in sorted(writing, key=lambda one: one.name in RUINOUS):
            if rpc.name != "DeleteNamespace":
                await self.sent(kind, rpc, composer.valid(rpc.request))

    async def delete(self, namespace: str) -> None:
        """Remove a namespace, if it is there."""
        get, delete = (self.rpcs[f"AdminService.{it}Namespace"] for it in ("Get", "Delete"))
        request = get.request()
        setattr(request, "namespace", namespace)  # noqa: B010  # known to the descriptor alone
        found = await self.wire.send(get, request.SerializeToString())
        for body in found.received:
            told = Known()
            told.learn(get.response.FromString(body))
            message = delete.request()
            setattr(message, "namespace", namespace)  # noqa: B010
            setattr(message, "incarnation", next(iter(told.values_for("incarnation"))))  # noqa: B010
            await self.sent(AFTERWARDS, delete, message)


def shown(message: Message) -> str:
    """A message on one line."""
    return text_format.MessageToString(message, as_one_line=True)


def learned(rpc: Rpc, answer: Answer, known: Known) -> None:
    """Keep what an answer told."""
    for body in answer.received[:3]:
        known.learn(rpc.response.FromString(body))


async def attack(target: Target, calls: int, seed: int) -> None:
    """Send so many calls."""
    for number, start in enumerate(range(0, calls, ROUND_CALLS), 1):
        await _round(target, f"calls-{seed}-{number}", min(ROUND_CALLS, calls - start))


async def _round(target: Target, namespace: str, calls: int) -> None:
    chance, known = random.Random(f"calls {namespace}"), Known()
    await fill(target.wire, target.rpcs, namespace, known)
    composer = Composer(chance, known, namespace)
    order = [*target.rpcs.values()]
    for call in range(calls):
        if call % len(order) == 0:
            chance.shuffle(order)
        await _one(target, composer, order[call % len(order)], chance, known)
    known.forget()
    await look_again(target, namespace, known)
    await target.read(AFTERWARDS, composer, known)
    await target.delete(namespace)


async def look_again(target: Target, namespace: str, known: Known) -> None:
    """Learn what there is, as far as it can be read."""
    try:
        await look(target.wire, target.rpcs, namespace, known)
    except RuntimeError:
        return  # deleted by a call; what reading answers is counted all the same


async def _one(
    target: Target, composer: Composer, rpc: Rpc, chance: random.Random, known: Known
) -> None:
    ruined = rpc.name in RUINOUS
    elsewhere = replace(composer, namespace=f"{composer.namespace}-x")
    spared = ruined and chance.random() > _RUIN_SHARE
    message = (elsewhere if spared else composer).valid(rpc.request)
    drawn = chance.random()
    if drawn < _RAW_SHARE:
        raw = broken_bytes(message.SerializeToString(), chance)
        answer = await target.wire.send(rpc, raw)
        target.tally.note(UNDECODABLE, rpc, answer, raw.hex())
        return
    kind, brings = VALID, _brings_a_file(message)
    if brings and chance.random() < _FILE_SHARE:
        kind = ODD_FILE
    elif drawn > _RAW_SHARE + _VALID_SHARE:
        kind = MUTATED
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            mutate(message, chance)
    parts = [message, *_following(rpc, composer)]
    answer = await target.wire.send(rpc, *(part.SerializeToString() for part in parts))
    target.tally.note(kind, rpc, answer, " | ".join(map(shown, parts)))
    learned(rpc, answer, known)
    if ruined and answer.code == "OK":
        await _filled_again(target, composer.namespace, known)


def _brings_a_file(message: Message) -> bool:
    """True if the message is the header of a file, which bytes follow."""
    parts = message.DESCRIPTOR.oneofs_by_name
    return "part" in parts and message.WhichOneof("part") == "header"


async def _filled_again(target: Target, namespace: str, known: Known) -> None:
    """Fill a namespace once more, as far as what was done to it lets."""
    with suppress(RuntimeError):
        await fill(target.wire, target.rpcs, namespace, known)


def _following(rpc: Rpc, composer: Composer) -> Sequence[Message]:
    """Messages behind the first one of a stream."""
    names = [name for name in _FOLLOWING if name in rpc.request.DESCRIPTOR.fields_by_name]
    if not names:
        return ()
    following = composer.valid(rpc.request)
    if names[0] == "chunk":
        following.Clear()
        setattr(following, "chunk", file_bytes(composer.chance))  # noqa: B010
    return (following,)
