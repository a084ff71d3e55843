"""Fingerprints change with what was said and with nothing else; session ids follow the path."""

import hashlib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_ingestion.intake.fingerprints import (
    choose_session_id,
    derive_session_id,
    fingerprint,
)
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.model import Role, SourceEvent, ToolCall

HELLO = SourceEvent(role=Role.USER, content="héllo", source_line=1)
CALL = ToolCall("c1", "ls", "{}")


def test_plain_events_hash_as_role_nul_content_soh() -> None:
    answer = SourceEvent(role=Role.ASSISTANT, content="hi", source_line=2)
    expected = hashlib.sha256("user\0héllo\x01assistant\0hi\x01".encode()).hexdigest()[:16]
    assert fingerprint([HELLO, answer]) == expected


@pytest.mark.parametrize(
    "changed",
    [
        replace(HELLO, role=Role.ASSISTANT),
        replace(HELLO, content="hello"),
        replace(HELLO, tool_call_id="c1"),
        replace(HELLO, stop_reason="end_turn"),
        replace(HELLO, tool_calls=(CALL,)),
    ],
)
def test_what_was_said_changes_the_fingerprint(changed: SourceEvent) -> None:
    assert fingerprint([changed]) != fingerprint([HELLO])


@pytest.mark.parametrize(
    "call", [ToolCall("c2", "ls", "{}"), ToolCall("c1", "cat", "{}"), ToolCall("c1", "ls", "[]")]
)
def test_every_part_of_a_call_changes_the_fingerprint(call: ToolCall) -> None:
    calls = [replace(HELLO, tool_calls=(one,)) for one in (CALL, call)]
    assert fingerprint(calls[:1]) != fingerprint(calls[1:])


def test_where_a_line_stood_does_not_change_the_fingerprint() -> None:
    moved = replace(HELLO, source_line=9, source_id="u9", session_id="s2")
    assert fingerprint([moved]) == fingerprint([HELLO])


texts = st.text(alphabet="a\x00\x01\x02\x10@ABP" + "user", max_size=12)
event_lists = st.lists(
    st.builds(
        SourceEvent,
        role=st.sampled_from([Role.USER, Role.TOOL]),
        content=texts,
        source_line=st.just(1),
        tool_call_id=st.sampled_from(["", "\x01", "c"]),
    ),
    max_size=3,
)


@given(event_lists, event_lists)
def test_no_text_imitates_the_border_between_two_events(
    left: list[SourceEvent], right: list[SourceEvent]
) -> None:
    assert (fingerprint(left) == fingerprint(right)) == (left == right)


def test_a_border_written_into_a_text_is_no_border() -> None:
    two = [replace(HELLO, content="a"), replace(HELLO, content="b")]
    forged = [replace(HELLO, content="a\x01user\x00b")]
    assert fingerprint(two) != fingerprint(forged)


def test_another_path_or_agent_is_another_session() -> None:
    expected = hashlib.sha256(b"ag\0/x/a.jsonl").hexdigest()[:32]
    assert derive_session_id("ag", "/x/a.jsonl") == expected
    ids = {derive_session_id(*key) for key in [("ag", "a"), ("ag", "b"), ("bg", "a"), ("a", "ga")]}
    assert len(ids) == 4


@pytest.mark.parametrize(
    ("given_id", "in_file", "chosen"),
    [("mine", "inside", "mine"), ("", "inside", "inside"), ("", None, derive_session_id("a", "p"))],
)
def test_the_callers_id_goes_before_the_files(
    given_id: str, in_file: str | None, chosen: str
) -> None:
    assert choose_session_id("a", "p", given=given_id, in_file=in_file) == chosen


def test_an_event_hashes_alike_in_its_file_and_in_the_ledger() -> None:
    call = replace(HELLO, role=Role.ASSISTANT, tool_calls=(CALL,))
    answer = replace(HELLO, role=Role.TOOL, tool_call_id="c1", source_id="u1")
    kept = [
        LedgerEvent(role=HELLO.role, content=HELLO.content, index=4),
        LedgerEvent(role=call.role, content=call.content, index=5, tool_calls=call.tool_calls),
        LedgerEvent(role=answer.role, content=answer.content, index=6, tool_call_id="c1"),
    ]
    assert fingerprint(kept) == fingerprint([HELLO, call, answer])
