"""The pipeline without a chat model, as one process and as four: what conversations teach."""

import asyncio
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from anamnesis.ingestion.v1 import ingestion_service_pb2
from anamnesis.memory.v1 import entity_pb2, memory_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.pipeline_suite import Space
from tests.support.processes import start

CSV = (
    "user: How do I read a csv file with Python? I work as a botanist in Ghent.",
    "assistant: Use csv.reader from the standard library, or pandas.read_csv for tables.",
    "user: The csv file has a header row with the plant names.",
    "assistant: Then csv.DictReader gives each row as a dictionary by header.",
)
DOCKER = (
    "user: Now something else: write a docker compose file for postgres and redis.",
    "assistant: services: postgres with image postgres:16 and redis with image redis:7.",
    "user: Our docker host allows no more than two containers.",
    "assistant: Two containers it is, postgres and redis, without a sidecar.",
)
TRIP = (
    "user: New topic: I want to plan a hiking trip to the Pyrenees with my sister Marta.",
    "assistant: Start in Gavarnie and hike two days along the ridge.",
)
TRIP_GOES_ON = (
    "user: For the hiking trip: Marta is allergic to nuts.",
    "assistant: Then pack the hiking food without nuts.",
)
DOCUMENT = """\
# Garden

## Marlowe

Two things:

- figs
- bees

```sh
water --all

sleep 60
```

## Quillon

### Times

| when | what |
|---|---|
| May | figs |
"""
PAST = datetime(2023, 6, 14, 15, 0, tzinfo=UTC)
HISTORY = {
    "yesterday": ("user: Yesterday I adopted a dog named Biscuit.", "2023-06-13", "DAY"),
    "last week": ("user: Last week I moved to Porto.", "2023-06-05", "WEEK"),
    "three years ago": ("user: Three years ago I ran a marathon in Berlin.", "2020-01-01", "YEAR"),
    "昨天": ("user: 昨天我搬到了成都。", "2023-06-13", "DAY"),
    "上周": ("user: 上周我跳槽到了腾讯。", "2023-06-05", "WEEK"),
    "三年前": ("user: 三年前我结婚了。", "2020-01-01", "YEAR"),
}
GOLDEN = {
    "en": (
        "user: My name is Nadia and I live in Ghent.",
        "assistant: Nice to meet you.",
        "user: I am allergic to peanuts, and my brother Tomas works at a bakery.",
        "assistant: Noted.",
    ),
    "en-error": (
        "user: The tests fail, please fix them.",
        'call: bash {"command":"pytest"}',
        "tool: ModuleNotFoundError: No module named 'httpx'\nexit code 1",
        'call: bash {"command":"pip install httpx"}',
        "tool: Successfully installed httpx",
        'call: bash {"command":"pytest"}',
        "tool: 12 passed in 0.3s",
        "assistant: The tests pass now: httpx was missing and I installed it.",
        "user: Great, thanks!",
    ),
    "zh": (
        "user: 我叫李梅，住在杭州。",
        "assistant: 你好",
        "user: 我对花生过敏。",
        "assistant: 记住了",
        "user: 我喜欢爬山。",
        "assistant: 好",
    ),
    "zh-path": (
        "user: 把服务部署到测试环境",
        'call: bash {"command":"docker build -t app ."}',
        "tool: ok",
        'call: bash {"command":"docker push app"}',
        "tool: pushed",
        'call: bash {"command":"kubectl rollout restart deploy/app"}',
        "tool: restarted",
        "assistant: 已部署完成。",
        "user: 太好了，谢谢",
    ),
}
YIELD = {
    "en": {
        ("lives_in", "Ghent"),
        ("is_allergic_to", "peanuts"),
        ("has_relative", "Tomas"),
    },
    "zh": {("lives_in", "杭州"), ("is_allergic_to", "花生"), ("likes", "爬山")},
}
PEOPLE = {
    "Ada": "PERSON",
    "Nadia": "PERSON",
    "Tomas": "PERSON",
    "Ghent": "PLACE",
    "杭州": "PLACE",
    "李梅": "PERSON",
}
TEN = tuple(f"replay-{number}" for number in range(10))


