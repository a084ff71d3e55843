"""The edge of HTTP: what cannot be handed on, and what fails in a request."""

import json

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from structlog.testing import capture_logs

from anamnesis_libs.http.edge import HttpEdge
from anamnesis_libs.logs import logger

SECRET = "what-a-caller-sends"


async def failing(_: Scope, _receive: Receive, _send: Send) -> None:
    """An application with a fault, whose words quote its input."""
    raise KeyError(SECRET)


async def answering(_: Scope, _receive: Receive, send: Send) -> None:
    """An application that answers."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


async def bare(_: Scope, _receive: Receive, send: Send) -> None:
    """An application that refuses without a word."""
    headers = [(b"accept-post", b"application/json"), (b"content-length", b"0")]
    await send({"type": "http.response.start", "status": 415, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def asked(app: ASGIApp, *headers: tuple[bytes, bytes]) -> tuple[int, dict[str, str]]:
    """Status and JSON of an answer."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    scope: Scope = {"type": "http", "headers": [(b"content-type", b"application/json"), *headers]}
    await HttpEdge(app, logger("test"))(scope, receive, send)
    return sent[0]["status"], json.loads(b"".join(one["body"] for one in sent[1:]))


async def test_a_fault_is_told_by_an_incident_and_not_by_its_words() -> None:
    with capture_logs() as lines:
        status, told = await asked(failing)
    assert (status, told["code"]) == (500, "internal")
    (line,) = lines
    assert line["incident_id"] in told["message"]
    assert SECRET not in f"{told}{line}"


@pytest.mark.parametrize("value", [b"Bearer \xd0\xba", b"\xff\xfe", b"a\tb"])
async def test_a_header_that_metadata_cannot_hold_is_refused(value: bytes) -> None:
    status, told = await asked(failing, (b"authorization", value))
    assert (status, told["code"]) == (400, "invalid_argument")
    assert "authorization" in told["message"]


async def test_grpc_itself_is_refused_and_what_can_be_read_is_handed_on() -> None:
    assert (await asked(failing, (b"content-type", b"application/grpc+proto")))[0] == 415
    assert await asked(answering) == (200, {})


async def test_what_is_refused_without_a_word_gets_one() -> None:
    status, told = await asked(bare)
    assert (status, told["code"]) == (415, "invalid_argument")
    assert "Content-Type: application/json" in told["message"]
