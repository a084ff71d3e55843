"""Messages in the shapes of chat APIs as events."""

from datetime import UTC, datetime

import pytest

from anamnesis.memory.v1.event_pb2 import Role
from anamnesis_client.errors import InvalidArgument
from anamnesis_client.messages import events_of


def test_a_conversation_with_tools() -> None:
    user, asked, told = events_of(
        [
            {"role": "user", "name": "Mara", "content": "Weather in Delft?", "time": "2026-03-02"},
            {
                "role": "assistant",
                "content": None,
                "reasoning": "I must look.",
                "tool_calls": [
                    {
                        "id": "c-1",
                        "type": "function",
                        "function": {"name": "weather", "arguments": '{"city": "Delft"}'},
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "c-1", "content": {"rain": True}},
        ]
    )
    assert (user.role, user.name, user.content) == (Role.ROLE_USER, "Mara", "Weather in Delft?")
    assert user.event_time.ToJsonString() == "2026-03-02T00:00:00Z"
    assert (asked.role, asked.content, asked.reasoning) == (
        Role.ROLE_ASSISTANT,
        "",
        "I must look.",
    )
    assert [(each.call_id, each.name, each.arguments) for each in asked.tool_calls] == [
        ("c-1", "weather", '{"city": "Delft"}')
    ]
    assert (told.role, told.tool_call_id, told.content) == (Role.ROLE_TOOL, "c-1", '{"rain": true}')
    assert not told.HasField("event_time")


def test_parts_keep_their_texts_and_name_what_is_no_text() -> None:
    parts = [
        {"type": "text", "text": "Look at this:"},
        {"type": "image_url", "image_url": {"url": "data:..."}},
        {"type": "input_text", "text": "What is it?"},
    ]
    (event,) = events_of([{"role": "user", "content": parts}])
    assert event.content == "Look at this:\n[image_url]\nWhat is it?"


def test_roles_by_their_other_names_and_times_of_all_kinds() -> None:
    moment = datetime(2026, 3, 2, 9, tzinfo=UTC)
    events = events_of(
        [
            {"role": "developer", "content": "Be brief.", "time": moment},
            {"role": "ai", "content": "Yes.", "time": moment.timestamp()},
            {"role": "human", "content": "Well?", "time": moment.isoformat()},
        ]
    )
    assert [event.role for event in events] == [
        Role.ROLE_SYSTEM,
        Role.ROLE_ASSISTANT,
        Role.ROLE_USER,
    ]
    assert {event.event_time.ToDatetime(UTC) for event in events} == {moment}


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        ("Hello", "give a list of messages"),
        ({"role": "user", "content": "Hello"}, "give a list of messages"),
        (["Hello"], r"messages\[0\]: is no message"),
        ([{"content": "Hello"}], r"messages\[0\].role: value is required"),
        ([{"role": "robot", "content": "Hello"}], r"messages\[0\].role: 'robot' is none of user,"),
        ([{"role": "user", "content": "Hi", "time": "soon"}], r"messages\[0\].time: 'soon' is not"),
        ([{"role": "user", "content": "Hi", "time": [1]}], r"messages\[0\].time: \[1\] is not"),
    ],
)
def test_what_is_no_message_is_named(messages: object, told: str) -> None:
    with pytest.raises(InvalidArgument, match=told):
        events_of(messages)  # type: ignore[arg-type]


@pytest.mark.parametrize("key", ["time", "timestamp", "created_at", "event_time", "date"])
def test_a_time_is_read_under_the_names_that_files_have_for_it(key: str) -> None:
    (event,) = events_of([{"role": "user", "content": "Hi.", key: "2026-03-02T09:00Z"}])
    assert event.event_time.ToDatetime(UTC) == datetime(2026, 3, 2, 9, tzinfo=UTC)
    with pytest.raises(InvalidArgument) as refused:
        events_of([{"role": "user", "content": "Hi.", key: "soon"}])
    assert refused.value.violations[0].field == f"messages[0].{key}"
