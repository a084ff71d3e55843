"""Forged page tokens: of other lists, other namespaces and callers, and made up."""

import base64
import json
import random
from collections.abc import Iterator, Mapping, Sequence

from google.protobuf.message import Message

from benchmarks.hostile.calls import Target
from benchmarks.hostile.contracts import Rpc
from benchmarks.hostile.filling import fill
from benchmarks.hostile.plausible import Composer, Known

FORGED = "forged page token"
_SPACES = ("pages-one", "pages-two")
_TRIES = 24
_PARTS: Sequence[object] = (
    *(10**18, -1, 2**63 - 1, 2**63, -(2**63), 10**400, 0, 0.5, 1e308, -0.0, float("nan")),
    *(float("inf"), True, None, [], {}, "", "\x00", "\ud800", "x" * 2_000, "999", "é", "1_0", " 1"),
)
Given = Mapping[str, tuple[Message, str]]
"""By rpc: a request that has another page, and the token of that page."""


async def attack(target: Target, tokens: int, seed: int) -> int:
    """Show so many tokens that nobody gave; answers how many rpcs gave true ones."""
    chance, given = random.Random(f"tokens {seed}"), []
    for namespace in _SPACES:
        known = Known()
        await fill(target.wire, target.rpcs, namespace, known)
        given.append(await _given(target, Composer(chance, known, namespace)))
    mine, others = given
    pages = [rpc for rpc in target.rpcs.values() if rpc.has_pages]
    for number in range(tokens):
        rpc = pages[number % len(pages)]
        await _show(target, rpc, mine, others, chance)
    for namespace in _SPACES:
        await target.delete(namespace)
    return sum(bool(token) for _, token in mine.values())


async def _given(target: Target, composer: Composer) -> Given:
    """A request and a token of its answer, if there is one, for each rpc that answers in pages."""
    given = {}
    for label, rpc in target.rpcs.items():
        if rpc.has_pages:
            given[label] = await _another_page(target, composer, rpc)
    return given


async def _another_page(target: Target, composer: Composer, rpc: Rpc) -> tuple[Message, str]:
    request = composer.valid(rpc.request)
    for attempt in range(_TRIES):
        request = composer.valid(rpc.request)
        _narrow(request, keep=attempt % 2 == 0)
        answer = await target.sent(FORGED, rpc, request)
        token = _next(rpc, answer.received)
        if token:
            return request, token
    return request, ""


def _narrow(request: Message, *, keep: bool) -> None:
    """One on a page, and nothing that narrows the list unless it is kept."""
    names = request.DESCRIPTOR.fields_by_name
    for name in ("filter", "at_least_revision", "predicate", "object", "as_of", "known_at", "due"):
        if name in names:
            request.ClearField(name)
    for name in ("caller", "kind", "kinds", "states", "phase", "task_type", "min_score", "subject"):
        if name in names and not keep:
            request.ClearField(name)
    for name in ("page_size", "limit"):
        if name in names:
            setattr(request, name, 1)


def _next(rpc: Rpc, received: Sequence[bytes]) -> str:
    for body in received:
        return str(getattr(rpc.response.FromString(body), "next_page_token", ""))
    return ""


async def _show(
    target: Target, rpc: Rpc, mine: Given, others: Given, chance: random.Random
) -> None:
    request, token = mine[rpc.label]
    forged = rpc.request.FromString(request.SerializeToString())
    true_tokens = [one for given in (mine, others) for _, one in given.values() if one]
    setattr(forged, "page_token", _forged(token, true_tokens, chance))  # noqa: B010
    if "caller" in forged.DESCRIPTOR.fields_by_name and chance.random() < 0.1:
        getattr(forged, "caller").user_id = "eve"  # noqa: B009
    await target.sent(FORGED, rpc, forged)


def _forged(token: str, true_tokens: Sequence[str], chance: random.Random) -> str:
    """Most forgeries keep the digest of their query and say another place."""
    token = token or chance.choice(true_tokens)
    match chance.randrange(10):
        case 0:
            return chance.choice(true_tokens)
        case 1:
            return token[: chance.randrange(1, len(token))]
        case 2:
            changed = bytearray(token.encode())
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(7)
            return changed.decode()
        case 3:
            return base64.urlsafe_b64encode(chance.randbytes(chance.randint(1, 90))).decode()
        case 4:
            return chance.choice(("[" * 2_000, "é" * 300, "\x00", "=", "AAAA", "x" * 2_048))
        case _:
            return _elsewhere(token, chance)


def _elsewhere(token: str, chance: random.Random) -> str:
    """A token of the same query that names another place, as anybody can make it who reads one."""
    try:
        tree = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
    except ValueError:
        return token[::-1]
    key = tree[-1] if isinstance(tree, list) and isinstance(tree[-1], list) else []
    for changed in _keys(key, chance):
        key = changed
    text = json.dumps([*tree[:-1], key])
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def _keys(key: list[object], chance: random.Random) -> Iterator[list[object]]:
    """The key with a part changed, one more or one less."""
    match chance.randrange(6):
        case 0:
            yield key[:-1]
        case 1:
            yield [*key, chance.choice(_PARTS)]
        case _:
            at = chance.randrange(len(key)) if key else 0
            yield [*key[:at], chance.choice(_PARTS), *key[at + 1 :]]
