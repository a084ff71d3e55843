"""LangGraph's `BaseStore` over documents: what LangGraph asks of its own stores."""

import asyncio
import itertools
import json
import random
import time
from collections.abc import Callable
from typing import Protocol, cast

import pytest

from anamnesis_client import Anamnesis, InvalidArgument, Unreachable
from tests.frameworks.conftest import Told
from tests.support.processes import Process

pytest.importorskip("langgraph", reason="langgraph is not installed: make test-frameworks")

from langchain_core.messages import BaseMessage
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    Item,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)
from langgraph.store.memory import InMemoryStore

from anamnesis_client.integrations.langgraph_store import AnamnesisStore

Make = Callable[..., AnamnesisStore]
_NUMBERS = itertools.count()
NS = ("test",)


class Graph(Protocol):
    """A graph that was compiled."""

    def invoke(self, state: object) -> dict[str, list[BaseMessage]]:
        """The state after a run."""


@pytest.fixture
def make(suite: Process) -> Make:
    """Makes stores over one new namespace."""
    memory = Anamnesis(suite.address, namespace=f"store-{next(_NUMBERS)}", user="mara")
    return lambda **options: AnamnesisStore(memory, **options)


@pytest.fixture
def store(make: Make) -> AnamnesisStore:
    """An empty store."""
    return make()


def keys(found: list[object]) -> list[str]:
    return [one.key for one in found]  # type: ignore[attr-defined]


def filled(store: AnamnesisStore, *namespaces: tuple[str, ...]) -> None:
    store.batch([PutOp(one, "k", {"n": place}) for place, one in enumerate(namespaces)])


# Batches


def test_results_come_in_the_order_of_operations(store: AnamnesisStore) -> None:
    store.put(("test", "foo"), "key1", {"data": "one"})
    got, put, found, listed, missing = store.batch(
        [
            GetOp(("test", "foo"), "key1"),
            PutOp(("test", "bar"), "key2", {"data": "two"}),
            SearchOp(NS, filter={"data": "one"}),
            ListNamespacesOp(),
            GetOp(NS, "key3"),
        ]
    )
    assert (got.value, put, keys(found), missing) == ({"data": "one"}, None, ["key1"], None)
    assert listed == [("test", "foo")], "a batch reads what was there before it"
    assert store.get(("test", "bar"), "key2").value == {"data": "two"}


def test_gets_of_one_batch(store: AnamnesisStore) -> None:
    store.batch([PutOp(NS, "a", {"n": 1}), PutOp(NS, "b", {"n": 2})])
    found = store.batch([GetOp(NS, "b"), GetOp(NS, "none"), GetOp(NS, "a"), GetOp(NS, "b")])
    assert [one and one.value["n"] for one in found] == [2, None, 1, 2]


def test_puts_and_deletes_of_one_batch(store: AnamnesisStore) -> None:
    store.put(NS, "c", {"n": 3})
    ops = [PutOp(NS, "a", {"n": 1}), PutOp(NS, "b", {"n": 2}), PutOp(NS, "c", None)]
    assert store.batch(ops) == [None, None, None]
    assert keys(store.search(NS)) == ["a", "b"]


def test_of_two_puts_of_a_key_the_last_one_counts(store: AnamnesisStore) -> None:
    store.batch([PutOp(NS, "k", {"n": 1}), PutOp(NS, "k", {"n": 2})])
    assert store.get(NS, "k").value == {"n": 2}
    store.batch([PutOp(NS, "k", {"n": 3}), PutOp(NS, "k", None)])
    assert store.get(NS, "k") is None


def test_searches_of_one_batch(store: AnamnesisStore) -> None:
    store.put(("test", "foo"), "k1", {"tag": "a"})
    store.put(("test", "bar"), "k2", {"tag": "a"})
    store.put(("test", "baz"), "k3", {"tag": "b"})
    by_tag, two, foo = store.batch(
        [SearchOp(NS, filter={"tag": "a"}), SearchOp(NS, limit=2), SearchOp(("test", "foo"))]
    )
    assert (sorted(keys(by_tag)), len(two), keys(foo)) == (["k1", "k2"], 2, ["k1"])


