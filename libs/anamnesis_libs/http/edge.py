"""The edge of HTTP: whatever fails in a request ends here, as an answer and a line in the log.

The last of three places that catch everything, for what the error edge of gRPC cannot see. The
line has the type and the stack of what failed, no words: headers hold keys, and bodies contents.
"""

import json
import logging
import uuid

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from anamnesis_libs.logs import Logger, failure_fields

_GRPC = b"application/grpc"
_GRPC_WEB = b"application/grpc-web"


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
        started = False

        async def sending(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

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


async def _answer(send: Send, status: int, code: str, message: str) -> None:
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    body = json.dumps({"code": code, "message": message}).encode()
    await send({"type": "http.response.body", "body": body})
