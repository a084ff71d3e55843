"""Documents through a whole suite: what was acknowledged outlives a kill."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from anamnesis_client import Anamnesis, AsyncAnamnesis, DocumentPut, InvalidArgument
from tests.support.processes import Process, start

pytestmark = pytest.mark.slow
NAMES = [(("orders", str(number)), "state") for number in range(6)]


@contextmanager
def running(data: Path) -> Iterator[Process]:
    """A suite that is killed if it is still there."""
    process = start(data)
    try:
        yield process
    finally:
        process.kill()


def test_what_was_acknowledged_outlives_a_kill(tmp_path: Path) -> None:
    with running(tmp_path) as process:
        memory = Anamnesis(process.address, namespace="shop", user="mara")
        for path, key in NAMES:
            memory.put_documents([DocumentPut(path, key, {"at": path[1]})])
        put = [DocumentPut(("orders", "0"), "state", {"at": "sent"}), DocumentPut(*NAMES[1], None)]
        told = memory.put_documents(put, request_id="r-1")
        process.kill()
    with running(tmp_path) as process:
        memory = Anamnesis(process.address, namespace="shop", user="mara")
        assert memory.put_documents(put, request_id="r-1") == told == ("replaced", "deleted")
        held = memory.get_documents(NAMES)
        assert {name: one.value["at"] for name, one in held.items()} == {
            NAMES[0]: "sent",
            **{name: name[0][1] for name in NAMES[2:]},
        }
        assert memory.list_document_paths(suffixes=[("5",)]) == (("orders", "5"),)
        (first, *_) = memory.search_documents("which one is sent?", ("orders",), limit=2)
        assert first.document.name == NAMES[0]
        with pytest.raises(InvalidArgument, match="where"):
            memory.list_documents(where={"at": {"$in": ["sent"]}})
        assert memory.search("which one is sent?").hits == (), "no memory of a conversation"


async def test_the_same_for_asyncio(tmp_path: Path) -> None:
    with running(tmp_path) as process:
        async with AsyncAnamnesis(process.address, namespace="shop", user="mara") as memory:
            await memory.put_documents(DocumentPut(path, key, {"n": 1}) for path, key in NAMES)
            assert len(await memory.list_documents(limit=4)) == 4
            assert len(await memory.get_documents(NAMES)) == 6
            assert await memory.touch_documents(NAMES) == 0
