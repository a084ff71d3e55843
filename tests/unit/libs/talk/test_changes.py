"""Tests of talk/changes.py: what changed, and what only will."""

import pytest

from anamnesis_libs.talk.changes import tells_change, tells_plan


@pytest.mark.parametrize("text", ["We moved to Porto in March.", "I quit Feedzai", "我搬到成都了"])
def test_what_changed_is_no_plan(text: str) -> None:
    assert tells_change(text)
    assert not tells_plan(text)


@pytest.mark.parametrize(
    "text",
    [
        "We move on 12 December.",
        "I'm moving to Graz in May.",
        "If we get it I'll cycle there.",
        "We need a bigger place.",
        "我打算搬到成都",
        "下个月换工作",
    ],
)
def test_what_will_be_is_a_plan(text: str) -> None:
    assert tells_plan(text)
