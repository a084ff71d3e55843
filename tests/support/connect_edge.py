"""A server that answers Connect's JSON with what a test says, and keeps what it was asked."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

JsonObject = dict[str, object]


@dataclass(slots=True)
class Edge:
    """The answers by method, in order; the last one stays. A number is a status, a text a code."""

    url: str = ""
    answers: dict[str, list[tuple[int, JsonObject]]] = field(default_factory=dict)
    asked: list[tuple[str, JsonObject]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)

    def say(self, method: str, *answers: JsonObject, status: int = 200) -> None:
        """Answer a method so from now on."""
        self.answers[method] = [(status, answer) for answer in answers]

    def requests(self, method: str) -> list[JsonObject]:
        """Messages that a method was asked."""
        return [message for name, message in self.asked if name == method]

    def answer(self, method: str) -> tuple[int, JsonObject]:
        """The next answer of a method."""
        waiting = self.answers.get(method, [(200, {})])
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]


@contextmanager
def connect_edge() -> Iterator[Edge]:
    """Runs the server; its address is `edge.url`."""
    edge = Edge()

    class Handler(BaseHTTPRequestHandler):
        """One request."""

        def do_POST(self) -> None:
            """Keep the messages, and answer."""
            body = self.rfile.read(int(self.headers["Content-Length"]))
            method = self.path.rpartition("/")[2]
            streamed = self.headers["Content-Type"] == "application/connect+json"
            edge.keys.append(self.headers.get("Authorization", ""))
            edge.asked += [
                (method, each) for each in (_stream(body) if streamed else [body_of(body)])
            ]
            status, answer = edge.answer(method)
            content = json.dumps(answer).encode()
            if streamed and status == 200:
                content = _enveloped(0, {}) + _enveloped(2, answer)
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    edge.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield edge
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def body_of(content: bytes) -> JsonObject:
    """The object in a body."""
    held: JsonObject = json.loads(content)
    return held


def _stream(body: bytes) -> Iterator[JsonObject]:
    while body:
        size = int.from_bytes(body[1:5], "big")
        yield body_of(body[5 : 5 + size])
        body = body[5 + size :]


def _enveloped(flags: int, message: JsonObject) -> bytes:
    content = json.dumps(message).encode()
    return bytes([flags]) + len(content).to_bytes(4, "big") + content
