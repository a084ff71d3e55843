"""Questions about memories: how they are parted, and what is used of an answer."""

import math

import pytest

from anamnesis_cluster.refinement.asking import BATCH_MAX, Asker, refined_of
from anamnesis_cluster.refinement.model import Unrefined
from anamnesis_libs.models.chat import Json
from anamnesis_libs.tokens import load_counter
from tests.support.unasked_chat import UnaskedChat

COUNTER = load_counter("o200k_base")


def memory(
    name: str, owner: str = "ada", text: str = "a text", *, levels: bool = False
) -> Unrefined:
    """A memory whose importance is in doubt."""
    return Unrefined(name, "e", owner, "user", text, importance=True, levels=levels)


def answer(importance: object, number: int = 1) -> dict[str, Json]:
    """The row of one text."""
    return {
        "text": number,
        "importance": importance,  # type: ignore[dict-item]
        "reason": " so  it is ",
        "summary": "short",
        "overview": "longer",
    }


def test_a_question_has_one_owner_and_is_bounded() -> None:
    many = [memory(f"m-{number}", "ada") for number in range(BATCH_MAX + 1)]
    long = [memory(f"l-{number}", "bo", "word " * 2_000, levels=True) for number in range(3)]
    asker = Asker(UnaskedChat(), COUNTER, 5_000)
    batches = list(asker.batches([long[0], *many, *long[1:]]))
    assert [len(batch) for batch in batches] == [BATCH_MAX, 1, 2, 1]
    assert all(len({one.owner for one in batch}) == 1 for batch in batches)
    assert sum(map(len, batches)) == len(many) + len(long)
    (plain,) = asker.batches([memory("m", text="word " * 2_000)])
    assert COUNTER.count(asker.request(plain).user) < 500


@pytest.mark.parametrize("number", [-0.01, 1.01, math.nan, math.inf, None])
def test_a_number_that_is_no_share_is_not_used(number: float | None) -> None:
    (refined,) = refined_of({"texts": [answer(number)]}, [memory("m")])
    assert (refined.importance, refined.reason, refined.missed) == (None, "", 1)


def test_what_was_not_asked_for_is_not_used() -> None:
    plain, long = memory("m"), memory("l", levels=True)
    told: Json = {"texts": [answer(0.25, 1), answer(1, 2), answer(0.5, 3)]}
    first, second = refined_of(told, [plain, long])
    assert (first.importance, first.reason, first.summary) == (0.25, "so it is", "")
    assert (second.importance, second.summary, second.overview) == (1.0, "short", "longer")
    assert (first.missed, second.missed) == (0, 0)
