"""Broken exports: one line of a whole export changed, its counts and checksum mended or not."""

import base64
import hashlib
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.hostile.calls import Target, look_again
from benchmarks.hostile.filling import fill
from benchmarks.hostile.mutations import STRANGE, broken_bytes
from benchmarks.hostile.plausible import Composer, Known

IMPORTED = "broken import"
READ = "read of an import"
WORKED_ON = "write to an import"
SOURCE = "import-source"
_COUNTED_AS = {
    "memory": "memories",
    "activity": "activities",
    "entity": "entities",
    "copy": "copies",
    "work": "work",
}
_UNCOUNTED = ("manifest", "trailer", "cursors", "tombstone_key")
_INTS = (7, 2**31 - 1, 999_999_999, 10_000_000, 253_402_300_799_999_999, -62_135_596_800_000_000)
_ALIKE_SHARE = 0.6
_DEEP = "[" * 100_000
_VALUES: Sequence[object] = (
    *(10**18, -1, 2**63 - 1, -(2**63), 2**63, 10**400, 0, 1, 2**31, 253_402_300_800_000_000),
    *(-62_135_596_800_000_001, 0.5, -0.5, 1e308, -1e308, True, False, None, [], {}, ["a"]),
    *([["a"]], {"a": 1}, "\ud800", "a\udfff", "\x00", "999", "None", [None], [1], "a" * 70_000),
    *STRANGE,
)
Tree = dict[str, object]
Leaf = tuple[Tree | list[object], str | int, str, object]


async def attack(target: Target, imports: int, seed: int, *, worked_on: bool = True) -> None:
    """Import so many, each into a namespace of its own that is then read, exported and deleted."""
    chance, known = random.Random(f"imports {seed}"), Known()
    await fill(target.wire, target.rpcs, SOURCE, known)
    lines = await exported(target, SOURCE)
    for number in range(imports):
        told, body = broken(lines, chance)
        name = f"import-{seed}-{number}"
        composer = Composer(chance, Known(), name)
        if (cause := await _imported(target, name, body, told)) is not None:
            await _live(replace(target, cause=cause), composer, worked_on=worked_on)
    await target.delete(SOURCE)


async def exported(target: Target, namespace: str) -> Sequence[bytes]:
    """The lines of an export."""
    rpc = target.rpcs["AdminService.ExportNamespace"]
    answer = await target.wire.send(rpc, rpc.request(namespace=namespace).SerializeToString())
    chunks = [getattr(rpc.response.FromString(one), "chunk") for one in answer.received]  # noqa: B009
    return b"".join(chunks).splitlines()


async def _imported(target: Target, namespace: str, body: bytes, told: str) -> str | None:
    """Import; what later faults would come of where it was taken, else None."""
    rpc = target.rpcs["AdminService.ImportNamespace"]
    parts = [rpc.request(header={"namespace": namespace}), rpc.request(chunk=body)]
    answer = await target.wire.send(rpc, *(part.SerializeToString() for part in parts))
    target.tally.note(IMPORTED, rpc, answer, told)
    return f"{told} || " if answer.code == "OK" else None


async def _live(target: Target, composer: Composer, *, worked_on: bool) -> None:
    """Read all of a namespace, write to it and let it sleep, read it again, and remove it."""
    await look_again(target, composer.namespace, composer.known)
    await target.read(READ, composer, composer.known)
    if worked_on:
        await target.work(WORKED_ON, composer)
        await target.read(READ, composer, composer.known)
    await target.delete(composer.namespace)


def broken(lines: Sequence[bytes], chance: random.Random) -> tuple[str, bytes]:
    """The name of a break, and an export that is broken so."""
    break_it = chance.choice((*_BREAKS, *(_row,) * 14))
    return break_it(lines, chance)


def _cut_short(lines: Sequence[bytes], chance: random.Random) -> tuple[str, bytes]:
    whole = b"\n".join(lines) + b"\n"
    return "cut short", whole[: chance.randrange(len(whole))]


def _damaged(lines: Sequence[bytes], chance: random.Random) -> tuple[str, bytes]:
    return "bytes changed", broken_bytes(b"\n".join(lines) + b"\n", chance)


def _shuffled(lines: Sequence[bytes], chance: random.Random) -> tuple[str, bytes]:
    rows = chance.sample(lines[1:-1], len(lines) - 2)
    return "lines in another order", mended(rows, lines)


def _doubled(lines: Sequence[bytes], chance: random.Random) -> tuple[str, bytes]:
    twice = chance.choice(lines[1:-2])
    return f"twice: {twice[:80]!r}", mended([*lines[1:-2], twice, lines[-2]], lines)


def _left_out(lines: Sequence[bytes], chance: random.Random) -> tuple[str, bytes]:
    left = [*lines[1:-1]]
    gone = left.pop(chance.randrange(len(left)))
    return f"left out: {gone[:80]!r}", mended(left, lines)


