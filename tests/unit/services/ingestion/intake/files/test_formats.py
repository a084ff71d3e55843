"""Each format by a file of its published shape: what comes in, and that it comes in once."""

import json
from collections.abc import AsyncIterator

import pytest

from anamnesis.ingestion.v1.ingestion_service_pb2 import IngestFileHeader
from anamnesis.memory.v1.event_pb2 import Role
from anamnesis_ingestion.intake.files.jsonl import parse_jsonl
from anamnesis_ingestion.intake.files.session_reader import SessionReader
from anamnesis_ingestion.intake.fingerprints import derive_session_id
from anamnesis_ingestion.model import Shape
from tests.support.ingestion_suite import IngestionSuite, ingestion_suite, jsonl

LABEL = "exports/a"
MADE = derive_session_id("", LABEL)
Row = tuple[str, str, str]
"""Role, name and text of an event."""


def document(value: object) -> bytes:
    return json.dumps(value, indent=1).encode()


PI = jsonl(
    {"type": "session", "version": 3, "id": "pi-1", "timestamp": "2026-03-02T07:14:00Z"},
    {"type": "message", "id": "a", "message": {"role": "user", "content": "Port the selector"}},
    {
        "type": "message",
        "timestamp": "2026-03-02T07:14:05Z",
        "message": {
            "role": "assistant",
            "content": [
                {"type": "thinking", "thinking": "Look first."},
                {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "a.ts"}},
            ],
            "stopReason": "toolUse",
        },
    },
    {
        "type": "message",
        "message": {
            "role": "toolResult",
            "toolCallId": "c1",
            "toolName": "read",
            "content": [{"type": "text", "text": "no such file"}],
            "isError": True,
        },
    },
    {"type": "compaction", "summary": "The person wants tabs."},
    {"type": "branch_summary", "summary": "They tried spaces."},
    {"type": "message", "message": {"role": "compactionSummary", "summary": "Tabs."}},
    {"type": "message", "message": {"role": "bashExecution", "command": "ls", "output": "b.ts"}},
    {"type": "message", "message": {"role": "assistant", "content": [], "stopReason": "aborted"}},
    {"type": "custom_message", "content": "a hook says no"},
    {"type": "model_change", "modelId": "m"},
)
CODEX = jsonl(
    {"timestamp": "2026-03-02T07:14:00Z", "type": "session_meta", "payload": {"id": "codex-1"}},
    *(
        {"timestamp": "2026-03-02T07:14:01Z", "type": "response_item", "payload": item}
        for item in (
            {
                "type": "message",
                "role": "user",
                "content": [
                    {"type": "input_text", "text": "<environment_context>x</environment_context>"}
                ],
            },
            {
                "type": "message",
                "role": "user",
                "content": [{"type": "input_text", "text": "Fix the <b>bold</b> test"}],
            },
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Run it."}]},
            {
                "type": "function_call",
                "name": "shell",
                "call_id": "c1",
                "arguments": '{"command": ["npm", "test"]}',
            },
            {
                "type": "function_call_output",
                "call_id": "c1",
                "output": '{"output": "1 failed", "metadata": {"exit_code": 1}}',
            },
            {
                "type": "message",
                "role": "assistant",
                "content": [{"type": "output_text", "text": "It fails."}],
            },
        )
    ),
    {
        "timestamp": "2026-03-02T07:14:01Z",
        "type": "event_msg",
        "payload": {"type": "user_message", "message": "Fix"},
    },
    {
        "timestamp": "2026-03-02T07:14:01Z",
        "type": "compacted",
        "payload": {"message": "They want a fix."},
    },
    {"timestamp": "2026-03-02T07:14:01Z", "type": "session_meta", "payload": {"id": "codex-0"}},
)
CODEX_OLD = jsonl(
    {"id": "codex-2", "timestamp": "2025-06-02T07:14:00Z", "instructions": None, "git": {}},
    {"record_type": "state"},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hi"}]},
    {"type": "function_call", "name": "shell", "call_id": "c1", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "c1", "output": "Exit code: 0\nOutput:\nerror.log"},
)


def node(parent: str | None, role: str, content: object, **fields: object) -> dict[str, object]:
    message = {"id": "m", "author": {"role": role}, "content": content, **fields}
    return {"message": message, "parent": parent, "children": []}


def text_of(*parts: object) -> dict[str, object]:
    return {"content_type": "text", "parts": list(parts)}


