"""Every public function of anamnesis_libs.talk takes time linear in its text, whatever the text."""

from collections.abc import Callable

import pytest

from anamnesis_libs.talk.asking import (
    MANNERS,
    asks_for_beginning,
    asks_for_command,
    asks_for_end,
    asks_for_failure,
    asks_for_the_past,
    asks_of_person,
    is_about_caller,
    is_request,
    manners_of,
    tells,
)
from anamnesis_libs.talk.changes import tells_change
from anamnesis_libs.talk.filler import (
    is_announcement,
    is_marker,
    is_small_talk,
    only_went_well,
    says_nothing,
)
from anamnesis_libs.talk.own_blocks import without_own_blocks
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.standing import standing_kind
from anamnesis_libs.talk.topics import topics_of
from tests.support.growth import grown, own_shapes, shared_shapes

CHARS = 15_000


def read(text: str) -> object:
    """Read as a prompt or a line would be, by everything but `units_of`."""
    return (
        without_own_blocks(text),
        is_request(text),
        is_about_caller(text),
        asks_for_the_past(text),
        asks_of_person(text),
        asks_for_beginning(text),
        asks_for_end(text),
        asks_for_failure(text),
        asks_for_command(text),
        manners_of(text),
        [tells(manner, text) for manner in MANNERS],
        only_went_well(text),
        tells_change(text),
        says_nothing(text),
        is_announcement(text),
        is_marker(text),
        is_small_talk(text),
        standing_kind(text, "user"),
        topics_of(text),
    )


pytestmark = pytest.mark.slow
FUNCTIONS = pytest.mark.parametrize("function", [units_of, read])


@FUNCTIONS
def test_time_grows_as_the_text_does(function: Callable[[str], object]) -> None:
    assert list(grown(function, own_shapes(), CHARS)) == []


@pytest.mark.skipif(not shared_shapes(), reason="the collection of shapes is not beside the suite")
@FUNCTIONS
def test_so_it_does_of_the_shapes_that_slowed_others(function: Callable[[str], object]) -> None:
    assert list(grown(function, shared_shapes(), CHARS)) == []
