"""What the OpenAI test server answers to chat prompts, and which faults it makes of that.

    server.chat.answer("extract_facts", {"facts": []})             # by the schema's name
    server.chat.answer("about tea", lambda asked: {"n": len(asked.prompt)})   # by a part of it
    server.chat.answer(re.compile("tea|coffee"), deque([{"n": 1}, {"n": 2}]))  # one each
    server.chat.answer("label_session", Reply("no", finish_reason="length"))   # word for word
    server.chat.fail("extract_facts", fenced, openai_server.status(500))       # one fault each

The latest answer that matches wins; one whose queue is empty matches nothing. A prompt without
an answer is a 404 and is noted in `OpenAIServer.unscripted`.
"""

import functools
import json
import re
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import tiktoken

from anamnesis_libs.tokens import load_counter
from tests.support.openai_wire import Answer, Fault, Json, Refused

_NAMED_IN_PROMPT = re.compile(r'JSON Schema "([\w-]+)"')
TOLD_CHARS = 80


@dataclass(frozen=True, slots=True)
class Asked:
    """One chat request as a script sees it."""

    schema_name: str
    """As in `response_format`, or as the prompt names it; empty: neither does."""
    prompt: str
    """All messages, a line apart."""
    json: Json


@dataclass(frozen=True, slots=True)
class Reply:
    """A message word for word."""

    content: str | None
    finish_reason: str = "stop"
    refusal: str | None = None


Given = Mapping[str, object] | str | Reply
Script = Given | Callable[[Asked], Given] | deque[Given]
Match = str | re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Rule:
    match: Match
    script: Script

    def fits(self, asked: Asked) -> bool:
        return _fits(self.match, asked) and not (isinstance(self.script, deque) and not self.script)

    def given(self, asked: Asked) -> Given:
        if isinstance(self.script, deque):
            return self.script.popleft()
        return self.script(asked) if callable(self.script) else self.script


class Unscripted(Exception):
    """Nobody said what to answer to this prompt."""


@dataclass(slots=True)
class ChatScript:
    """/v1/chat/completions."""

    formats: set[str] = field(default_factory=lambda: {"json_schema", "json_object", "text"})
    """Kinds of `response_format` that this server takes; others are a 400."""
    refused_fields: dict[str, str] = field(default_factory=dict)
    """Fields of a request that this server refuses, each with what it says."""
    without_usage: bool = False
    _rules: list[_Rule] = field(default_factory=list)
    _faults: list[tuple[Match, deque[Fault]]] = field(default_factory=list)

    def answer(self, match: Match, script: Script) -> None:
        """From now on, answer prompts that match with this."""
        self._rules.insert(0, _Rule(match, script))

    def fail(self, match: Match, *faults: Fault) -> None:
        """Each coming prompt that matches gets the next of these faults, then right answers."""
        self._faults.append((match, deque(faults)))

    def faults_of(self, request: Json) -> deque[Fault]:
        """The faults that wait for such a request."""
        asked = asked_of(request)
        waiting = (faults for match, faults in self._faults if faults and _fits(match, asked))
        return next(waiting, deque())

    def complete(self, request: Json) -> Json:
        """The completion of a request, with its usage, cut at `max_tokens`."""
        self._refuse(request)
        asked = asked_of(request)
        rule = next((rule for rule in self._rules if rule.fits(asked)), None)
        if rule is None:
            raise Unscripted(f"no answer to {asked.schema_name!r}: {asked.prompt[:TOLD_CHARS]}")
        reply = _cut(_reply(rule.given(asked)), _limit(request))
        completion = completion_of(reply, str(request["model"]), tokens_of(asked.prompt))
        if self.without_usage:
            del completion["usage"]
        return completion

    def _refuse(self, request: Json) -> None:
        for name, told in self.refused_fields.items():
            if name in request:
                raise Refused(400, told)
        kind = _format(request).get("type", "text")
        if kind not in self.formats:
            raise Refused(400, f"This response_format type is unavailable now: {kind}")


