"""The Python client against a running suite: four lines, asyncio, kills, errors, nothing there."""

import asyncio
import re
import threading
import time
from collections.abc import Iterator

import pytest

from anamnesis_client import (
    Anamnesis,
    AsyncAnamnesis,
    InvalidArgument,
    NotFound,
    PermissionDenied,
    Unreachable,
)
from tests.support.processes import REPOSITORY, Process, start


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A running suite."""
    process = start(tmp_path_factory.mktemp("client") / "data")
    yield process
    assert process.stop() == 0, "".join(process.output)


def test_four_lines(suite: Process) -> None:
    memory = Anamnesis(suite.address, namespace="four-lines", user="mara")
    memory.add([{"role": "user", "content": "I am allergic to hazelnuts."}])
    assert "hazelnuts" in str(memory.context("What may I not eat?", budget=300))
    assert "hazelnuts" in memory.search("allergic")[0].text
    assert not memory.on_behalf(user="lin").search("allergic"), "it is Mara's alone"
    memory.close()


def test_all_that_a_client_can_do(suite: Process) -> None:
    with Anamnesis(suite.address, namespace="all", user="mara", session="talk") as memory:
        said = [
            {"role": "user", "name": "Mara", "content": "I live in Delft.", "time": "2026-03-02"},
            {"role": "assistant", "content": "Noted."},
        ]
        assert memory.add(said, end=True).appended == 2
        steps = list(memory.learn("talk"))
        assert [step.stage for step in steps] == ["segment", "label", "extract"]
        (fact,) = memory.facts("Mara")
        assert (fact.predicate, fact.object, fact.said_by) == ("lives_in", "Delft", ("talk",))
        assert memory.timeline("Mara") == (fact,)
        assert memory.facts("Mara", as_of="2026-03-03") == (fact,)
        events = memory.events()
        assert [(event.role, event.content) for event in events] == [
            ("user", "I live in Delft."),
            ("assistant", "Noted."),
        ]
        assert fact.sources == (events[0].memory_id,)
        note = memory.note("The spare key is with the neighbour")
        assert memory.get([note.pointer, note.id]) == (note, note)
        told = memory.forget(query="spare key", limit=1)
        assert (told.dry_run, told.ids) == (True, (note.id,))
        assert memory.get(note.id) == (note,), "a dry run deletes nothing"
        assert not memory.forget(told.ids, dry_run=False).missing
        assert memory.get(note.id) == ()
        changes = memory.watch(kinds=["semantic"])
        assert {next(changes).memory_id, next(changes).memory_id} == {fact.memory_id, note.id}
        assert (memory.truncate(1), memory.truncate(1)) == (1, 0)
        assert [event.content for event in memory.events()] == ["I live in Delft."]


async def test_asyncio(suite: Process) -> None:
    async with AsyncAnamnesis(suite.address, namespace="async", user="mara") as memory:
        notes = await asyncio.gather(*(memory.note(f"The code is {each}") for each in "abc"))
        found = await memory.search("the code", limit=5)
        assert {hit.id for hit in found} == {note.id for note in notes}, "one's own writes are seen"
        assert "code" in str(await memory.context("the code"))
        changes = aiter(memory.watch())
        told = [(await anext(changes)).memory_id for _ in notes]
        assert {*told} == {note.id for note in notes}
        with pytest.raises(InvalidArgument):
            await memory.search("")


def test_one_asyncio_client_in_two_loops(suite: Process) -> None:
    memory = AsyncAnamnesis(suite.address, namespace="loops", user="mara")
    assert asyncio.run(memory.note("The code is 1")).pointer
    assert asyncio.run(memory.note("The code is 2")).pointer


def test_a_namespace_that_is_not_there_is_empty_and_made_by_the_first_write(
    suite: Process,
) -> None:
    with Anamnesis(suite.address, namespace="not-there") as memory:
        assert not memory.search("anything")
        assert memory.context("anything").empty_reason == "nothing_visible"
        assert (memory.facts(), memory.timeline("Mara"), memory.events()) == ((), (), ())
        assert memory.forget(["m-1"]).missing == ("m-1",)
        with pytest.raises(NotFound):
            memory.end_session()
        memory.add([{"role": "user", "content": "Hello there."}])
        assert len(memory.events()) == 1


def test_errors_have_types(suite: Process) -> None:
    with Anamnesis(suite.address, namespace="errors", user="mara", session="s-1") as memory:
        with pytest.raises(InvalidArgument) as refused:
            memory.search("")
        assert [violation.field for violation in refused.value.violations] == ["query"]
        memory.add([{"role": "user", "content": "This is mine."}])
        with pytest.raises(PermissionDenied) as denied:
            memory.on_behalf(user="lin").add([{"role": "user", "content": "Mine too."}])
        assert denied.value.reason == "PERMISSION_DENIED"
        assert denied.value.remedy


def test_no_server_is_told_with_a_remedy() -> None:
    with Anamnesis("127.0.0.1:9", retries=0) as memory, pytest.raises(Unreachable) as nobody:
        memory.search("anything")
    assert "anamnesis serve" in nobody.value.remedy


def test_a_server_that_is_killed_and_started_again(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    data_dir = tmp_path_factory.mktemp("killed") / "data"
    first = start(data_dir)
    with Anamnesis(first.address, namespace="app", user="mara", retries=60, timeout=150) as memory:
        memory.add([{"role": "user", "content": "I am allergic to hazelnuts."}])
        changes = memory.watch()
        told = next(changes)
        first.kill()
        waiting: list[int] = []
        message = [{"role": "user", "content": "And to peanuts."}]
        writer = threading.Thread(target=lambda: waiting.append(memory.add(message).appended))
        writer.start()
        time.sleep(0.2)
        second = start(data_dir, listen=first.address)
        writer.join(timeout=150)
        assert waiting == [1]
        assert [event.content for event in memory.events()] == [
            "I am allergic to hazelnuts.",
            "And to peanuts.",
        ]
        added = next(change for change in changes if change.kind == "episodic")
        assert added.memory_id not in {told.memory_id, ""}, "a watch goes on where it broke"
        changes.close()
        assert second.stop() == 0


def test_the_page_of_the_client_runs(suite: Process, capsys: pytest.CaptureFixture[str]) -> None:
    page = (REPOSITORY / "docs" / "client.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    shown: dict[str, object] = {}
    for block in blocks:
        if ".embedded(" not in block:
            exec(block.replace("127.0.0.1:50051", suite.address), shown)  # noqa: S102
    said = capsys.readouterr().out
    (printed,) = re.findall(r"```\n(<memory_context>.*?)```", page, re.DOTALL)
    assert said.startswith(printed)
    assert "Mara lives in Delft" in said
    assert "The spare key is with the neighbour." in said
    assert "query" in said.splitlines()[-1]
