"""Tests of the pipeline's nouns on the wire: nothing is lost, nothing is made up."""

from datetime import UTC, datetime, timedelta

import pytest

from anamnesis.memory.v1 import (
    entity_pb2,
    ledger_service_pb2,
    memory_pb2,
    memory_service_pb2,
    segment_pb2,
    work_pb2,
)
from anamnesis_ingestion.convert.pipeline import (
    from_claim,
    from_cut,
    from_knowledge,
    from_stage,
    from_state,
    to_claim,
    to_item,
    to_segment,
    to_stage,
    to_state,
)
from anamnesis_ingestion.convert.runs import from_item, from_step
from anamnesis_ingestion.learning.knowledge import (
    Dated,
    EntityKind,
    FactKind,
    Knowledge,
    LearnedFact,
    LearnedLesson,
    LearnedMention,
    LearnedProcedure,
    Precision,
    Refused,
    Step,
)
from anamnesis_ingestion.pipeline.progress import PipelineStep as Progress
from anamnesis_ingestion.pipeline.work import (
    Finished,
    PipelineStage,
    Segment,
    StageClaim,
    StageOutcome,
    StageState,
)
from anamnesis_ingestion.segmentation.tasks import PreviousCut, TaskCut
from anamnesis_libs.errors import Internal

CLAIM = StageClaim("team", PipelineStage.EXTRACT, "s", 7, "etag", 2)
SEGMENT = Segment(
    segment_id="seg",
    session_id="s",
    first_index=0,
    last_index=3,
    fingerprint="0" * 16,
    topic="bees",
    summary="",
    measured=True,
    taught=False,
)
SINCE = datetime(2023, 6, 5, tzinfo=UTC)


def fact(**more: object) -> LearnedFact:
    given = {
        "statement": "Ada keeps bees",
        "subject": "Ada",
        "predicate": "keeps",
        "object": "bees",
        "kind": FactKind.EXPERIENCE,
        "sources": (3, 1),
        **more,
    }
    return LearnedFact(**given)  # type: ignore[arg-type]


def sent(knowledge: Knowledge, extractor: str = "local") -> list[memory_service_pb2.NewMemory]:
    drawers = {1: "m1", 3: "m3", 5: ""}
    return list(from_knowledge(CLAIM, SEGMENT, knowledge, drawers, extractor).memories)


@pytest.mark.parametrize("stage", PipelineStage)
def test_stages_come_back(stage: PipelineStage) -> None:
    assert to_stage(from_stage(stage)) is stage


@pytest.mark.parametrize("state", StageState)
def test_states_come_back(state: StageState) -> None:
    assert to_state(from_state(state)) is state


def test_work_that_is_no_stage_is_a_fault() -> None:
    with pytest.raises(Internal):
        to_stage(work_pb2.WORK_KIND_CLUSTER)


def test_a_claim_is_sent_as_the_lease_it_was_given() -> None:
    item = work_pb2.WorkItem(
        namespace="team",
        kind=work_pb2.WORK_KIND_EXTRACT,
        session_id="s",
        token=7,
        session_etag="etag",
        attempts=2,
    )
    assert to_claim(item) == CLAIM
    lease = from_claim(CLAIM)
    assert (lease.kind, lease.session_id, lease.token) == (item.kind, "s", 7)


def test_a_failure_is_shown_without_its_token() -> None:
    item = work_pb2.WorkItem(
        kind=work_pb2.WORK_KIND_LABEL,
        session_id="s",
        state=work_pb2.WORK_STATE_FAILED,
        token=9,
        attempts=1,
        reason="MODEL_REFUSED: no",
    )
    shown = from_item(to_item(item), "team")
    assert (shown.token, shown.namespace, shown.reason) == (0, "team", "MODEL_REFUSED: no")
    assert not shown.HasField("due_time")


@pytest.mark.parametrize(
    ("state", "measured", "taught"),
    [
        (segment_pb2.SEGMENT_STATE_NEW, False, False),
        (segment_pb2.SEGMENT_STATE_LABELLED, True, False),
        (segment_pb2.SEGMENT_STATE_EXTRACTED, True, True),
    ],
)
def test_the_state_of_a_segment_says_what_was_done(
    state: "segment_pb2.SegmentState.ValueType", measured: bool, taught: bool
) -> None:
    found = to_segment(segment_pb2.Segment(state=state))
    assert (found.measured, found.taught, found.score) == (measured, taught, None)
    assert to_segment(segment_pb2.Segment(score=0.0)).score == 0.0


def test_a_cut_names_the_session_that_was_read() -> None:
    request = from_cut(CLAIM, [PreviousCut(TaskCut(0, 3, "bees", "two"), "0" * 16)], "local")
    assert request.session_etag == "etag"
    assert (request.segments[0].first_event_index, request.segments[0].last_event_index) == (0, 3)


@pytest.mark.parametrize("kind", FactKind)
def test_every_kind_of_fact_has_its_name(kind: FactKind) -> None:
    (memory,) = sent(Knowledge((fact(kind=kind),)))
    assert memory_pb2.FactKind.Name(memory.fact.fact_kind) == f"FACT_KIND_{kind.name}"
    assert memory.category == kind.value


