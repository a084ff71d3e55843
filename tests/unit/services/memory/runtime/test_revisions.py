"""Revision tokens."""

from dataclasses import replace

import pytest

from anamnesis_libs.errors import InvalidArgument, RevisionInFuture, RevisionOfAnotherIncarnation
from anamnesis_memory.model.ids import new_incarnation
from anamnesis_memory.model.memory import Namespace
from anamnesis_memory.runtime.revisions import read_revision, revision_token
from tests.support.records import BASE_US

SPACE = Namespace("team-a", "0123456789abcdef0123", BASE_US, "model", 8)


@pytest.mark.parametrize("revision", [0, 1, 255, 10**12])
def test_a_token_reads_as_what_it_was_made_of(revision: int) -> None:
    assert read_revision(SPACE, revision_token(SPACE, revision), revision) == revision


def test_no_token_asks_for_nothing() -> None:
    assert read_revision(SPACE, "", 7) == 0


@pytest.mark.parametrize("token", ["x", "12", "zz-1", f"{SPACE.incarnation}-", "-1"])
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(InvalidArgument) as refused:
        read_revision(SPACE, token, 7)
    assert refused.value.violations[0].field == "at_least_revision"


def test_a_token_of_an_earlier_namespace_is_refused() -> None:
    earlier = replace(SPACE, incarnation=new_incarnation(BASE_US))
    with pytest.raises(RevisionOfAnotherIncarnation):
        read_revision(SPACE, revision_token(earlier, 1), 7)


def test_a_revision_that_was_never_given_is_refused() -> None:
    with pytest.raises(RevisionInFuture):
        read_revision(SPACE, revision_token(SPACE, 8), 7)