CHATGPT = document(
    [
        {
            "conversation_id": "gpt-1",
            "create_time": 1_772_000_000.5,
            "current_node": "e",
            "mapping": {
                "root": {"message": None, "parent": None, "children": ["a"]},
                "a": node(
                    "root",
                    "user",
                    text_of(
                        "Which fir is this?",
                        {
                            "content_type": "image_asset_pointer",
                            "asset_pointer": "file-service://f1",
                        },
                    ),
                ),
                "left": node("a", "assistant", text_of("A pine.")),
                "b": node(
                    "a",
                    "assistant",
                    {"content_type": "code", "text": "search()"},
                    recipient="browser",
                ),
                "c": node("b", "tool", {"content_type": "execution_output", "text": "Abies alba"}),
                "d": node(
                    "c",
                    "assistant",
                    {"content_type": "thoughts", "thoughts": [{"content": "Flat needles."}]},
                ),
                "e": node("d", "assistant", text_of("A silver fir."), create_time=1_772_000_009.0),
            },
        },
        {"id": "gpt-2", "mapping": {"x": node(None, "user", text_of("Hello"))}},
        {"id": "gpt-3", "mapping": {}},
    ]
)
CLAUDE_AI = document(
    [
        {
            "uuid": "claude-1",
            "name": "Firs",
            "chat_messages": [
                {
                    "sender": "human",
                    "text": "Which fir?",
                    "content": [{"type": "text", "text": "Which fir?"}],
                    "created_at": "2026-03-02T07:14:00Z",
                    "attachments": [{"file_name": "n.txt", "extracted_content": "flat needles"}],
                    "files": [{"file_name": "fir.png"}],
                },
                {"sender": "assistant", "text": "A silver fir.", "content": []},
            ],
        },
        {"uuid": "claude-2", "name": "", "chat_messages": []},
    ]
)
SHAREGPT = jsonl(
    {
        "id": "share-1",
        "conversations": [{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Ho"}],
    },
    {
        "conversations": [
            {"from": "human", "value": "Bye"},
            {"from": "function_call", "value": '{"name": "wave", "arguments": {}}'},
        ]
    },
)
LANGCHAIN = jsonl(
    {"type": "system", "data": {"content": "Be brief."}},
    {"type": "human", "data": {"content": "Is it up?", "name": "Mara"}},
    {
        "type": "ai",
        "data": {"content": "", "tool_calls": [{"name": "ping", "args": {"a": 1}, "id": "c1"}]},
    },
    {"type": "tool", "data": {"content": "timeout", "tool_call_id": "c1", "status": "error"}},
    {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "AIMessageChunk"],
        "kwargs": {"content": [{"type": "text", "text": "No."}]},
    },
)
SLACK = document(
    [
        {
            "type": "message",
            "user": "U1",
            "text": "Ask <@U2> &amp; see <https://a.b|the page>, <!here>",
            "ts": "1772000000.000100",
            "user_profile": {"real_name": "Mara Lind"},
        },
        {"type": "message", "user": "U2", "text": "On it", "ts": "1772000060.000100"},
        {
            "type": "message",
            "subtype": "channel_join",
            "user": "U3",
            "text": "<@U3> has joined",
            "ts": "1772000061.0",
        },
        {
            "type": "message",
            "subtype": "bot_message",
            "username": "CI",
            "text": "build failed",
            "ts": "1772000062.0",
        },
    ]
)
LISTS = jsonl(
    {"session_id": "list-1", "messages": [{"role": "user", "content": "Hi"}]},
    {"messages": [{"role": "user", "content": "Ho"}]},
    {"conversations": [{"role": "user", "content": "Hey"}]},
)
NAMED = jsonl(
    {"role": "user", "content": "Hi", "session_id": "mine"}, {"role": "assistant", "content": "Ho"}
)

CURSOR = jsonl(
    {
        "role": "user",
        "message": {
            "content": [
                {
                    "type": "text",
                    "text": "<timestamp>Monday</timestamp>\n<user_query>\nFix it\n</user_query>",
                }
            ]
        },
    },
    {
        "role": "assistant",
        "message": {
            "content": [
                {"type": "text", "text": "I read it first."},
                {"type": "tool_use", "name": "Read", "input": {"path": "a.py"}},
            ]
        },
    },
    {"type": "turn_ended", "status": "success"},
    {"role": "user", "message": {"content": [{"type": "text", "text": "Thanks"}]}},
)
FILES: list[tuple[str, bytes, dict[str, list[Row]]]] = [
    (
        "pi",
        PI,
        {
            "pi-1": [
                ("user", "", "Port the selector"),
                ("assistant", "", ""),
                ("tool", "read: a.ts (failed)", "no such file"),
                ("tool", "bash: ls", "b.ts"),
                ("system", "", "a hook says no"),
            ]
        },
    ),
    (
        "cursor",
        CURSOR,
        {
            MADE: [
                ("user", "", "Fix it"),
                ("assistant", "", "I read it first."),
                ("user", "", "Thanks"),
            ]
        },
    ),
    (
        "codex",
        CODEX,
        {
            "codex-1": [
                ("system", "", "<environment_context>x</environment_context>"),
                ("user", "", "Fix the <b>bold</b> test"),
                ("assistant", "", ""),
                ("assistant", "", ""),
                ("tool", "shell: npm test (failed)", "1 failed"),
                ("assistant", "", "It fails."),
            ]
        },
    ),
    (
        "codex, older",
        CODEX_OLD,
        {
            "codex-2": [
                ("user", "", "Hi"),
                ("assistant", "", ""),
                ("tool", "shell", "Exit code: 0\nOutput:\nerror.log"),
            ]
        },
    ),
    (
        "chatgpt",
        CHATGPT,
        {
            "gpt-1": [
                ("user", "", "Which fir is this?\n[image: file-service://f1]"),
                ("assistant", "", ""),
                ("tool", "", "Abies alba"),
                ("assistant", "", ""),
                ("assistant", "", "A silver fir."),
            ],
            "gpt-2": [("user", "", "Hello")],
        },
    ),
    (
        "claude.ai",
        CLAUDE_AI,
        {
            "claude-1": [
                ("user", "", "Which fir?\nflat needles\n[document: fir.png]"),
                ("assistant", "", "A silver fir."),
            ]
        },
    ),
    (
        "sharegpt",
        SHAREGPT,
        {
            "share-1": [("user", "", "Hi"), ("assistant", "", "Ho")],
            f"{MADE}.2": [("user", "", "Bye"), ("assistant", "", "")],
        },
    ),
    (
        "langchain",
        LANGCHAIN,
        {
            MADE: [
                ("system", "", "Be brief."),
                ("user", "Mara", "Is it up?"),
                ("assistant", "", ""),
                ("tool", "ping (failed)", "timeout"),
                ("assistant", "", "No."),
            ]
        },
    ),
    (
        "slack",
        SLACK,
        {
            MADE: [
                ("user", "Mara Lind", "Ask @Tomas & see the page (https://a.b), @here"),
                ("user", "Tomas", "On it"),
                ("system", "U3", "@U3 has joined"),
                ("system", "CI", "build failed"),
            ]
        },
    ),
    (
        "lists of messages",
        LISTS,
        {
            "list-1": [("user", "", "Hi")],
            f"{MADE}.2": [("user", "", "Ho")],
            f"{MADE}.3": [("user", "", "Hey")],
        },
    ),
    ("a session in a line", NAMED, {"mine": [("user", "", "Hi"), ("assistant", "", "Ho")]}),
]


@pytest.fixture
async def suite() -> AsyncIterator[IngestionSuite]:
    async with ingestion_suite() as running:
        yield running


@pytest.mark.parametrize(
    ("content", "sessions"), [file[1:] for file in FILES], ids=[file[0] for file in FILES]
)
async def test_a_file_of_each_format_comes_in_whole_and_only_once(
    suite: IngestionSuite, content: bytes, sessions: dict[str, list[Row]]
) -> None:
    header = IngestFileHeader(namespace="team", label=LABEL, names={"U2": "Tomas"})
    first = await suite.ingest(content, header)
    again = await suite.ingest(content, header)
    stored = {
        each: [
            (Role.Name(event.role).removeprefix("ROLE_").lower(), event.name, event.content)
            for event in suite.ledger.events(each)
        ]
        for each in sessions
    }
    assert stored == sessions
    assert first.skipped == 0
    assert first.appended == first.events == sum(map(len, sessions.values()))
    assert (again.appended, again.replaced, again.unchanged) == (0, 0, first.events)


@pytest.mark.parametrize(
    ("content", "shape"),
    [
        (PI, Shape.PI),
        (CODEX, Shape.CODEX),
        (CURSOR, Shape.CURSOR),
        (CODEX_OLD, Shape.CODEX),
        (LANGCHAIN, Shape.LANGCHAIN),
        (SHAREGPT, Shape.SHAREGPT),
        (NAMED, Shape.OPENAI),
    ],
)
def test_the_shape_of_lines_is_told(content: bytes, shape: Shape) -> None:
    assert parse_jsonl([content]).report.shape is shape


@pytest.mark.parametrize(
    ("content", "shape"),
    [(CHATGPT, Shape.CHATGPT), (CLAUDE_AI, Shape.CLAUDE_AI), (SLACK, Shape.SLACK)],
)
@pytest.mark.parametrize("indented", [True, False])
def test_the_shape_of_a_document_is_told(content: bytes, shape: Shape, indented: bool) -> None:
    written = content if indented else json.dumps(json.loads(content)).encode()
    reader = SessionReader(Shape.AUTO, line_bytes_max=1 << 20, document_bytes_max=1 << 20)
    events = [*reader.feed(written), *reader.close()]
    assert reader.report().shape is shape
    assert all(event.event_time is not None for event in events[:1])


def test_a_long_document_in_one_line_is_read_a_conversation_at_a_time() -> None:
    said = {"sender": "human", "text": "a" * 1000}
    rows = [{"uuid": f"c{number}", "chat_messages": [said]} for number in range(2000)]
    content = json.dumps(rows).encode() + b"\n"
    reader = SessionReader(Shape.AUTO, line_bytes_max=1 << 20, document_bytes_max=1 << 23)
    assert not list(reader.feed(content))
    assert len({event.session_id for event in reader.close()}) == 2000


async def test_a_message_that_is_too_long_costs_itself_only(suite: IngestionSuite) -> None:
    texts = ["a", "b" * (1 << 21), "c"]
    turns = [{"from": "human", "value": text} for text in texts]
    answer = await suite.ingest(jsonl({"id": "s", "conversations": turns}))
    assert (answer.events, answer.skipped) == (2, 1)
    assert suite.ledger.texts("s") == ["a", "c"]