@pytest.mark.parametrize("precision", [each for each in Precision if each.value])
def test_every_precision_has_its_name(precision: Precision) -> None:
    (memory,) = sent(Knowledge((fact(time=Dated(SINCE, None, precision)),)))
    named = memory_pb2.TimePrecision.Name(memory.fact.time_precision)
    assert named == f"TIME_PRECISION_{precision.name}"
    assert memory.event_time == memory.fact.valid_from
    assert memory.event_time.ToDatetime(UTC) == SINCE


def test_a_fact_without_a_time_has_none() -> None:
    (memory,) = sent(Knowledge((fact(time=Dated(None, SINCE, Precision.DAY)),)))
    assert not memory.HasField("event_time")
    assert memory.fact.time_precision == memory_pb2.TIME_PRECISION_UNSPECIFIED


@pytest.mark.parametrize("until_days", [-400, 0, 1, 365])
def test_a_fact_goes_without_its_end_whatever_that_is(until_days: int) -> None:
    """One that ends before it begins would have all that its segment teaches refused."""
    time = Dated(SINCE, SINCE + timedelta(days=until_days), Precision.YEAR)
    (memory,) = sent(Knowledge((fact(time=time),)))
    assert memory.fact.valid_from.ToDatetime(UTC) == SINCE
    assert not memory.fact.HasField("valid_to")


def test_a_plan_goes_with_the_end_of_its_time() -> None:
    until = SINCE + timedelta(days=7)
    plan = fact(kind=FactKind.GOAL, time=Dated(None, until, Precision.WEEK))
    (memory,) = sent(Knowledge((plan,)))
    assert memory.fact.valid_to.ToDatetime(UTC) == until


def test_what_ends_on_a_day_ahead_goes_with_it() -> None:
    """A scan next week is none that somebody has a month later."""
    until = SINCE + timedelta(days=7)
    ahead = fact(said_at=SINCE, time=Dated(None, until, Precision.DAY))
    past = fact(said_at=until, time=Dated(None, SINCE, Precision.DAY))
    first, second = sent(Knowledge((ahead, past)))
    assert first.fact.valid_to.ToDatetime(UTC) == until
    assert not second.fact.HasField("valid_to")


SHANGHAI, NEW_YORK = 480, -300


def told(minutes: int, **more: object) -> memory_service_pb2.NewMemory:
    """A fact as it is sent that was told on a clock, at half past seven of 6 June there."""
    said_at = SINCE + timedelta(days=1, hours=7, minutes=30)
    (memory,) = sent(Knowledge((fact(said_at=said_at, utc_offset_minutes=minutes, **more),)))
    return memory


@pytest.mark.parametrize("minutes", [SHANGHAI, NEW_YORK])
def test_a_day_stays_one_of_the_calendar_and_is_told_where_it_began(minutes: int) -> None:
    memory = told(minutes, time=Dated(SINCE, None, Precision.DAY))
    assert memory.fact.valid_from.ToDatetime(UTC) == SINCE
    assert memory.event_time.ToDatetime(UTC) == SINCE - timedelta(minutes=minutes)
    assert memory.utc_offset_minutes == minutes


@pytest.mark.parametrize("minutes", [SHANGHAI, NEW_YORK])
def test_a_wall_time_becomes_a_moment(minutes: int) -> None:
    said_at = SINCE + timedelta(days=1, hours=7, minutes=30)
    began = told(minutes, time=Dated(said_at, None, Precision.INSTANT))
    assert began.fact.valid_from.ToDatetime(UTC) == said_at - timedelta(minutes=minutes)
    over = told(minutes, ended=True)
    assert over.fact.valid_to.ToDatetime(UTC) == said_at - timedelta(minutes=minutes)
    assert over.event_time == over.fact.valid_to


def test_what_began_and_ended_on_one_morning_ends_after_it_began() -> None:
    """In Shanghai a day of the calendar begins, as it is written, at eight in the morning."""
    today = Dated(SINCE + timedelta(days=1), None, Precision.DAY)
    memory = told(SHANGHAI, time=today, ended=True)
    assert memory.fact.valid_from.ToDatetime(UTC) < memory.fact.valid_to.ToDatetime(UTC)


def test_what_is_cited_are_drawers_that_there_are() -> None:
    (memory,) = sent(Knowledge((fact(sources=(1, 2, 3, 5)),)))
    assert list(memory.fact.source_memory_ids) == ["m1", "m3"]
    provenance = memory.provenance
    assert (provenance.first_event_index, provenance.last_event_index) == (1, 5)


def test_rules_observe_and_a_model_writes() -> None:
    (local,) = sent(Knowledge((fact(),)))
    (model,) = sent(Knowledge((fact(),)), "openai:small")
    assert (local.provenance.origin, local.provenance.model) == (memory_pb2.ORIGIN_OBSERVED, "")
    assert model.provenance.origin == memory_pb2.ORIGIN_GENERATED
    assert model.provenance.model == "openai:small"