def test_lists_of_one_batch(store: AnamnesisStore) -> None:
    every = [("p", "d", "x"), ("t", "d", "x"), ("t", "d", "y"), ("t", "i", "x")]
    filled(store, *every)
    all_of_them, cut, ends, text = store.batch(
        [
            ListNamespacesOp(),
            ListNamespacesOp(max_depth=2),
            ListNamespacesOp(match_conditions=(MatchCondition("suffix", ("x",)),)),
            ListNamespacesOp(match_conditions=(MatchCondition("suffix", "x"),)),
        ]
    )
    assert all_of_them == every
    assert cut == [("p", "d"), ("t", "d"), ("t", "i")]
    assert ends == text == [every[0], every[1], every[3]]


# Items


def test_an_item_from_put_to_delete(store: AnamnesisStore) -> None:
    store.put(("test", "docs"), "d", {"title": "A", "n": [1, 2.5, None, True]})
    first = store.get(("test", "docs"), "d")
    assert (first.namespace, first.key) == (("test", "docs"), "d")
    assert first.value == {"title": "A", "n": [1, 2.5, None, True]}
    store.put(("test", "docs"), "d", {"title": "B"})
    second = store.get(("test", "docs"), "d")
    assert second.value == {"title": "B"}
    assert second.updated_at > first.updated_at
    assert second.created_at == first.created_at
    assert store.get(("test", "other"), "d") is None
    store.delete(("test", "docs"), "d")
    assert store.get(("test", "docs"), "d") is None
    store.delete(("test", "docs"), "d")


def test_values_keep_their_types_and_order(store: AnamnesisStore) -> None:
    value = {"z": 2**60, "a": 1.0, "中": {"y": [], "x": {}}, "t": "a\nb\u2028c"}
    store.put(NS, "k", value)
    held = store.get(NS, "k").value
    assert held == value
    assert [*held] == [*value]
    assert isinstance(held["a"], float)


async def test_async_calls_do_the_same(store: AnamnesisStore) -> None:
    await store.aput(NS, "a", {"n": 1})
    await store.aput(NS, "b", {"n": 2})
    assert (await store.aget(NS, "a")).value == {"n": 1}
    assert keys(await store.asearch(NS, filter={"n": {"$gt": 1}})) == ["b"]
    assert await store.alist_namespaces() == [NS]
    await store.adelete(NS, "a")
    assert await store.aget(NS, "a") is None


async def test_concurrent_calls_get_their_own_answers(store: AnamnesisStore) -> None:
    await asyncio.gather(*(store.aput(NS, f"k{n}", {"n": n}) for n in range(12)))
    found = await asyncio.gather(*(store.aget(NS, f"k{n}") for n in range(12)))
    assert [one.value["n"] for one in found] == [*range(12)]


# Namespaces


async def test_namespaces_that_langgraph_refuses(store: AnamnesisStore) -> None:
    for refused in ((), ("the", "thing.about"), ("some", "fun", ""), ("langgraph", "foo")):
        with pytest.raises(InvalidNamespaceError):
            store.put(refused, "k", {"n": 1})
        with pytest.raises(InvalidNamespaceError):
            await store.aput(refused, "k", {"n": 1})
    store.put(("foo", "langgraph"), "k", {"n": 1})
    assert store.get(("foo", "langgraph"), "k").value == {"n": 1}


def test_past_the_public_methods_all_labels_go(store: AnamnesisStore) -> None:
    for namespace in (("langgraph", "foo"), ("a.b", "c"), ("a", "b.c")):
        store.batch([PutOp(namespace, "k", {"of": namespace[0]})])
    found = store.batch([GetOp(("langgraph", "foo"), "k"), GetOp(("a.b", "c"), "k")])
    assert [one.value for one in found] == [{"of": "langgraph"}, {"of": "a.b"}]
    assert keys(store.search(("a",))) == ["k"]
    assert store.list_namespaces() == [("a", "b.c"), ("a.b", "c"), ("langgraph", "foo")]


