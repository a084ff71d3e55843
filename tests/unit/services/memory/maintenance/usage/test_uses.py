"""Uses that wait: how much each counts, once, and until they are taken."""

from anamnesis_memory.domain.lifecycle.days import DAY_US
from anamnesis_memory.maintenance.usage.buffer import UsageBuffer
from anamnesis_memory.model.memory import Caller

ADA = Caller(user_id="ada", session_id="s")


def test_what_is_fetched_counts_twice_and_meets_what_is_fetched_with_it() -> None:
    uses = UsageBuffer()
    uses.fetched("space", ["b", "a", "b"])
    uses.fetched("space", ["a", "b"])
    (waiting,) = uses.take().values()
    assert waiting.hits == {"b": 4, "a": 4}
    assert waiting.met == {("a", "b"): 2}
    assert uses.take() == {}


def test_a_search_counts_once_a_memory_session_and_day() -> None:
    uses = UsageBuffer()
    for caller, now_us in (
        (ADA, 0),
        (ADA, DAY_US - 1),
        (ADA, DAY_US),
        (Caller(user_id="ada", session_id="other"), 0),
    ):
        uses.shown("space", ["a"], caller, now_us)
        uses.shown("elsewhere", ["a"], ADA, 0)
    taken = uses.take()
    assert (taken["space"].hits, taken["elsewhere"].hits) == ({"a": 3}, {"a": 1})
    assert not taken["space"].met


def test_what_is_forgotten_is_not_counted_and_begins_anew() -> None:
    uses = UsageBuffer()
    uses.shown("space", ["a"], ADA, 0)
    uses.forget("space")
    assert uses.take() == {}
    uses.shown("space", ["a"], ADA, 0)
    assert uses.take()["space"].hits == {"a": 1}
