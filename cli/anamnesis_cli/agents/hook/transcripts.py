"""Transcripts: which are due to be handed over, and the stream that hands one over."""

import binascii
import json
import os
import time
from collections.abc import Sequence

from anamnesis_cli.agents.hook.exchange import (
    Unanswered,
    answered,
    exchange,
    from_here,
    refused_field,
)
from anamnesis_cli.agents.hook.objects import JsonObject, number_of, object_of, text_of
from anamnesis_cli.agents.hook.states import plain, read_state, states, utc

INGEST_FILE = "/anamnesis.ingestion.v1.IngestionService/IngestFile"
GROWN_SHARE = 0.25
"""A transcript is handed over when it has grown by so much: each time it is archived whole;"""
RESTED_S = 900.0
"""or when it was not for so long."""
TAKEN = "taken-"
"""How the states of transcripts are named: another event may write the session's own."""
LEFT_BEHIND_MAX = 3
"""Transcripts of sessions that ended between two times, handed over with another's."""
HAND_OVER_TIMEOUT_S = 100
STREAMED = "application/connect+json"
CHUNK_BYTES = 512 * 1024


def is_due(taken: JsonObject, *, at_once: bool = False) -> bool:
    """True where a transcript has more than when it was handed over, and enough more."""
    path, handed = text_of(taken, "path"), number_of(taken, "handed")
    size = os.path.getsize(path) if os.path.isfile(path) else handed
    if size == handed:
        return False
    rested = time.time() - number_of(taken, "handed_s") >= RESTED_S
    return at_once or rested or size >= handed * (1 + GROWN_SHARE)


def left_behind(own: str) -> list[tuple[str, JsonObject]]:
    """Transcripts of other sessions that rest and have more than was handed over."""
    rest = [
        (name, read_state(name))
        for name, age_s in states()
        if name.startswith(TAKEN) and name != plain(own) and age_s >= RESTED_S
    ]
    return [(name, taken) for name, taken in rest if is_due(taken, at_once=True)][:LEFT_BEHIND_MAX]


def hand_over(taken: JsonObject, settings: dict[str, str]) -> None:
    """Send one transcript, and note how far it went: what is known of it already stays as it is.

    Raises:
        OSError: nobody answers in time.
        ValueError: the transcript was refused.
    """
    path = text_of(taken, "path")
    with open(path, "rb") as file:
        content = file.read()
        written_s = os.fstat(file.fileno()).st_mtime
    header = {
        "namespace": taken["namespace"],
        "agentId": taken["agent"],
        "userId": taken["user"],
        "project": taken["project"],
        "sessionId": taken["session"],
        "label": path,
        "sizeBytes": len(content),
        "defaultEventTime": utc(written_s),
    }
    pieces = [content[at : at + CHUNK_BYTES] for at in range(0, len(content), CHUNK_BYTES)]
    chunks = [{"chunk": binascii.b2a_base64(each, newline=False).decode()} for each in pieces]
    from_here(lambda clock: _send([{"header": header | clock}, *chunks], settings))
    taken.update(handed=len(content), handed_s=int(time.time()))


def _send(messages: Sequence[object], settings: dict[str, str]) -> JsonObject:
    """Send the messages of a stream, which ends with one that has the error if there was one."""
    by_s = time.monotonic() + HAND_OVER_TIMEOUT_S
    body = b"".join(map(_enveloped, messages))
    status, answer = exchange(INGEST_FILE, STREAMED, body, settings, by_s)
    ended = answered(status, _last(answer) if status == 200 else answer)
    if error := object_of(ended, "error"):
        code = text_of(error, "code")
        raise Unanswered(f"transcript: {code}", code, refused_field(error))
    return ended


def _enveloped(message: object) -> bytes:
    """A message of a stream in Connect: flags, length, JSON."""
    written = json.dumps(message).encode()
    return b"\0" + len(written).to_bytes(4, "big") + written


def _last(stream: bytes) -> bytes:
    """The last message of a stream."""
    at, last = 0, b""
    while at + 5 <= len(stream):
        end = at + 5 + int.from_bytes(stream[at + 1 : at + 5], "big")
        at, last = end, stream[at + 5 : end]
    return last
