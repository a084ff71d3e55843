"""`anamnesis entities` and `anamnesis sessions` against a scripted server."""

import json

import pytest

from anamnesis.memory.v1.entity_pb2 import ENTITY_KIND_PERSON, Entity
from anamnesis.memory.v1.event_pb2 import SESSION_STATE_ENDED, SESSION_STATE_OPEN, Session
from anamnesis.memory.v1.knowledge_service_pb2 import ListEntitiesRequest, ListEntitiesResponse
from anamnesis.memory.v1.ledger_service_pb2 import ListSessionsRequest, ListSessionsResponse
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

_ENTITIES = ListEntitiesResponse(
    entities=[
        Entity(
            entity_id="e-1",
            kind=ENTITY_KIND_PERSON,
            name="Nadia",
            aliases=["N. [x]"],
            mention_count=1200,
            last_mention_time=at("2026-03-02T07:00:00"),
        ),
        Entity(entity_id="e-2", name="Halden"),
    ],
    next_page_token="t-2",
)
_SESSIONS = ListSessionsResponse(
    sessions=[
        Session(
            session_id="s-1",
            agent_id="coder",
            participants=["ada", "bo"],
            event_count=17,
            start_time=at("2026-03-02T07:00:00"),
            end_time=at("2026-03-02T07:23:00"),
            state=SESSION_STATE_ENDED,
        ),
        Session(session_id="s-2", project="apollo", state=SESSION_STATE_OPEN),
    ]
)


def test_entities_are_listed_with_their_names(run: Run, script: Script) -> None:
    script.answer("ListEntities", _ENTITIES)
    answer = run("entities", "--kind", "person", "--limit", "2", "--user", "ada")
    (asked,) = script.asked(ListEntitiesRequest)
    assert (asked.kind, asked.page_size, asked.caller.user_id) == (ENTITY_KIND_PERSON, 2, "ada")
    first, second = [line for line in answer.stdout.splitlines() if " e-" in line]
    assert first.split()[:3] == ["Nadia", "person", "1,200"]
    assert "N. [x]" in first
    assert second.split()[:4] == ["Halden", "-", "0", "-"]
    assert "--page-token t-2" in answer.stderr


def test_sessions_are_listed_with_whose_they_are(run: Run, script: Script) -> None:
    script.answer("ListSessions", _SESSIONS)
    answer = run("sessions", "--of-agent", "coder", "--of-user", "ada")
    (asked,) = script.asked(ListSessionsRequest)
    assert (asked.agent_id, asked.user_id) == ("coder", "ada")
    first, second = [line for line in answer.stdout.splitlines() if " s-" in line]
    assert first.split()[:5] == ["s-1", "ada,", "bo", "coder", "17"]
    assert second.split()[:3] == ["s-2", "apollo", "-"]


@pytest.mark.usefixtures("narrow")
def test_both_are_readable_where_it_is_narrow(run: Run, script: Script) -> None:
    script.answer("ListEntities", _ENTITIES)
    script.answer("ListSessions", _SESSIONS)
    assert "Nadia person, 1,200 mentions" in run("entities").stdout
    assert "of ada, bo, agent coder, events 17" in " ".join(run("sessions").stdout.split())


def test_nothing_is_told_as_such(run: Run, script: Script) -> None:
    script.answer("ListEntities", ListEntitiesResponse())
    script.answer("ListSessions", ListSessionsResponse())
    assert "nobody and nothing" in run("entities").stderr
    seen = run("sessions", "--user", "c-1002").stderr
    assert "no sessions in namespace default, as far as c-1002 may see" in seen
    assert json.loads(run("sessions", "--json").stdout)["sessions"] == []
