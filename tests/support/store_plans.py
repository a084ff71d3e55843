"""Plans of writes for tests that make up sequences: what to do, with memories named by a number.

A plan becomes a write when its turn comes, on the model of what is stored by then. Names are
few, so that plans meet in the same sessions, topics and requests.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hypothesis import strategies as st

from anamnesis_memory.ledger.append import AppendEvents
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.memory import Caller, Kind, MemoryFilter, Origin, Provenance, Visibility
from anamnesis_memory.model.memory_details import Role
from anamnesis_memory.model.tags import unite_tags
from tests.support.records import BASE_US, lesson, new_event, rows
from tests.support.store_model import StoreModel
from tests.support.store_writes import AnyWrite, Relabel, RemoveMemory

NewId = Callable[[], str]

HOUR_US = 3600 * 1_000_000
AGENTS = st.sampled_from(["", "robot", "other"])
USERS = st.sampled_from(["", "ada", "bob", "␟ada␟bob␟", "␟bob␟cy␟"])
CALLERS = st.builds(Caller, AGENTS, st.sampled_from(["", "ada", "bob", "cy"]))
# the last two sort differently as UTF-16
SESSION_IDS = st.sampled_from(["s-1", "s-1", "～", "😀"])
TOPIC_IDS = st.sampled_from(["t-1", "t-2"])
TAGS = st.lists(st.sampled_from(["Work", "work", "Straße", "STRASSE", "猫"]), max_size=2).map(tuple)
ENTITIES = st.lists(st.sampled_from(["Ada", "ADA", "Ḃob"]), max_size=2).map(tuple)
IMPORTANCES = st.sampled_from([0.0, 0.3, 0.5, 1.0])
TIMES_US = st.none() | st.integers(0, 3).map(lambda hour: BASE_US + hour * HOUR_US)
LEANS = st.none() | st.lists(st.sampled_from([0.0, 1.0, 5.0]), min_size=1, max_size=2).map(tuple)
VISIBILITIES = st.sampled_from([Visibility.SHARED, *Visibility])
PICKS = st.integers(0, 7)
LOOKS = (
    MemoryFilter(),
    MemoryFilter(tags=("STRASSE",)),
    MemoryFilter(tags=("work", "猫")),
    MemoryFilter(entities=("aDA",)),
    MemoryFilter(categories=("error",)),
    MemoryFilter(kinds=(Kind.LEARNING,)),
    MemoryFilter(origins=(Origin.ASSERTED, Origin.OBSERVED)),
    MemoryFilter(session_ids=("s-1", "😀")),
    MemoryFilter(agent_id="robot"),
    MemoryFilter(user_id="ada"),
    MemoryFilter(min_importance=0.5),
    MemoryFilter(start_time_us=BASE_US + HOUR_US),
    MemoryFilter(end_time_us=BASE_US + HOUR_US),
    MemoryFilter(start_time_us=BASE_US, end_time_us=BASE_US + 2 * HOUR_US),
)
FILTERS = st.builds(replace, st.sampled_from(LOOKS), include_archived=st.booleans())


def picked(model: StoreModel, pick: int) -> str:
    """The id of a memory that was stored lately; it may be gone by now."""
    return model.stored[-1 - pick % len(model.stored)] if model.stored else "nobody"


@dataclass(frozen=True)
class SomeEvent:
    """An event of a plan; blank text has no drawer."""

    content: str
    role: Role
    time_us: int | None
    lean: tuple[float, ...] | None


@dataclass(frozen=True)
class Append:
    """Events behind the last one, or at indices from `start` on."""

    session_id: str
    start: int | None
    events: tuple[SomeEvent, ...]
    agent_id: str
    user_id: str
    visibility: Visibility
    end_session: bool
    idle_us: int = 0

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        return AppendEvents(
            session_id=self.session_id,
            events=tuple(
                replace(
                    new_event(
                        event.content,
                        None if self.start is None else self.start + offset,
                        role=event.role,
                    ),
                    memory_id=new_id(),
                    event_time_us=event.time_us,
                    vectors=None if event.lean is None else rows(*event.lean),
                )
                for offset, event in enumerate(self.events)
            ),
            agent_id=self.agent_id,
            user_id=self.user_id,
            visibility=self.visibility,
            end_session=self.end_session,
            idle_us=self.idle_us,
        )


@dataclass(frozen=True)
class SomeLesson:
    """A memory of a plan."""

    tags: tuple[str, ...]
    entities: tuple[str, ...]
    visibility: Visibility
    agent_id: str
    user_id: str
    category: str
    origin: Origin
    importance: float
    lean: tuple[float, ...] | None


@dataclass(frozen=True)
class Create:
    """A batch of memories, with vectors or without."""

    lessons: tuple[SomeLesson, ...]

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        memories = [
            replace(
                lesson("a lesson" if each.importance == 1.0 else f"lesson {memory_id}"),
                memory_id=memory_id,
                tags=unite_tags(each.tags),
                entities=each.entities,
                visibility=each.visibility,
                agent_id=each.agent_id,
                user_id=each.user_id,
                category=each.category,
                importance=each.importance,
                provenance=Provenance(each.origin),
            )
            for each in self.lessons
            for memory_id in (new_id(),)
        ]
        leans = [each.lean for each in self.lessons]
        return CreateMemories(memories, [None if lean is None else rows(*lean) for lean in leans])


@dataclass(frozen=True)
class Delete:
    """Deletes a memory; the etag is left out, right, or of an older state."""

    pick: int
    caller: Caller
    etag: str

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        memory_id = picked(model, self.pick)
        memory = model.memory(memory_id)
        right = memory.etag if memory else "none"
        etag = {"no": "", "right": right, "old": "old"}[self.etag]
        return RemoveMemory(memory_id, self.caller, etag)


@dataclass(frozen=True)
class Assign:
    """Puts memories into topics, as decided on topics as they are or on older ones."""

    places: tuple[tuple[int, str], ...]
    up_to_date: bool
    done: bool

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        return AssignTopicMembers(
            [Assignment(picked(model, pick), topic, f"on {topic}") for pick, topic in self.places],
            model.topics_revision - (not self.up_to_date),
            model.revision if self.done else None,
        )


@dataclass(frozen=True)
class Label:
    """Gives a memory other labels."""

    pick: int
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    importance: float

    def write(self, model: StoreModel, new_id: NewId) -> AnyWrite:
        """The write."""
        return Relabel(
            picked(model, self.pick), unite_tags(self.tags), self.entities, self.importance
        )


Plan = Append | Create | Delete | Assign | Label

_EVENTS = st.builds(
    SomeEvent,
    st.sampled_from(["one", "two", "猫 🙂", " ", ""]),
    st.sampled_from([Role.USER, Role.TOOL]),
    TIMES_US,
    LEANS,
)
_LESSONS = st.builds(
    SomeLesson,
    TAGS,
    ENTITIES,
    VISIBILITIES,
    AGENTS,
    USERS,
    st.sampled_from(["", "error"]),
    st.sampled_from([Origin.ASSERTED, Origin.GENERATED]),
    IMPORTANCES,
    LEANS,
)
APPENDS = st.builds(
    Append,
    SESSION_IDS,
    st.none() | st.integers(0, 1) | st.integers(0, 4),
    st.lists(_EVENTS, max_size=3).map(tuple),
    AGENTS,
    USERS,
    VISIBILITIES,
    st.booleans(),
    st.sampled_from([0, 0, HOUR_US]),
)
CREATES = st.builds(Create, st.lists(_LESSONS, max_size=3).map(tuple))
DELETES = st.builds(
    Delete,
    PICKS,
    CALLERS | st.just(Caller("robot", "ada")),
    st.sampled_from(["no", "no", "no", "no", "right", "old"]),
)
ASSIGNS = st.builds(
    Assign,
    st.lists(st.tuples(PICKS, TOPIC_IDS), min_size=1, max_size=6).map(tuple),
    st.sampled_from([True, True, True, False]),
    st.booleans(),
)
LABELS = st.builds(Label, PICKS, TAGS, ENTITIES, IMPORTANCES)
PLANS = st.one_of(APPENDS, CREATES, DELETES, ASSIGNS, LABELS)

START: tuple[Plan, ...] = (
    Create(
        (
            SomeLesson(
                ("Straße",),
                ("Ada",),
                Visibility.SHARED,
                "",
                "",
                "error",
                Origin.ASSERTED,
                0.3,
                (1.0,),
            ),
            SomeLesson(
                ("Work",),
                (),
                Visibility.PRIVATE_TO_AGENT,
                "robot",
                "",
                "",
                Origin.GENERATED,
                0.5,
                (5.0, 0.0),
            ),
            SomeLesson((), (), Visibility.SHARED, "", "ada", "", Origin.ASSERTED, 1.0, (0.0,)),
            SomeLesson(("猫",), (), Visibility.SHARED, "", "", "", Origin.ASSERTED, 0.5, None),
        )
    ),
    Assign(((3, "t-1"), (2, "t-2"), (1, "t-1")), up_to_date=True, done=True),
    Append(
        "s-1",
        None,
        tuple(
            SomeEvent(text, Role.USER, BASE_US + hour * HOUR_US, None)
            for hour, text in enumerate(("one", "two", " "))
        ),
        "",
        "ada",
        Visibility.PRIVATE_TO_USER,
        end_session=True,
    ),
    Append(
        "😀",
        2,
        (SomeEvent("one", Role.TOOL, None, (1.0,)),),
        "robot",
        "",
        Visibility.SHARED,
        end_session=False,
    ),
)
"""Something of everything, so that a run need not find its way there first."""
