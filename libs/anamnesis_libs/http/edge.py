"""The edge of HTTP: whatever fails in a request ends here, as an answer and a line in the log.

What the protocol's library refuses without a word gets one here. The last of three places that
catch everything, for what the error edge of gRPC cannot see. The line has the type and the stack of
what failed, no words: headers hold keys, and bodies contents.
"""

import json
import logging
import uuid
from collections.abc import Sequence

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anamnesis_libs.logs import Logger, failure_fields

_GRPC = b"application/grpc"
_GRPC_WEB = b"application/grpc-web"
_BARE = {
    404: (
        "unimplemented",
        "nothing is at this path: POST to /PACKAGE.SERVICE/METHOD, as in /openapi.json",
    ),
    405: ("unimplemented", "an rpc is called with POST"),
    415: ("invalid_argument", "a request is JSON: send the header Content-Type: application/json"),
}
"""Code and message for a status that would come with an empty body."""


class HttpEdge:
    """An application around another, which it asks for nothing that it cannot read."""

    def __init__(self, app: ASGIApp, logger: Logger) -> None:
        self._app = app
        self._logger = logger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if refusal := _refusal(scope):
            status, code, message = refusal
            await _answer(send, status, code, message)
            return
        started = bare = False

        async def sending(message: Message) -> None:
            nonlocal started, bare
            if bare:
                return
            bare = not started and message.get("status") in _BARE and not _has_kind(message)
            started = True
            await (_tell(send, message) if bare else send(message))

        try:
            await self._app(scope, receive, sending)
        except Exception as error:
            incident_id = self._log(error)
            if not started:
                told = f"internal error; the server's log has it as incident {incident_id}"
                await _answer(send, 500, "internal", told)

    def _log(self, error: Exception) -> str:
        incident_id = uuid.uuid4().hex
        self._logger.error(
            "http.incident",
            incident_id=incident_id,
            **failure_fields(error, with_text=self._logger.is_enabled_for(logging.DEBUG)),
        )
        return incident_id


def _refusal(scope: Scope) -> tuple[int, str, str] | None:
    """Status, code and message for a request that cannot be handed on; None for any other."""
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    for name, value in headers:
        if not value.isascii() or not value.decode().isprintable():
            return 400, "invalid_argument", f"header {name.decode('latin-1')}: not printable ASCII"
    kind = dict(headers).get(b"content-type", b"")
    if kind.startswith(_GRPC) and not kind.startswith(_GRPC_WEB):
        return 415, "unimplemented", "this port speaks Connect and gRPC-Web; gRPC has its own"
    return None


def _has_kind(start: Message) -> bool:
    """True if an answer that begins like this has something to say."""
    return any(name.lower() == b"content-type" for name, _ in start["headers"])


async def _tell(send: Send, start: Message) -> None:
    """Answers in place of an answer without a word, with its headers."""
    code, message = _BARE[start["status"]]
    kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
    await _answer(send, start["status"], code, message, kept)


async def _answer(
    send: Send,
    status: int,
    code: str,
    message: str,
    beside: Sequence[tuple[bytes, bytes]] = (),
) -> None:
    headers = [*beside, (b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    body = json.dumps({"code": code, "message": message}).encode()
    await send({"type": "http.response.body", "body": body})
