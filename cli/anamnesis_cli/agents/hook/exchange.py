"""One request of the Connect protocol over HTTP, and its answer."""

import json
import time
from collections.abc import Callable

from anamnesis_cli.agents.hook.objects import JsonObject, as_object, text_of
from anamnesis_cli.agents.hook.states import here

ANSWER_BYTES_MAX = 1024 * 1024


class Unanswered(ValueError):
    """The suite gave no answer to use; the message says why, without any text of a user.

    `code` is that of Connect's errors, such as "unavailable"; "" where the suite gave none. `field`
    is the one that was refused, if one was.
    """

    def __init__(self, message: str, code: str = "", field: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.field = field


def from_here(send: Callable[[dict[str, str]], JsonObject]) -> JsonObject:
    """The answer to what `send` sends with where the person is by this machine's clock.

    A suite that is too old to know that field is sent the same without it.
    """
    clock = here()
    try:
        return send(clock)
    except Unanswered as error:
        if error.field not in clock:
            raise
    return send({})


def refused_field(error: JsonObject) -> str:
    """The field that an error names as refused, in JSON's spelling; "" where it names none."""
    return text_of(error, "message").partition(":")[0].rpartition(".")[2]


def call(method: str, message: JsonObject, settings: dict[str, str], by_s: float) -> JsonObject:
    """The answer of a method, such as `/anamnesis.memory.v1.MemoryService/GetMemory`.

    Args:
        method: the path of the method.
        message: the request.
        settings: those of the hook.
        by_s: when there is no more use for an answer, of `time.monotonic`.

    Returns:
        The answer; empty where what was asked for is not there.

    Raises:
        OSError: nobody answers in time.
        ValueError: the answer is none to use.
    """
    body = json.dumps(message).encode()
    return answered(*exchange(method, "application/json", body, settings, by_s))


def exchange(
    path: str, kind: str, body: bytes, settings: dict[str, str], by_s: float
) -> tuple[int, bytes]:
    """The status and body of the answer to a request whose body is of a content type.

    Raises:
        OSError: nobody answers in time.
        ValueError: the answer is none of HTTP, or too long.
    """
    import socket

    scheme, _, address = settings["url"].rstrip("/").partition("://")
    host, _, port = address.partition(":")
    lines = [
        f"POST {path} HTTP/1.0",  # one answer, in one piece, and the end of the connection
        f"Host: {address}",
        f"Content-Type: {kind}",
        "Connect-Protocol-Version: 1",
        f"Connect-Timeout-Ms: {max(1, int((by_s - time.monotonic()) * 1000))}",
        f"Content-Length: {len(body)}",
    ]
    if settings["api_key_file"]:
        with open(settings["api_key_file"], encoding="utf-8") as file:
            lines.append(f"Authorization: Bearer {file.readline().strip()}")
    secure = scheme == "https"
    # as bytes the name needs no codec for names, which takes a while to read
    place_of = (host.encode(), int(port or (443 if secure else 80)))
    with socket.create_connection(place_of, _left_s(by_s)) as plain:  # type: ignore[arg-type]
        channel = plain
        if secure:
            import ssl

            context = ssl.create_default_context(cafile=settings["tls_ca"] or None)
            channel = context.wrap_socket(plain, server_hostname=host)
        channel.sendall("\r\n".join([*lines, "", ""]).encode() + body)
        answer = bytearray()
        while chunk := channel.recv(65536):
            answer += chunk
            if len(answer) > ANSWER_BYTES_MAX:
                raise Unanswered("the answer is too long")
            channel.settimeout(_left_s(by_s))
    head, _, rest = bytes(answer).partition(b"\r\n\r\n")
    return int(head[9:12]), rest


def answered(status: int, body: bytes) -> JsonObject:
    """The object of an answer; empty where what was asked for is not there.

    Raises:
        ValueError: it was refused, or is no JSON.
    """
    held = as_object(json.loads(body))
    if status != 200 and held.get("code") != "not_found":
        code = text_of(held, "code")
        raise Unanswered(f"{status} {code}", code, refused_field(held))
    return held if status == 200 else {}


def _left_s(by_s: float) -> float:
    return max(0.05, by_s - time.monotonic())