def test_a_prefix_ends_with_a_segment(store: AnamnesisStore) -> None:
    filled(store, ("user", "1"), ("user", "12"), ("users",))
    assert [one.namespace for one in store.search(("user", "1"))] == [("user", "1")]
    assert [one.namespace for one in store.search(("user",))] == [("user", "1"), ("user", "12")]
    assert store.list_namespaces(prefix=("user", "1")) == [("user", "1")]


def test_signs_of_patterns_are_letters(store: AnamnesisStore) -> None:
    filled(store, ("a%b",), ("axb",), ("a_b",), ("a\\b",), ("a'b",), ("A%B",))
    for label in ("a%b", "a_b", "a\\b", "a'b"):
        assert [one.namespace for one in store.search((label,))] == [(label,)]
        assert store.list_namespaces(prefix=(label,)) == [(label,)]


def test_an_empty_prefix_is_of_all(store: AnamnesisStore) -> None:
    filled(store, ("a",), ("b", "c"))
    assert len(store.search(())) == 2
    assert len(store.search((), query="n")) == 2
    assert store.list_namespaces(prefix=()) == [("a",), ("b", "c")]


def test_namespaces_by_what_they_begin_and_end_with(store: AnamnesisStore) -> None:
    filled(store, ("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "f"), ("a", "c", "f"))
    filled(store, ("b", "a", "f"), ("users", "123"))
    listed = store.list_namespaces
    assert listed(prefix=("a", "b")) == [("a", "b", "c"), ("a", "b", "d", "e"), ("a", "b", "f")]
    assert listed(suffix=("f",)) == [("a", "b", "f"), ("a", "c", "f"), ("b", "a", "f")]
    assert listed(prefix=("a",), suffix=("f",)) == [("a", "b", "f"), ("a", "c", "f")]
    assert listed(prefix=("nobody",)) == []


def test_namespaces_by_wildcards(store: AnamnesisStore) -> None:
    filled(store, ("users", "1"), ("users", "2", "s"), ("admin", "users", "1"), ("guests", "1"))
    listed = store.list_namespaces
    assert listed(prefix=("users", "*")) == [("users", "1"), ("users", "2", "s")]
    assert listed(prefix=("*", "users")) == [("admin", "users", "1")]
    assert listed(suffix=("*", "s")) == [("users", "2", "s")]
    assert listed(suffix=("users", "*")) == [("admin", "users", "1"), ("users", "1")]
    assert listed(prefix=("*", "users"), suffix=("*", "s")) == []


def test_namespaces_cut_to_a_depth(store: AnamnesisStore) -> None:
    filled(store, ("a", "b", "c", "d"), ("a", "b", "c", "e"), ("a", "b", "f"), ("a", "g"))
    assert store.list_namespaces(max_depth=2) == [("a", "b"), ("a", "g")]
    assert store.list_namespaces(prefix=("a", "b"), max_depth=3) == [
        ("a", "b", "c"),
        ("a", "b", "f"),
    ]


def test_namespaces_in_pages(store: AnamnesisStore) -> None:
    every = [("ns", f"{n:02d}") for n in range(20)]
    filled(store, *every)
    assert store.list_namespaces(limit=5) == every[:5]
    assert store.list_namespaces(limit=5, offset=5) == every[5:10]
    assert store.list_namespaces(limit=5, offset=18) == every[18:]
    assert store.list_namespaces(offset=20) == []


def test_an_empty_store_has_nothing(store: AnamnesisStore) -> None:
    assert store.list_namespaces() == []
    assert store.search(()) == []
    assert store.search((), query="anything") == []
    assert store.get(NS, "k") is None


def test_a_namespace_goes_with_its_last_item(store: AnamnesisStore) -> None:
    filled(store, ("a",), ("b",))
    store.delete(("a",), "k")
    assert store.list_namespaces() == [("b",)]


# Searches without a query


def test_items_by_values(store: AnamnesisStore) -> None:
    store.put(("test", "docs"), "d1", {"author": "Alice", "tags": ["x"], "in": {"a": 1, "b": 2}})
    store.put(("test", "docs"), "d2", {"author": "Bob", "tags": ["y"], "in": {"a": 2}})
    store.put(("test", "images"), "i1", {"author": "Alice", "tags": ["x", "y"]})
    for wanted, expected in (
        ({"author": "Alice"}, ["d1", "i1"]),
        ({"author": {"$eq": "Bob"}}, ["d2"]),
        ({"author": {"$ne": "Alice"}}, ["d2"]),
        ({"tags": ["x"]}, ["d1"]),
        ({"in": {"a": 1}}, ["d1"]),
        ({"in": {"a": {"$gt": 1}}}, ["d2"]),
        ({"absent": None}, ["d1", "d2", "i1"]),
        ({"author": "Alice", "tags": ["x", "y"]}, ["i1"]),
    ):
        assert keys(store.search(NS, filter=wanted)) == expected, wanted
    assert keys(store.search(("test", "docs"), filter={"author": "Alice"})) == ["d1"]


def test_numbers_are_compared_as_numbers(store: AnamnesisStore) -> None:
    for key, score in (("a", 2), ("b", 9), ("c", 10), ("d", 9.5)):
        store.put(NS, key, {"score": score})
    for operator, expected in (
        ({"$gte": 10}, ["c"]),
        ({"$gt": 9}, ["c", "d"]),
        ({"$lt": 10}, ["a", "b", "d"]),
        ({"$lte": 9}, ["a", "b"]),
        ({"$gt": 2, "$lt": 10}, ["b", "d"]),
    ):
        assert keys(store.search(NS, filter={"score": operator})) == expected, operator
    store.put(("names",), "b", {"name": "banana"})
    assert keys(store.search(("names",), filter={"name": {"$gt": "apple"}})) == ["b"]


def test_an_unknown_operator_is_refused(store: AnamnesisStore) -> None:
    store.put(NS, "k", {"n": 1})
    with pytest.raises(InvalidArgument, match=r"\$near"):
        store.search(NS, filter={"n": {"$near": 1}})


def test_items_in_pages(store: AnamnesisStore) -> None:
    store.batch([PutOp(NS, f"k{n:02d}", {"n": n}) for n in range(25)])
    assert len(store.search(NS)) == 10
    pages = [keys(store.search(NS, limit=10, offset=offset)) for offset in (0, 10, 20, 30)]
    parts = (range(10), range(10, 20), range(20, 25), range(0))
    assert pages == [[f"k{n:02d}" for n in part] for part in parts]
    odd = store.search(NS, filter={"n": {"$gte": 20}}, limit=2, offset=1)
    assert keys(odd) == ["k21", "k22"]
    assert [one.score for one in odd] == [None, None]


# Searches with a query


def test_what_is_put_is_found_by_its_meaning(store: AnamnesisStore) -> None:
    store.put(NS, "food", {"text": "I love pizza and pasta"})
    store.put(NS, "work", {"text": "I am a plumber by trade"})
    store.put(NS, "pets", {"text": "My cat is called Minka"})
    assert keys(store.search(NS, query="what does she like to eat?"))[0] == "food"
    assert keys(store.search(NS, query="what is her profession?"))[0] == "work"
    scores = [one.score for one in store.search(NS, query="Minka")]
    assert scores == sorted(scores, reverse=True)


def test_an_update_is_searched_by_its_new_text(store: AnamnesisStore) -> None:
    store.put(NS, "d1", {"text": "zany zebra Xerxes"})
    store.put(NS, "d2", {"text": "something about dogs"})
    store.put(NS, "d3", {"text": "text about birds"})
    before = store.search(NS, query="Zany Xerxes")
    assert before[0].key == "d1"
    store.put(NS, "d1", {"text": "new text about dogs"})
    after = {one.key: one.score for one in store.search(NS, query="Zany Xerxes")}
    assert after["d1"] < before[0].score
    assert keys(store.search(NS, query="new text about dogs"))[0] == "d1"


def test_a_query_and_a_filter_together(store: AnamnesisStore) -> None:
    store.put(NS, "d1", {"text": "red apple", "color": "red", "score": 4.5})
    store.put(NS, "d2", {"text": "red car", "color": "red", "score": 3.0})
    store.put(NS, "d3", {"text": "green apple", "color": "green", "score": 4.0})
    store.put(NS, "d4", {"text": "blue car", "color": "blue", "score": 3.5})
    assert keys(store.search(NS, query="apple", filter={"color": "red"})) == ["d1", "d2"]
    assert keys(store.search(NS, query="car", filter={"color": "red"})) == ["d2", "d1"]
    assert keys(store.search(NS, query="blue", filter={"score": {"$gt": 3.2}}))[0] == "d4"
    wanted = {"score": {"$gte": 4.0}, "color": "green"}
    assert keys(store.search(NS, query="apple", filter=wanted)) == ["d3"]


def test_a_query_in_pages(store: AnamnesisStore) -> None:
    for n in range(5):
        store.put(NS, f"d{n}", {"text": f"test document number {n}"})
    first = keys(store.search(NS, query="test", limit=2))
    second = keys(store.search(NS, query="test", limit=2, offset=2))
    assert (len(first), len(second)) == (2, 2)
    assert {*first}.isdisjoint(second)
    assert len(store.search(NS, query="test", limit=10)) == 5


def test_queries_of_every_shape(store: AnamnesisStore) -> None:
    store.put(NS, "d", {"text": "test document"})
    for query in ("", None, "test " * 100, "test!@#$%^&*()", "完全不同", "?"):
        assert keys(store.search(NS, query=query)) == ["d"], query


def test_only_the_named_fields_are_searched(make: Make) -> None:
    store = make(fields=["key0", "key1", "key3"])
    store.put(NS, "doc1", {"key1": "walnut", "key2": "hazelnut", "key3": "plum"})
    store.put(NS, "doc2", {"key0": "cherry", "key1": "apple", "key2": "quince", "key3": "walnut"})
    assert keys(store.search(NS, query="cherry")) == ["doc2", "doc1"]
    assert keys(store.search(NS, query="plum")) == ["doc1", "doc2"]
    memory = store._memory  # what is searched is told by the documents alone
    words = {hit.document.key: hit.score for hit in memory.search_documents("quince")}
    found = {hit.document.key: hit.score for hit in memory.search_documents("cherry")}
    assert words["doc2"] < found["doc2"], "a field that is not named says nothing"


def test_a_put_names_its_own_fields(make: Make) -> None:
    store = make(fields=["absent"])
    store.put(NS, "d3", {"a": "walnut", "b": "plum", "c": ["pear"]}, index=["a", "b"])
    store.put(NS, "d4", {"a": "cherry", "b": "plum", "c": ["kiwi"]}, index=["b", "c[*]"])
    store.put(NS, "d5", {"a": "quince"})
    store.put(NS, "d6", {"a": "walnut"}, index=False)
    assert keys(store.search(NS, query="walnut")) == ["d3", "d4"]
    assert keys(store.search(NS, query="kiwi")) == ["d4", "d3"]
    assert keys(store.search(NS)) == ["d3", "d4", "d5", "d6"], "listed all the same"
    assert all(one.score is None for one in store.search(NS))


def test_texts_in_every_script(store: AnamnesisStore) -> None:
    texts = {
        "1": "这是中文",
        "2": "これは日本語です",
        "3": "이건 한국어야",
        "4": "Это русский",
        "5": "यह हिन्दी है",
    }
    for key, text in texts.items():
        store.put(("user_123", "memories"), key, {"text": text})
    first = {key: keys(store.search(("user_123",), query=text))[0] for key, text in texts.items()}
    assert first == {key: key for key in texts}


# Time to live


def test_time_to_live_begins_anew_with_a_read(store: AnamnesisStore) -> None:
    life_s = 4.0
    minutes = life_s / 60
    for key in ("read", "searched", "peeked", "let go"):
        store.put(NS, key, {"n": 1}, ttl=minutes)
    time.sleep(life_s * 0.6)
    store.get(NS, "read")
    store.search(NS, filter={"n": 1}, limit=2)
    store.get(NS, "peeked", refresh_ttl=False)
    time.sleep(life_s * 0.6)
    assert keys(store.search(NS, refresh_ttl=False)) == ["read", "searched"]


def test_time_to_live_by_default(make: Make) -> None:
    store = make(ttl={"default_ttl": 2 / 60, "refresh_on_read": False})
    store.put(NS, "short", {"n": 1})
    store.put(NS, "long", {"n": 1}, ttl=None)
    assert len(store.search(NS)) == 2
    time.sleep(2.2)
    assert keys(store.search(NS)) == ["long"]


# As LangGraph's own store

OPERANDS = (None, 0, 1, 2.0, "a", "b", [1], {"x": 1})


def drawn_ops(rng: random.Random) -> list[object]:
    """Operations on few names, so that they meet each other."""
    ops: list[object] = []
    for _ in range(rng.randint(1, 8)):
        namespace = tuple(rng.choices(("a", "b", "ab"), k=rng.randint(1, 3)))
        prefix, key = namespace[: rng.randint(0, 2)], rng.choice("kl")
        value = {"n": rng.choice(OPERANDS), "in": {"x": rng.choice(OPERANDS)}}
        wanted = rng.choice(
            (
                None,
                {"n": rng.choice(OPERANDS)},
                {"n": {"$ne": rng.choice(OPERANDS)}},
                {"in": {"x": rng.choice(OPERANDS)}},
            )
        )
        path = tuple(rng.choice((one, one, "*")) for one in namespace)
        match = (MatchCondition(rng.choice(("prefix", "suffix")), path),)
        ops += rng.choices(
            (
                PutOp(namespace, key, value),
                PutOp(namespace, key, None),
                GetOp(namespace, key),
                SearchOp(prefix, filter=wanted, limit=99),
                ListNamespacesOp(rng.choice((None, match)), rng.choice((None, 1, 2))),
            ),
            weights=(4, 1, 2, 3, 2),
        )
    return sorted(ops, key=lambda op: not isinstance(op, ListNamespacesOp))


def plain(result: object) -> object:
    """A result without times and order of items; a namespace that lost its items is none."""
    match result:
        case list():
            return sorted(map(plain, result), key=repr)
        case Item():
            return result.namespace, result.key, json.dumps(result.value, sort_keys=True)
        case _:
            return result


def test_it_answers_as_the_store_in_memory(store: AnamnesisStore) -> None:
    """But for namespaces whose items are gone, which LangGraph's goes on to list."""
    rng, theirs = random.Random(7), InMemoryStore()
    for _ in range(60):
        held = theirs._data  # nothing else takes empty namespaces out
        for namespace in [one for one, items in held.items() if not items]:
            del held[namespace]
        ops = drawn_ops(rng)
        for op, ours, other in zip(ops, store.batch(ops), theirs.batch(ops), strict=True):
            assert plain(ours) == plain(other), op


# What is ours


def test_users_do_not_see_each_other(suite: Process) -> None:
    memory = Anamnesis(suite.address, namespace="store-users")
    mara, lin = (AnamnesisStore(memory.on_behalf(user=name)) for name in ("mara", "lin"))
    mara.put(NS, "k", {"of": "mara"})
    assert lin.get(NS, "k") is None
    assert lin.search((), query="mara") == []
    assert lin.list_namespaces() == []
    shared = AnamnesisStore(memory)
    shared.put(NS, "k", {"of": "all"})
    assert mara.get(NS, "k").value == {"of": "mara"}
    assert AnamnesisStore(memory.on_behalf(user="lin"), visibility="shared").get(NS, "k")


def test_a_store_says_that_it_does_not_answer() -> None:
    with pytest.raises(Unreachable):
        AnamnesisStore(Anamnesis("127.0.0.1:9", retries=0)).get(NS, "k")


def test_the_page_s_graph_knows_what_it_kept(told: Told) -> None:
    agent = cast(Graph, told("LangGraph's store", None)["agent"])
    answers = [
        agent.invoke({"messages": [("user", text)]})["messages"][-1].text
        for text in ("noodles with plums", "what did I cook?")
    ]
    assert answers == ["0 known", "1 known"]
