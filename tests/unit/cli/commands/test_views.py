"""`anamnesis profile`, `episodes` and `pages` against a scripted server."""

import json

from anamnesis.cluster.v1.projection_pb2 import (
    PROJECTION_TYPE_KNOWLEDGE_PAGE,
    PROJECTION_TYPE_USER_PROFILE,
    KnowledgePage,
    Projection,
    ProjectionLine,
    UserProfile,
)
from anamnesis.cluster.v1.projection_service_pb2 import (
    GetKnowledgePageRequest,
    GetKnowledgePageResponse,
    GetUserProfileRequest,
    GetUserProfileResponse,
    ListEpisodesRequest,
    ListEpisodesResponse,
    ListProjectionsResponse,
)
from anamnesis.memory.v1.entity_pb2 import ENTITY_KIND_PLACE, Entity
from anamnesis.memory.v1.memory_pb2 import TIME_PRECISION_MONTH
from tests.support.scripted_suite import Script
from tests.unit.cli.answers import at
from tests.unit.cli.conftest import Run

_TEXT = "What is known of Ann:\nHome\n- Ann lives in [Oslo]\x1b[2J (since 2021)"


def test_a_profile_is_printed_as_it_is_but_for_what_a_terminal_would_obey(
    run: Run, script: Script
) -> None:
    profile = UserProfile(subject="Ann", text=_TEXT, left_out=3)
    script.answer("GetUserProfile", GetUserProfileResponse(profile=profile))
    answer = run("profile", "Lin", "Yue", "--user", "ada", "--budget", "300")
    assert answer.stdout == _TEXT.replace("\x1b", "␛") + "\n"
    assert "3 more lines did not fit" in answer.stderr
    (request,) = script.asked(GetUserProfileRequest)
    assert (request.subject, request.token_budget) == ("Lin Yue", 300)
    assert request.caller.user_id == "ada"


def test_of_nobody_a_profile_says_so_on_standard_error(run: Run, script: Script) -> None:
    script.answer("GetUserProfile", GetUserProfileResponse())
    answer = run("profile")
    assert answer.stdout == ""
    assert "nothing that holds now is known" in answer.stderr
    assert "anamnesis pages list --user ada" in run("profile", "--user", "ada").stderr


def test_an_episode_without_a_date_has_that_of_its_telling_in_brackets(
    run: Run, script: Script
) -> None:
    dated = ProjectionLine(
        text="Ann moved",
        memory_ids=["m-1"],
        valid_from=at("2021-03-01"),
        time_precision=TIME_PRECISION_MONTH,
    )
    told = ProjectionLine(text="Ann won", memory_ids=["m-2"], told_time=at("2022-05-06T10:00:00"))
    page = ListEpisodesResponse(episodes=[dated, told], next_page_token="more")
    script.answer("ListEpisodes", page)
    answer = run("episodes", "Ann", "--since", "2021", "--limit", "2")
    rows = [line.split() for line in answer.stdout.splitlines() if "m-" in line]
    assert rows == [["2021-03", "Ann", "moved", "m-1"], ["(2022-05-06)", "Ann", "won", "m-2"]]
    assert "--page-token more" in answer.stderr
    (request,) = script.asked(ListEpisodesRequest)
    assert (request.subject, request.page_size) == ("Ann", 2)
    assert request.time_range.start_time == at("2021-01-01")
    assert not request.time_range.HasField("end_time")


def test_pages_are_listed_with_what_they_are_and_how_large(run: Run, script: Script) -> None:
    profile = Projection(
        type=PROJECTION_TYPE_USER_PROFILE, key="ada", title="Profile of ada", size=1200
    )
    page = Projection(
        type=PROJECTION_TYPE_KNOWLEDGE_PAGE,
        key="e-1",
        title="Oslo",
        size=2,
        entity_kind=ENTITY_KIND_PLACE,
    )
    script.answer("ListProjections", ListProjectionsResponse(projections=[profile, page]))
    rows = [line.split() for line in run("pages", "list").stdout.splitlines()]
    assert ["Profile", "of", "ada", "user", "profile", "1,200", "ada"] in rows
    assert ["Oslo", "place", "2", "e-1"] in rows


def test_a_page_that_says_nothing_says_so(run: Run, script: Script) -> None:
    page = KnowledgePage(markdown="# David\n", entity=Entity(name="David"))
    script.answer("GetKnowledgePage", GetKnowledgePageResponse(page=page))
    shown = run("pages", "show", "David")
    assert shown.stdout == page.markdown
    assert "David is mentioned, but nothing is known of it yet" in shown.stderr


def test_a_page_is_markdown_and_is_found_by_name_or_id(run: Run, script: Script) -> None:
    page = KnowledgePage(markdown="# Halden Labs\n\n- [x]\n")
    entity_id = f"e-{'0' * 32}"
    for _ in range(3):
        script.answer("GetKnowledgePage", GetKnowledgePageResponse(page=page))
    assert run("pages", "show", "Halden", "Labs").stdout == page.markdown
    run("pages", "show", entity_id)
    told = json.loads(run("pages", "show", "Halden", "--json").stdout)
    assert told["page"]["markdown"] == page.markdown
    by_name, by_id, _ = script.asked(GetKnowledgePageRequest)
    assert (by_name.name, by_name.entity_id) == ("Halden Labs", "")
    assert (by_id.name, by_id.entity_id) == ("", entity_id)