def test_lessons_and_procedures_read_by_themselves() -> None:
    lesson = LearnedLesson(
        title="Wash figs", context="", resolution="in cold water", category="life", sources=(1,)
    )
    steps = (Step(action="bash", spec="make"), Step(action="bash", spec="make test"))
    procedure = LearnedProcedure(name="build", goal="a build", steps=steps, sources=(1, 3))
    first, second = sent(Knowledge((), (lesson,), (procedure,)))
    assert first.content == "Wash figs\nin cold water"
    assert list(first.lesson.evidence_memory_ids) == ["m1"]
    assert second.content == "build\na build\n1. bash: make\n2. bash: make test"
    assert list(second.tags) == ["type:procedure"]


def test_refusals_are_counted_and_none_is_left_out() -> None:
    knowledge = Knowledge(refusals={Refused.UNSUPPORTED: 2, Refused.REPEATED: 0})
    request = from_knowledge(CLAIM, SEGMENT, knowledge, {}, "local")
    assert [(one.reason, one.count) for one in request.refusals] == [("unsupported", 2)]


def test_a_step_tells_what_became_of_it() -> None:
    outcome = StageOutcome(segments=1, facts=2, lessons=3, procedures=4, refused=5)
    told = from_step(Progress(Finished(CLAIM, outcome), 6))
    assert (told.facts, told.lessons, told.procedures, told.refused, told.left) == (2, 3, 4, 5, 6)
    assert told.failure == ""
    assert from_step(Progress(Finished(CLAIM, lost=True), 0)).failure.startswith("LEASE_LOST")
    assert from_step(Progress(Finished(CLAIM, failure="INTERNAL: x"), 0)).failure == "INTERNAL: x"


def names(
    name: str, kind: EntityKind, *sources: int, aliases: tuple[str, ...] = ()
) -> LearnedMention:
    return LearnedMention(name=name, kind=kind, sources=sources, aliases=aliases)


def drawer_mentions(*mentions: LearnedMention) -> list[ledger_service_pb2.DrawerMention]:
    drawers = {1: "m1", 3: "m3", 5: ""}
    knowledge = Knowledge(mentions=mentions)
    return list(from_knowledge(CLAIM, SEGMENT, knowledge, drawers, "local").mentions)


@pytest.mark.parametrize("kind", EntityKind)
def test_a_name_is_sent_for_each_drawer_that_spells_it(kind: EntityKind) -> None:
    first, second = drawer_mentions(names("Ada", kind, 1, 3, 5, 9, aliases=("Addie",)))
    assert (first.memory_id, second.memory_id) == ("m1", "m3")
    assert first.entity == second.entity
    assert (first.entity.name, list(first.entity.aliases)) == ("Ada", ["Addie"])
    told = entity_pb2.EntityKind.Name(first.entity.kind)
    assert told == f"ENTITY_KIND_{kind.name}".replace("UNKNOWN", "UNSPECIFIED")


def test_a_drawer_names_somebody_once_and_who_has_other_names_first() -> None:
    bob, robert = (
        names("Bob", EntityKind.PERSON, 1),
        names("Robert", EntityKind.PERSON, 3, aliases=("Bob",)),
    )
    sent_names = drawer_mentions(bob, bob, robert)
    assert [(one.memory_id, one.entity.name) for one in sent_names] == [
        ("m3", "Robert"),
        ("m1", "Bob"),
    ]


def test_a_fact_names_its_persons_its_place_and_what_its_events_name() -> None:
    knowledge = Knowledge(
        (
            fact(
                statement="Ada keeps bees with Bob in Graz for Apiary Labs",
                persons=("Bob",),
                location="Graz",
            ),
        ),
        mentions=(
            names("Apiary Labs", EntityKind.ORGANISATION, 1),
            names("Ada", EntityKind.PERSON, 3),
            names("Bob", EntityKind.PERSON, 3, aliases=("Bobby",)),
            names("Graz", EntityKind.UNKNOWN, 3),
            names("bee", EntityKind.TOPIC, 3),
            names("Graz", EntityKind.PLACE, 7),
        ),
    )
    (memory,) = sent(knowledge)
    told = {one.name: (one.kind, *one.aliases) for one in memory.named_entities}
    assert told == {
        "Bob": (entity_pb2.ENTITY_KIND_PERSON, "Bobby"),
        "Graz": (entity_pb2.ENTITY_KIND_PLACE,),
        "Apiary Labs": (entity_pb2.ENTITY_KIND_ORGANISATION,),
        "Ada": (entity_pb2.ENTITY_KIND_PERSON,),
    }


def test_who_a_fact_is_about_has_a_kind_though_no_event_spells_the_name() -> None:
    (memory,) = sent(Knowledge((fact(),), mentions=(names("ada", EntityKind.PERSON),)))
    (named,) = memory.named_entities
    assert (named.name, named.kind) == ("Ada", entity_pb2.ENTITY_KIND_PERSON)
    assert drawer_mentions(names("ada", EntityKind.PERSON)) == []


def test_a_place_that_is_no_name_is_not_named() -> None:
    (memory,) = sent(Knowledge((fact(location="the kitchen"),)))
    assert list(memory.named_entities) == []