async def test_day_two_replaces_the_changed_segment_and_touches_no_other(clients: Clients) -> None:
    space = Space(clients, "day-two")
    await space.tell("s", *CSV, *DOCKER, *TRIP, end=False)
    await space.run()
    day_one = {one.segment_id: one for one in await space.segments("s")}
    learned = {memory.memory_id: memory for memory in await space.memories("s")}
    last = max(day_one.values(), key=lambda one: one.first_event_index)
    of_last = {key for key, one in learned.items() if one.provenance.segment_id == last.segment_id}
    assert len(day_one) == 3
    assert of_last
    assert of_last < learned.keys()

    await space.tell("s", *TRIP_GOES_ON, first=len(CSV) + len(DOCKER) + len(TRIP))
    await space.run()
    day_two = {one.segment_id: one for one in await space.segments("s")}
    assert day_two.keys() & day_one.keys() == day_one.keys() - {last.segment_id}
    for kept in day_two.keys() & day_one.keys():
        assert day_two[kept].revision == day_one[kept].revision
    now = {memory.memory_id: memory for memory in await space.memories("s")}
    assert learned.keys() <= now.keys()
    for kept in learned.keys() - of_last:
        assert now[kept].revision == learned[kept].revision
    for told_again in of_last:
        assert now[told_again].content == learned[told_again].content
        assert now[told_again].revision != learned[told_again].revision
    assert len(now) == len({memory.content for memory in now.values()})
    assert any("allergic to nuts" in text for text in await space.texts("s"))


async def test_history_is_dated_by_its_own_day_and_never_by_today(clients: Clients) -> None:
    space = Space(clients, "history")
    for number, (said, _, _) in enumerate(HISTORY.values()):
        await space.tell(f"s-{number}", said, "assistant: I see.", time=PAST)
    await space.run()
    for number, (said, since, precision) in enumerate(HISTORY.values()):
        (memory,) = await space.memories(f"s-{number}")
        assert memory.fact.valid_from.ToDatetime().date().isoformat() == since, said
        named = memory_pb2.TimePrecision.Name(memory.fact.time_precision)
        assert named == f"TIME_PRECISION_{precision}", said
    for memory in await space.memories():
        assert memory.event_time.ToDatetime().year in (2020, 2022, 2023)


@pytest.mark.parametrize("form", ["before", "after", "system", "json"])
async def test_what_was_injected_is_never_learned_again(clients: Clients, form: str) -> None:
    space = Space(clients, f"injected-{form}")
    await space.tell("source", *GOLDEN["en"], user="")
    await space.run()
    assert len(await space.memories("source")) >= 3
    context = await _context(space, as_json=form == "json")
    assert "Ghent" in context
    asked = "Please list the open ports."
    for session_id in TEN if form == "before" else TEN[:2]:
        lines = {
            "before": (f"user: {context}\n\n{asked}",),
            "after": (f"user: {asked}\n\n{context}",),
            "system": (f"system: {context}", f"user: {asked}"),
            "json": (f"user: {context}\n{asked}",),
        }[form]
        await space.tell(session_id, *lines, "assistant: 22 and 443 are open.", "user: thanks")
    await space.run()
    for session_id in TEN:
        assert await space.texts(session_id) == set()
    status = await space.status()
    assert status.idle


async def test_the_same_file_twice_teaches_once(clients: Clients) -> None:
    space = Space(clients, "twice")
    rows = [{"role": line.partition(": ")[0], "content": line.partition(": ")[2]} for line in CSV]
    body = "\n".join(json.dumps({**row, "timestamp": PAST.isoformat()}) for row in rows).encode()
    first = await _upload(space, body)
    await space.run()
    learned = {memory.memory_id for memory in await space.memories()}
    segments = {one.segment_id for one in await space.segments()}
    assert first.appended == 4
    assert learned
    again = await _upload(space, body)
    assert (again.appended, again.replaced) == (0, 0)
    assert await space.run() == []
    assert {memory.memory_id for memory in await space.memories()} == learned
    assert {one.segment_id for one in await space.segments()} == segments
    assert len(await space.activities()) == len(segments)


async def test_a_small_conversation_yields_what_it_must(clients: Clients) -> None:
    space = Space(clients, "golden")
    for session_id, lines in GOLDEN.items():
        await space.tell(session_id, *lines)
    await space.run()
    for session_id, facts in YIELD.items():
        found = {
            (memory.fact.predicate, memory.fact.object)
            for memory in await space.memories(session_id)
        }
        assert facts <= found, session_id
    (lesson,) = await space.memories("en-error")
    assert lesson.kind == memory_pb2.MEMORY_KIND_LEARNING
    assert "pip install httpx" in lesson.lesson.resolution
    assert len(lesson.lesson.evidence_memory_ids) > 0
    (path,) = await space.memories("zh-path")
    assert path.kind == memory_pb2.MEMORY_KIND_PROCEDURAL
    assert [step.spec for step in path.procedure.steps] == [
        "`docker build -t app .`",
        "`docker push app`",
        "`kubectl rollout restart deploy/app`",
    ]


