"""A search asks how things are: what ended is left out of it, and folded in contexts."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import event_pb2, filter_pb2, memory_pb2
from anamnesis.memory.v1 import knowledge_service_pb2 as knowledge_pb
from anamnesis.memory.v1 import ledger_service_pb2 as ledger_pb
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from tests.support.clients import Clients, clients_of, everywhere
from tests.support.processes import start

ME = Caller(user_id="u")
TOLD = (
    ("Ann", "lives_in", "Rotterdam", "2015-01-01", ""),
    ("Ann", "lives_in", "Utrecht", "2019-01-01", ""),
    ("Ann", "plays", "tennis", "2014-01-01", "2016-01-01"),
    ("Ann", "plays", "chess", "2016-01-01", ""),
    ("Ann", "visits", "Lisbon", "2999-01-01", ""),
)


@pytest.fixture
async def clients(tmp_path: Path) -> AsyncIterator[Clients]:
    """A suite that was told of changes."""
    process = start(tmp_path / "data")
    try:
        async with clients_of(everywhere(process.address)) as made:
            for subject, predicate, thing, begins, ends in TOLD:
                request = knowledge_pb.AssertFactRequest(
                    namespace="n",
                    user_id=ME.user_id,
                    subject=subject,
                    predicate=predicate,
                    object=thing,
                    valid_from=_at(begins),
                    valid_to=_at(ends) if ends else None,
                )
                await made.knowledge.AssertFact(request)
            yield made
    finally:
        assert process.stop() == 0, "".join(process.output)


def _at(day: str) -> Timestamp:
    made = Timestamp()
    made.FromJsonString(f"{day}T00:00:00Z")
    return made


ASKED: tuple[tuple[str, dict[str, bool | Timestamp], set[str]], ...] = (
    ("Where does Ann live?", {}, {"Utrecht"}),
    ("What does Ann play?", {}, {"chess"}),
    ("Whom does Ann visit?", {}, {"Lisbon"}),
    ("Where did Ann live before?", {}, {"Utrecht", "Rotterdam"}),
    ("Where does Ann live?", {"any_time": True}, {"Utrecht", "Rotterdam"}),
    ("Where does Ann live?", {"as_of": _at("2016-06-01")}, {"Rotterdam"}),
    ("Where does Ann live?", {"now": _at("2018-06-01")}, {"Utrecht", "Rotterdam"}),
    ("What does Ann play?", {"now": _at("2015-06-01")}, {"chess", "tennis"}),
)
MATTERS = {"live": "lives_in", "play": "plays", "visit": "visits"}


async def test_what_had_ended_is_told_only_where_it_is_asked_for(clients: Clients) -> None:
    for query, fields, found in ASKED:
        request = pb.SearchRequest(namespace="n", query=query, caller=ME, limit=10)
        request.MergeFrom(pb.SearchRequest(**fields))  # type: ignore[arg-type]
        results = (await clients.retrieval.Search(request)).results
        asked = next(name for word, name in MATTERS.items() if word in query)
        told = {one.memory.fact.object for one in results if one.memory.fact.predicate == asked}
        assert told == found, (query, fields)
    await _contexts_fold(clients)


async def _contexts_fold(clients: Clients) -> None:
    """What was replaced stands under what holds; what only ended is left out."""

    async def context(query: str) -> str:
        request = pb.BuildContextRequest(namespace="n", query=query, caller=ME)
        return (await clients.retrieval.BuildContext(request)).text

    home = (await context("Where does Ann live?")).splitlines()
    (now,) = (place for place, line in enumerate(home) if "Utrecht" in line)
    assert home[now + 1].startswith("  before, until 2019-01-01: ")
    assert "Rotterdam" in home[now + 1]
    games = await context("What does Ann play?")
    assert "chess" in games
    assert "tennis" not in games
    assert "Rotterdam" in await context("Where did Ann live before Utrecht?")


async def test_nobody_is_taken_for_the_one_whose_shared_lines_are_found(clients: Clients) -> None:
    """Facts about who asks are of their id, or of the name that their own lines have."""
    shared = event_pb2.VISIBILITY_SHARED
    for session_id, user_id, name in (("a", "u-7", "Mara"), ("b", "u-8", "")):
        line = event_pb2.Event(
            role=event_pb2.ROLE_USER, name=name, content="I live here", event_time=_at("2026-01-01")
        )
        told = ledger_pb.AppendEventsRequest(
            namespace="shared", session_id=session_id, user_id=user_id, events=[line]
        )
        told.visibility = shared
        await clients.ledger.AppendEvents(told)
    home = knowledge_pb.AssertFactRequest(
        namespace="shared", subject="Mara", predicate="lives_in", object="Delft", visibility=shared
    )
    revision = (await clients.knowledge.AssertFact(home)).revision
    blocks = []
    for user_id in ("u-7", "u-8", "u-9"):
        asked = pb.BuildContextRequest(
            namespace="shared",
            query="Where do I live?",
            caller=Caller(user_id=user_id),
            at_least_revision=revision,
        )
        blocks.append((await clients.retrieval.BuildContext(asked)).text)
    assert ["Known" in text for text in blocks] == [True, False, False]


async def test_who_told_their_name_is_who_is_asked_about_by_it(clients: Clients) -> None:
    """Whoever is named Sharon may ask "What does Sharon drink?" for "What do I drink?"."""
    lines = ("I drink green tea", "Sharon Brown wrote the letter", "The tea was cold")
    for user_id in ("u-7", "u-8"):
        told = ledger_pb.AppendEventsRequest(
            namespace="named",
            session_id=user_id,
            user_id=user_id,
            events=[
                event_pb2.Event(role=event_pb2.ROLE_USER, content=one, event_time=_at("2026-01-01"))
                for one in lines
            ],
        )
        told.visibility = event_pb2.VISIBILITY_PRIVATE_TO_USER
        await clients.ledger.AppendEvents(told)
    name = knowledge_pb.AssertFactRequest(
        namespace="named", user_id="u-7", subject="u-7", predicate="is_named", object="Sharon Brown"
    )
    revision = (await clients.knowledge.AssertFact(name)).revision
    found = []
    for user_id in ("u-7", "u-8"):
        for query in ("What does Sharon Brown drink?", "What do I drink?"):
            asked = pb.SearchRequest(
                namespace="named",
                query=query,
                caller=Caller(user_id=user_id),
                filter=filter_pb2.MemoryFilter(kinds=[memory_pb2.MEMORY_KIND_EPISODIC]),
                at_least_revision=revision,
            )
            found.append([one.score for one in (await clients.retrieval.Search(asked)).results])
    assert found[0] == found[1] == found[3] != []
    assert found[2] != found[3]
