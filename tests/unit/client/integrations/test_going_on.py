"""An agent goes on when its memory fails; conversations of two users are never one."""

import pytest

from anamnesis_client.errors import Unreachable
from anamnesis_client.integrations.conversations import session_of
from anamnesis_client.integrations.going_on import going_on


def test_a_failure_of_the_memory_is_logged_without_its_texts(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail() -> None:
        raise Unreachable("no server answers to 'my secret'", reason="UNREACHABLE")

    with going_on("recall"):
        fail()
    assert caplog.messages == [
        "memory failed, the agent goes on without: recall: Unreachable (UNREACHABLE)"
    ]


def test_other_failures_are_not_hidden() -> None:
    with pytest.raises(ZeroDivisionError), going_on("recall"):
        raise ZeroDivisionError


def test_no_two_users_have_one_session() -> None:
    pairs = [("a/b", "c"), ("a", "b/c"), ("a%2Fb", "c"), ("a", "%2Fb/c")]
    assert len({session_of(user, conversation) for user, conversation in pairs}) == len(pairs)
    assert session_of("mara", "s-1") == "mara/s-1"
