"""Documents, vectors and hypothesis strategies for tests of the index."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from anamnesis_libs.chunking import split
from anamnesis_libs.index.memory_index import MemoryIndex
from anamnesis_libs.index.port import Document, Query, Rows, SearchScope, Vector
from tests.unit.libs.index.reference import DIMENSION

WORDS = (
    "garden",
    "Rome",
    "flights",
    "was",
    "sister's",
    "paint",
    "blue",
    "八月",
    "我喜歡茶",
    "cats",
)
IDS = [f"m{number:02d}" for number in range(16)]


def unit_rows(seed: int, count: int) -> Rows:
    rows = np.random.default_rng(seed).standard_normal((count, DIMENSION)).astype(np.float32)
    return _unit_length(rows)


def unit(seed: int) -> Vector:
    vector: Vector = unit_rows(seed, 1)[0]
    return vector


def vectors_of(text: str, seed: int = 0, session: str = "") -> Rows:
    """Random, but alike in a session."""
    rows = unit_rows(seed, len(split(text)))
    if session:
        rows = rows + np.float32(1.5) * unit(1000 + ord(session[0]))
    return _unit_length(rows)


def _unit_length(rows: Rows) -> Rows:
    lengths: Rows = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / lengths


def document(memory_id: str, text: str, **fields: object) -> Document:
    return replace(Document(memory_id, text, "episodic"), **fields)  # type: ignore[arg-type]


def embedded(memory_id: str, text: str, seed: int = 0, **fields: object) -> Document:
    return document(memory_id, text, vectors=vectors_of(text, seed), **fields)


def filled(*documents: Document) -> MemoryIndex:
    index = MemoryIndex(DIMENSION)
    index.put(documents)
    return index


def found_ids(index: MemoryIndex, text: str, scope: SearchScope | None = None) -> list[str]:
    return [hit.memory_id for hit in index.find(Query(text, None, scope or SearchScope())).hits]


def long_text(words: list[str]) -> str:
    sentence = " ".join(words) + " and so it went on for quite a long while. "
    return sentence * (400 // (len(words) + 10))


TEXTS = st.builds(
    lambda words, end, long: long_text(words) if long else " ".join(words) + end,
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=5),
    st.sampled_from(["", "?", "."]),
    st.sampled_from([False, False, False, True]),
)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(TEXTS)
    seed = draw(st.sampled_from([None, *range(6)]))
    session = draw(st.sampled_from(["s", "s", "t", "t", ""]))
    return Document(
        memory_id=draw(st.sampled_from(IDS)),
        text=text,
        kind=draw(st.sampled_from(["episodic", "episodic", "semantic"])),
        role=draw(st.sampled_from(["user", "assistant", ""])),
        name=draw(st.sampled_from(["Ann", "Bo Lee", ""])),
        session_id=session,
        position=draw(st.sampled_from([None, *range(7)])),
        event_time_us=draw(st.sampled_from([None, 0, 1_683_504_000_000_000])),
        create_time_us=draw(st.integers(0, 3)),
        importance=draw(st.sampled_from([0.2, 0.5, 0.9])),
        category=draw(st.sampled_from(["", "note"])),
        tags=draw(st.sampled_from([(), ("Travel",), ("travel", "home"), ("@l:Rome", "garden")])),
        entities=draw(st.sampled_from([(), ("Rome",)])),
        agent_id=draw(st.sampled_from(["", "a1", "a2"])),
        user_id=draw(st.sampled_from(["", "u1", "u1", "␟u1␟u2␟", "␟u2␟u3␟"])),
        visibility=draw(
            st.sampled_from(["shared", "shared", "shared", "private_to_agent", "private_to_user"])
        ),
        origin=draw(st.sampled_from(["observed", "asserted"])),
        archived=draw(st.sampled_from([False, False, False, True])),
        valid_from_us=draw(st.sampled_from([None, None, -5, 5])),
        valid_to_us=draw(st.sampled_from([None, None, 5, 9])),
        vectors=None if seed is None else vectors_of(text, seed, session),
    )


@st.composite
def conversations(draw: st.DrawFn) -> list[Document]:
    """Two sessions that hang together, of people, of roles, or of neither."""
    speakers = draw(st.sampled_from([("Ann", "Bo Lee", ""), ("", "", "user"), ("", "", "")]))
    made = []
    for number, memory_id in enumerate(draw(st.permutations(IDS))[: draw(st.integers(10, 16))]):
        session = "st"[number % 2]
        text = draw(TEXTS)
        seed = draw(st.sampled_from([None, *range(12)]))
        turn = replace(
            draw(documents()),
            memory_id=memory_id,
            text=text,
            session_id=session,
            position=draw(st.integers(0, 9)),
            name=speakers[number // 2 % 2],
            role=speakers[2],
            vectors=None if seed is None else vectors_of(text, seed, session),
        )
        if speakers[2] and number // 2 % 2:
            turn = replace(turn, role="assistant")
        if draw(st.integers(0, 4)):
            turn = replace(turn, visibility="shared", archived=False)
        made.append(turn)
    return made


SCOPES = st.builds(
    SearchScope,
    caller_agent=st.sampled_from(["", "a1", "a2", "stranger"]),
    caller_user=st.sampled_from(["", "u1", "u2"]),
    kinds=st.sampled_from([(), ("episodic",), ("episodic", "semantic")]),
    categories=st.sampled_from([(), (), ("note", "never")]),
    tags=st.sampled_from([(), (), ("TRAVEL",)]),
    entities=st.sampled_from([(), (), ("rome", "paris")]),
    agent_id=st.sampled_from(["", "", "a1"]),
    user_id=st.sampled_from(["", "", "u1", "u2"]),
    session_ids=st.sampled_from([(), (), ("s",), ("t", "nowhere")]),
    origins=st.sampled_from([(), (), ("observed",)]),
    start_time_us=st.sampled_from([None, None, 0, 5]),
    end_time_us=st.sampled_from([None, None, 5]),
    min_importance=st.sampled_from([0.0, 0.0, 0.5]),
    include_archived=st.booleans(),
    as_of_us=st.sampled_from([None, None, None, 0, 5, 9]),
)

QUERIES = st.builds(
    Query,
    text=st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join),
    vector=st.sampled_from([None, *map(unit, range(100, 104))]),
    scope=st.sampled_from([SearchScope(), SearchScope(caller_agent="a1")]) | SCOPES,
)
