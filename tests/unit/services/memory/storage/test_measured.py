"""Tests of measured.py: stores answer as before, and their calls are counted."""

import inspect

import pytest

from anamnesis_libs.errors import StoreUnavailable
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.storage.measured import MeasuredStores, StoreFigures
from tests.support.clock import SetClock
from tests.support.fake_store import Disk, FakeStores

_NAMESPACE = Namespace("life", "0123456789abcdef0123", 1, "", 0)


async def test_calls_are_counted_by_method() -> None:
    figures = StoreFigures()
    stores = MeasuredStores(FakeStores(Disk(), SetClock()), figures)
    store = await stores.open(_NAMESPACE)
    assert await store.memories(["m-1"], None) == []
    assert await store.memories([], None) == []
    assert (await store.counts()).events == 0
    assert store.revision == 0
    assert await stores.catalogue.get("life") is None
    counted = {row["method"]: (row["count"], row["errors"]) for row in figures.rows()}
    assert counted == {
        "namespace.memories": (2, 0),
        "namespace.counts": (1, 0),
        "catalogue.get": (1, 0),
    }


async def test_an_error_is_counted_and_goes_on() -> None:
    figures = StoreFigures()

    async def refused() -> None:
        raise StoreUnavailable("no")

    with pytest.raises(StoreUnavailable):
        await figures.measured("refused", refused)()
    assert (figures.calls["refused"].count, figures.calls["refused"].errors) == (1, 1)


async def test_every_call_of_the_port_is_measured() -> None:
    figures = StoreFigures()
    await MeasuredStores(FakeStores(Disk(), SetClock()), figures).open(_NAMESPACE)
    calls = {name for name, _ in inspect.getmembers(NamespaceStore, inspect.iscoroutinefunction)}
    measured = {name.partition(".")[2] for name in figures.calls if name.startswith("namespace.")}
    assert measured == calls
    assert {"commit", "memories", "list_facts", "put_embeddings"} <= measured