async def test_what_was_learned_from_mentions_its_people(clients: Clients) -> None:
    space = Space(clients, "people")
    for session_id in ("en", "zh"):
        await space.tell(session_id, *GOLDEN[session_id])
    await space.run()
    known = {entity.name: entity for entity in await space.entities()}
    kinds = {name: entity_pb2.EntityKind.Name(one.kind)[12:] for name, one in known.items()}
    assert PEOPLE.items() <= kinds.items()
    first, *_ = await space.drawers("en")
    assert {"@p", "@l"} <= {tag[:2] for tag in first.tags}
    said = {memory.content for memory in await space.memories("en") if "Tomas" in memory.content}
    assert known["Tomas"].mention_count == 1 + len(said)


async def test_a_text_answers_with_what_it_taught(clients: Clients) -> None:
    request = ingestion_service_pb2.IngestTextRequest(
        namespace="text",
        agent_id="helper",
        text="About Nadia\n\nNadia lives in Ghent. She works at a bakery.",
        wait=True,
        use_server_time=True,
    )
    done = await clients.ingestion.IngestText(request, timeout=30)
    assert done.complete
    assert done.appended == 1
    assert {memory.session_id for memory in done.memories} <= {done.session_id}
    again = await clients.ingestion.IngestText(request, timeout=30)
    assert (again.appended, again.unchanged, again.complete) == (0, 1, True)


async def test_the_events_of_a_document_say_where_they_stand_and_name_no_speakers(
    clients: Clients,
) -> None:
    space = Space(clients, "document")
    request = ingestion_service_pb2.IngestTextRequest(
        namespace=space.name,
        agent_id="helper",
        text=DOCUMENT,
        label="/srv/docs/garden.md",
        use_server_time=True,
        wait=True,
    )
    done = await clients.ingestion.IngestText(request, timeout=30)
    assert done.complete
    drawers = await space.drawers(done.session_id)
    assert [(one.episode.name, one.content) for one in drawers] == [
        ("garden.md › Marlowe", "# Garden\n## Marlowe\nTwo things:\n\n- figs\n- bees"),
        ("garden.md › Marlowe", "```sh\nwater --all\n\nsleep 60\n```"),
        (
            "garden.md › Quillon › Times",
            "## Quillon\n### Times\n| when | what |\n|---|---|\n| May | figs |",
        ),
    ]
    found = await clients.retrieval.Search(
        pb.SearchRequest(namespace=space.name, query="Quillon", at_least_revision=done.revision)
    )
    assert found.profile == "plain"
    assert found.results[0].memory.memory_id == drawers[2].memory_id
    names = {entity.name for entity in await space.entities()}
    assert not {name for name in names if "›" in name or name == "garden.md"}
    request.label = "another.md"
    again = await clients.ingestion.IngestText(request, timeout=30)
    assert (again.session_id, again.appended, again.unchanged) == (done.session_id, 0, 3)
    held = await space.drawers(done.session_id)
    assert [one.memory_id for one in held] == [one.memory_id for one in drawers]


async def _context(space: Space, *, as_json: bool) -> str:
    """What our own BuildContext would put into a prompt."""
    form = pb.CONTEXT_FORMAT_JSON if as_json else pb.CONTEXT_FORMAT_MARKDOWN
    request = pb.BuildContextRequest(
        namespace=space.name, query="Where does Nadia live, what is she allergic to?", format=form
    )
    return (await space.clients.retrieval.BuildContext(request)).text


async def _upload(space: Space, body: bytes) -> ingestion_service_pb2.IngestFileResponse:
    async def parts() -> AsyncIterator[ingestion_service_pb2.IngestFileRequest]:
        header = ingestion_service_pb2.IngestFileHeader(
            namespace=space.name, agent_id="helper", label="talk.jsonl", end_session=True
        )
        yield ingestion_service_pb2.IngestFileRequest(header=header)
        yield ingestion_service_pb2.IngestFileRequest(chunk=body)

    return await space.clients.ingestion.IngestFile(parts())


async def test_a_session_that_falls_silent_is_worked_on_by_itself(data_dir: Path) -> None:
    settings = {
        "ANAMNESIS_MODELS__EMBEDDER": "static",
        "ANAMNESIS_INGESTION__SESSION_IDLE_S": "1",
        "ANAMNESIS_INGESTION__PIPELINE_EVERY_S": "0.1",
    }
    process = await asyncio.to_thread(start, data_dir, "all", settings)
    async with clients_of(everywhere(process.address)) as clients:
        space = Space(clients, "silent")
        await space.tell("s", *GOLDEN["en"], end=False)
        assert not (await space.status("s")).idle
        while not (await space.status("s")).idle:  # noqa: ASYNC110 - only the suite knows
            await asyncio.sleep(0.05)
        assert len(await space.memories("s")) >= 3
    assert await asyncio.to_thread(process.stop) == 0
