"""Reads `tests/data/cascade`: what is derived from what, what happens, and what is to be marked."""

import json
from pathlib import Path
from typing import NotRequired, TypedDict


class Node(TypedDict):
    """A memory as the file has it."""

    id: str
    kind: str
    derived_from: list[str]
    text: NotRequired[str]
    subject: NotRequired[str]
    predicate: NotRequired[str]
    object: NotRequired[str]
    valid_from: NotRequired[str | None]
    source: NotRequired[str]
    private_to: NotRequired[str]
    single_valued: NotRequired[bool]


# "assert" is no name in Python, hence the call.
Step = TypedDict(
    "Step",
    {"assert": NotRequired[Node], "retract": NotRequired[str], "confirm": NotRequired[str]},
)
Chain = TypedDict(
    "Chain",
    {
        "id": str,
        "memories": list[Node],
        "steps": list[Step],
        "needs_review": list[str],
        "not": list[str],
    },
)
"""What is there, what happens, and what has to be marked then."""

FILE = Path(__file__).parents[1] / "data" / "cascade" / "chains.jsonl"
CHAINS: list[Chain] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
NAMES = [chain["id"] for chain in CHAINS]


def text_of(node: Node) -> str:
    """What it says."""
    said = (node.get("subject", ""), node.get("predicate", ""), node.get("object", ""))
    return node.get("text") or " ".join(said)