def asked_of(request: Json) -> Asked:
    """A request as scripts see it."""
    messages = request.get("messages")
    assert isinstance(messages, list)
    prompt = "\n".join(str(message["content"]) for message in messages)
    schema = _format(request).get("json_schema")
    named = _NAMED_IN_PROMPT.search(prompt)
    name = str(schema["name"]) if isinstance(schema, dict) else named[1] if named else ""
    return Asked(name, prompt, request)


def purpose_of(request: Json) -> str:
    """What a request is for: the first word of its schema's name, or `embed`."""
    if "messages" not in request:
        return "embed"
    return asked_of(request).schema_name.partition("_")[0]


def completion_of(reply: Reply, model: str, prompt_tokens: int) -> Json:
    """The body of an answer."""
    message = {"role": "assistant", "content": reply.content, "refusal": reply.refusal}
    written = tokens_of(reply.content or "")
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_760_000_000,
        "model": model,
        "choices": [{"index": 0, "message": message, "finish_reason": reply.finish_reason}],
        "usage": {
            "prompt_tokens": prompt_tokens,
            "completion_tokens": written,
            "total_tokens": prompt_tokens + written,
        },
    }


def instead(change: Callable[[Reply], Reply]) -> Fault:
    """Another message than the right one, with the usage of that."""

    def fault(right: Answer) -> Answer:
        if right.code != 200:
            return right
        body = json.loads(right.body)
        message = body["choices"][0]["message"]
        reply = change(Reply(message["content"], body["choices"][0]["finish_reason"]))
        prompt_tokens = body.get("usage", {}).get("prompt_tokens", 0)
        changed = completion_of(reply, body["model"], prompt_tokens)
        return Answer(200, json.dumps(changed).encode())

    return fault


def rewritten(change: Callable[[str], str]) -> Fault:
    """The same message with another content."""
    return instead(lambda reply: replace(reply, content=change(reply.content or "")))


fenced = rewritten(lambda text: f"Here it is:\n\n```json\n{text}\n```\nAnything else?")
thinking = rewritten(lambda text: f"<think>\nIs it {{}}? No.\n</think>\n\n{text}")
with_prose = rewritten(lambda text: f"{text}\n\nI hope that this helps.")
bad_escapes = rewritten(lambda text: text.replace('"', '"\\d', 1))
half_document = rewritten(lambda text: text[: len(text) // 2])
wrong_schema = rewritten(lambda text: json.dumps({"other": json.loads(text)}))
no_words = rewritten(lambda _: "")
refusal = instead(lambda _: Reply(None, refusal="I cannot help with that."))
filtered = instead(lambda _: Reply(None, finish_reason="content_filter"))
length = instead(lambda reply: Reply((reply.content or "")[:-2], finish_reason="length"))


def no_choices(right: Answer) -> Answer:
    """A completion without a choice."""
    return Answer(right.code, json.dumps({**json.loads(right.body), "choices": []}).encode())


def tokens_of(text: str) -> int:
    """Tokens of a text, as the real servers count."""
    return len(_encoding().encode_ordinary(text))


@functools.cache
def _encoding() -> tiktoken.Encoding:
    return load_counter("o200k_base")._encoding


def _fits(match: Match, asked: Asked) -> bool:
    if isinstance(match, re.Pattern):
        return bool(match.search(asked.prompt))
    return match == asked.schema_name or match in asked.prompt


def _reply(given: Given) -> Reply:
    if isinstance(given, Reply):
        return given
    return Reply(given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))


def _cut(reply: Reply, limit: int | None) -> Reply:
    tokens = _encoding().encode_ordinary(reply.content or "")
    if limit is None or len(tokens) <= limit:
        return reply
    return Reply(_encoding().decode(tokens[:limit], errors="ignore"), "length")


def _limit(request: Json) -> int | None:
    given = request.get("max_completion_tokens", request.get("max_tokens"))
    return None if given is None else int(str(given))


def _format(request: Json) -> Json:
    given = request.get("response_format")
    return given if isinstance(given, dict) else {}