def _frame(lines: Sequence[bytes], chance: random.Random) -> tuple[str, bytes]:
    """A manifest or trailer that says something else."""
    changed = [*lines]
    at = chance.choice((0, -1, -2))
    tree = json.loads(lines[at])
    told = _change(tree, chance)
    changed[at] = _line(tree)
    kind = ("manifest", "cursors", "trailer")[at]
    if at == -1:
        return f"{kind}: {told}", b"\n".join(changed) + b"\n"
    return f"{kind}: {told}", mended(changed[1:-1], changed)


def _row(lines: Sequence[bytes], chance: random.Random) -> tuple[str, bytes]:
    """One record, or some of one type, changed; types are drawn evenly."""
    trees = [json.loads(line) for line in lines[1:-1]]
    kind = chance.choice(sorted({str(tree["type"]) for tree in trees}))
    places = [at for at, tree in enumerate(trees) if tree["type"] == kind]
    rows = [*lines[1:-1]]
    told = ""
    for at in chance.sample(places, min(len(places), chance.choice((1, 1, 1, 2)))):
        told = _change(trees[at], chance)
        rows[at] = _line(trees[at])
        if chance.random() < 0.05:
            rows[at] = rows[at].replace(b'"type"', b'"deep":' + _DEEP.encode() + b',"type"', 1)
            told += " and nested deeply"
        if chance.random() < 0.03:
            rows[at] = rows[at].replace(b'"', b'"\xed\xa0\x80', 1)
            told += " and a lone surrogate as bytes"
    return f"{kind}: {told}", mended(rows, lines)


def _change(tree: Tree, chance: random.Random) -> str:
    """Change one value anywhere in a tree; answers what became of what."""
    holder, key, path, before = chance.choice(_leaves(tree))
    if chance.random() < 0.06:
        del holder[key]  # type: ignore[arg-type]
        return f"{path} left out"
    value = chance.choice(_VALUES)
    if chance.random() < _ALIKE_SHARE:
        value = _alike(tree, before, chance)
    if path.endswith(("float32", "packed")) and chance.random() < 0.5:
        value = base64.b64encode(chance.randbytes(chance.choice((0, 3, 4, 1024)))).decode()
    holder[key] = value  # type: ignore[index]
    return f"{path} = {str(value)[:60]!r}"


def _alike(tree: Tree, before: object, chance: random.Random) -> object:
    """Another value of the same type, which only rules of its meaning can refuse."""
    match before:
        case bool():
            return not before
        case int():
            return chance.choice((0, 1, before + 1, before - 1, 2 * before, *_INTS))
        case float():
            return chance.choice((0.0, 1.0, -before, before / 3, 5e-324))
        case str():
            texts = [value for _, _, _, value in _leaves(tree) if isinstance(value, str)]
            return chance.choice((*texts, before[:-1], before.upper(), "", "{}", "[]", "nobody"))
        case list():
            return before * chance.choice((2, 300))
        case _:
            return chance.choice((0, 1.0, "nobody", {}))


def _leaves(held: object, path: str = "") -> list[Leaf]:
    """Every value of a tree with its holder, its key and its path."""
    found: list[Leaf] = []
    pairs: list[tuple[str | int, object]] = []
    if isinstance(held, dict):
        pairs = [*held.items()]
    elif isinstance(held, list):
        pairs = [*enumerate(held)]
    for key, value in pairs:
        assert isinstance(held, dict | list)
        below = f"{path}.{key}" if path else str(key)
        found.append((held, key, below, value))
        found += _leaves(value, below)
    return found


def mended(rows: Sequence[bytes], lines: Sequence[bytes]) -> bytes:
    """The rows in a frame whose counts and checksum are right."""
    counts = _counts(rows)
    manifest = json.loads(lines[0])
    if isinstance(manifest.get("counts"), dict):
        manifest["counts"] = dict.fromkeys(manifest["counts"], 0) | counts
    body = [_line(manifest), *rows]
    digest = hashlib.sha256(b"".join(row + b"\n" for row in body)).hexdigest()
    names = json.loads(lines[-1])["counts"]
    trailer: Tree = {
        "type": "trailer",
        "counts": dict.fromkeys(names, 0) | counts,
        "sha256": digest,
    }
    return b"\n".join([*body, _line(trailer)]) + b"\n"


def _counts(rows: Sequence[bytes]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in rows:
        try:
            tree = json.loads(row)
        except (ValueError, RecursionError):
            continue
        kind = tree.get("type") if isinstance(tree, dict) else None
        if isinstance(kind, str) and kind not in _UNCOUNTED:
            counts[_COUNTED_AS.get(kind, f"{kind}s")] += 1
            counts["embeddings"] += kind == "memory" and tree.get("vectors") is not None
    return counts


def _line(tree: Tree) -> bytes:
    """A line as it is written; lone surrogates as escapes, or as the bytes that they are."""
    return json.dumps(tree, ensure_ascii=False).encode("utf-8", "surrogatepass")


_BREAKS = (_cut_short, _damaged, _shuffled, _doubled, _left_out, _frame)
