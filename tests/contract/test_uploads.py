"""What an archive of a namespace promises, on every backend."""

import random
import zlib
from collections.abc import Sequence

import pytest

from anamnesis_libs.errors.not_found import SessionNotFound
from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.model.memory import Caller, Namespace, Visibility
from anamnesis_memory.model.uploads import Upload
from anamnesis_memory.ports import NamespaceStore
from anamnesis_memory.ports.catalogue import Stores
from anamnesis_memory.preparation.archive import PutUpload
from tests.support.clock import SetClock
from tests.support.kept import upload
from tests.support.records import append, new_event

NOBODY = Caller()


async def all_pages(store: NamespaceStore, session_id: str, limit: int) -> list[Upload]:
    """Every upload, so many a page."""
    found: list[Upload] = []
    after: tuple[str, str] | None = None
    while page := await store.list_uploads(session_id, NOBODY, after, limit):
        found += page
        after = (page[-1].session_id, page[-1].upload_id)
    return found


async def sessions(store: NamespaceStore, names: Sequence[str]) -> None:
    """Sessions of one event."""
    for name in names:
        await store.commit(append("hello", session_id=name))


async def test_an_upload_is_kept_and_outlives_the_process(
    stores: Stores, namespace: Namespace
) -> None:
    store = await stores.open(namespace)
    await sessions(store, ["s-1"])
    revision = store.revision
    kept = (await store.commit(PutUpload(upload("what came")))).result
    assert kept is not None
    assert kept.create_time_us > 0
    assert store.revision == revision
    await store.close()
    again = await stores.open(namespace)
    assert await again.upload(kept.upload_id) == kept
    assert zlib.decompress(await again.upload_content(kept.upload_id)) == b"what came"
    await again.close()


async def test_the_same_again_is_one(store: NamespaceStore, clock: SetClock) -> None:
    await sessions(store, ["s-1", "s-2"])
    first = (await store.commit(PutUpload(upload("one")))).result
    clock.move(hours=1)
    assert (await store.commit(PutUpload(upload("one")))).result == first
    await store.commit(PutUpload(upload("one", "s-2")))
    assert [one.session_id for one in await all_pages(store, "", 10)] == ["s-1", "s-2"]


async def test_without_its_session_nothing_is_kept(store: NamespaceStore) -> None:
    with pytest.raises(SessionNotFound):
        await store.commit(PutUpload(upload("one")))
    assert await store.upload(upload("one").upload.upload_id) is None


async def test_pages_give_each_once_in_order(store: NamespaceStore) -> None:
    await sessions(store, ["s-1", "s-2", "s-3"])
    kept = [upload(text, name) for name in ("s-2", "s-1", "s-3") for text in ("a", "b", "c")]
    for new in kept:
        await store.commit(PutUpload(new))
    places = sorted((new.upload.session_id, new.upload.upload_id) for new in kept)
    listed = await all_pages(store, "", 2)
    assert [(one.session_id, one.upload_id) for one in listed] == places
    of_one = await all_pages(store, "s-2", 2)
    assert [(one.session_id, one.upload_id) for one in of_one] == places[3:6]


async def test_a_private_session_keeps_its_uploads_private(store: NamespaceStore) -> None:
    await store.commit(
        AppendEvents("s-1", [new_event("x", 0)], "a", "u", visibility=Visibility.PRIVATE_TO_USER)
    )
    await store.commit(PutUpload(upload("one")))
    for session_id in ("", "s-1"):
        assert not await store.list_uploads(session_id, NOBODY, None, 10)
        assert not await store.list_uploads(session_id, Caller(user_id="v"), None, 10)
        assert len(await store.list_uploads(session_id, Caller(user_id="u"), None, 10)) == 1


async def test_what_is_large_comes_back_as_it_was(store: NamespaceStore) -> None:
    await sessions(store, ["s-1"])
    packed = random.Random(1).randbytes(1_000_000)
    kept = (await store.commit(PutUpload(upload("large", packed=packed)))).result
    assert kept is not None
    assert await store.upload_content(kept.upload_id) == packed
