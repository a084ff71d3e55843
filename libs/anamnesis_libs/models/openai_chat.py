"""A chat model on any server that speaks the OpenAI API: OpenAI, vLLM, Ollama, DashScope.

One `ask` is one request, tried again where that helps (`openai_calls`), and at most one more
that shows the model what was wrong with its answer. Every request sent is accounted.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import openai
from openai import AsyncOpenAI, omit
from openai.types.chat import ChatCompletionMessageParam

from anamnesis_libs import logs
from anamnesis_libs.errors import AnswerMalformed, ModelRefused, ModelUnavailable, PromptTooLong
from anamnesis_libs.models import json_answers, openai_dialect
from anamnesis_libs.models.chat import ChatAnswer, ChatRequest, ChatUsage, Json, JsonSchema
from anamnesis_libs.models.openai_calls import Callee, MalformedAnswer, OpenAICalls, Retries
from anamnesis_libs.models.openai_completion import Choice, Completion, Usage
from anamnesis_libs.models.openai_dialect import Dialect
from anamnesis_libs.tokens import TokenCounter

SETTINGS = "models.chat_base_url, models.chat_api_key_file and models.chat_model"
TOKEN_CHARS_MAX = 128
"""No token is longer, so a text of more characters than this a token need not be counted."""
REPAIR_TOKENS = 1024
"""Set aside, of the prompt's reserve, for the words of a repair around the answer shown."""
AGAIN = (
    "Answer the question again, in full: one JSON document that fits the schema, and nothing else."
)

Messages = list[ChatCompletionMessageParam]


@dataclass(frozen=True, slots=True)
class ChatServer:
    """The address of the model, and the options of its calls."""

    base_url: str
    api_key: str
    model: str
    timeout_s: float
    """Longest wait for one whole answer."""
    temperature: float = 0.0
    output_tokens_max: int = 8192
    """Cap of what requests ask for."""
    calls_max: int = 4
    """Requests at once; more wait for their turn."""
    input_tokens_max: int = 191_808
    """The most tokens of system and user prompt together."""


@dataclass(slots=True)
class Spent:
    """The usage of one `ask` so far, and the tokens of its prompt as counted here."""

    prompt_tokens: int = 0
    usage: ChatUsage = field(default_factory=ChatUsage)


class OpenAIChat:
    """A `ChatModel` over a server."""

    def __init__(self, server: ChatServer, retries: Retries, counter: TokenCounter) -> None:
        self._server = server
        self._counter = counter
        self._client = AsyncOpenAI(
            base_url=server.base_url,
            api_key=server.api_key,
            timeout=server.timeout_s,
            max_retries=0,
        )
        self._what = f"the chat model {server.model} at {server.base_url}"
        self._calls = OpenAICalls(retries, Callee(self._what, SETTINGS, server.api_key))
        self._slots = asyncio.Semaphore(server.calls_max)
        self._dialect = Dialect()
        self._closed = False
        self._logger = logs.logger("models")

    @property
    def name(self) -> str:
        """The model's name, without the address, so that a server can move."""
        return f"openai:{self._server.model}"

    async def ask(self, request: ChatRequest) -> ChatAnswer:
        """As in `ChatModel`."""
        spent = Spent()
        try:
            spent.prompt_tokens = await self._counted(request)
            return await self._asked(request, spent)
        except (ModelUnavailable, ModelRefused, AnswerMalformed, PromptTooLong) as error:
            error.usage = spent.usage
            raise
        except asyncio.CancelledError as cancelled:
            cancelled.args = (*cancelled.args, spent.usage)
            raise

    async def close(self) -> None:
        """Close the connections; calls under way end as `ModelUnavailable`."""
        self._closed = True
        await self._client.close()

    async def _counted(self, request: ChatRequest) -> int:
        """Tokens of the prompt; counted beside the event loop, a long one takes its time.

        Raises:
            PromptTooLong: more than the model's input budget.
        """
        text = f"{request.system}\n{request.user}"
        tokens_max = self._server.input_tokens_max
        if len(text) > tokens_max * TOKEN_CHARS_MAX:
            raise _too_long(f"at least {len(text) // TOKEN_CHARS_MAX}", tokens_max)
        tokens = await asyncio.to_thread(self._counter.count, text)
        if tokens > tokens_max:
            raise _too_long(str(tokens), tokens_max)
        return tokens

    async def _asked(self, request: ChatRequest, spent: Spent) -> ChatAnswer:
        text = await self._reply(request, [], spent)
        data, wrong = _read(text, request.schema)
        if not wrong:
            return ChatAnswer(data, spent.usage, repaired=False)
        text = await self._reply(request, self._repair(text, wrong, spent), spent)
        data, wrong = _read(text, request.schema)
        if not wrong:
            return ChatAnswer(data, spent.usage, repaired=True)
        rules = "; ".join(each.rule for each in wrong)
        raise self._malformed(request, f"does not fit its schema, even after a repair: {rules}")

    def _repair(self, text: str, wrong: Sequence[json_answers.Violation], spent: Spent) -> Messages:
        """The model's answer, cut to the room that is left, and what is wrong with it."""
        room = self._server.input_tokens_max - spent.prompt_tokens
        shown = self._counter.truncate(text, max(room, REPAIR_TOKENS))
        told = "\n".join(f"- {each.told}" for each in wrong)
        asked = f"That answer cannot be used:\n{told}\n{AGAIN}"
        spent.prompt_tokens += self._counter.count(shown) + self._counter.count(asked)
        return [
            {"role": "assistant", "content": shown or "(nothing)"},
            {"role": "user", "content": asked},
        ]

    async def _reply(self, request: ChatRequest, more: Messages, spent: Spent) -> str:
        """The model's whole answer.

        Raises:
            ModelUnavailable, ModelRefused, PromptTooLong: as in `ask`.
            AnswerMalformed: it was cut short.
        """
        choice = await self._calls.run(partial(self._try, request, more, spent))
        if choice.message.refusal or choice.finish_reason == "content_filter":
            raise self._refused(request)
        if choice.finish_reason == "length":
            tokens_max = min(request.output_tokens_max, self._server.output_tokens_max)
            raise self._malformed(request, f"was cut short at {tokens_max} tokens")
        return choice.message.content or ""

    async def _try(self, request: ChatRequest, more: Messages, spent: Spent) -> Choice:
        """One try, in ever plainer dialects; what the server took is kept for the next."""
        dialect = started = self._dialect
        while True:
            try:
                choice = await self._post(dialect, request, more, spent)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as refusal:
                plainer = self._plainer(dialect, request, refusal)
                if plainer is None:
                    raise
                dialect = plainer
            else:
                if dialect != started:
                    self._keep(dialect)
                return choice

    def _plainer(
        self, dialect: Dialect, request: ChatRequest, refusal: openai.APIStatusError
    ) -> Dialect | None:
        """The dialect to try next.

        Raises:
            PromptTooLong, ModelRefused: the server refuses the prompt, not how it is put.
        """
        if openai_dialect.is_beyond_window(refusal):
            raise PromptTooLong(
                f"{self._what} says that the prompt is too long for it; lower "
                "models.llm_max_input_tokens to what it takes",
                self._server.input_tokens_max,
            ) from refusal
        if openai_dialect.is_filtered(refusal):
            raise self._refused(request) from refusal
        return dialect.adapted(refusal)

    def _keep(self, dialect: Dialect) -> None:
        self._logger.warning("models.chat_dialect", model=self.name, held=dialect.held.name)
        self._dialect = dialect

    async def _post(
        self, dialect: Dialect, request: ChatRequest, more: Messages, spent: Spent
    ) -> Choice:
        """One request, accounted whatever becomes of it.

        Raises:
            ModelUnavailable: this model has been closed.
            openai.APIError, TimeoutError: no answer.
            ValueError, MalformedAnswer: the answer is not a completion.
        """
        async with self._slots:
            if self._closed:
                raise ModelUnavailable(f"{self._what} is being closed; try again")
            before = spent.usage
            spent.usage = before + ChatUsage(1, spent.prompt_tokens)
            try:
                body = Completion.model_validate_json(await self._content(dialect, request, more))
            except openai.APIStatusError:
                spent.usage = before + ChatUsage(1)
                raise
        spent.usage = before + self._billed(body, spent.prompt_tokens)
        if not body.choices:
            raise MalformedAnswer("a completion without a choice")
        return body.choices[0]

    async def _content(self, dialect: Dialect, request: ChatRequest, more: Messages) -> bytes:
        limit = min(request.output_tokens_max, self._server.output_tokens_max)
        async with asyncio.timeout(self._server.timeout_s):
            response = await self._client.chat.completions.with_raw_response.create(
                model=self._server.model,
                messages=[
                    {"role": "system", "content": dialect.system(request)},
                    {"role": "user", "content": request.user},
                    *more,
                ],
                response_format=dialect.response_format(request),
                temperature=self._server.temperature if dialect.with_temperature else omit,
                max_tokens=omit if dialect.newer_limit else limit,
                max_completion_tokens=limit if dialect.newer_limit else omit,
            )
            return response.content

    def _billed(self, body: Completion, prompt_tokens: int) -> ChatUsage:
        """The server's count, or ours where it gives none."""
        told = body.usage or Usage()
        if told.prompt_tokens is None or told.completion_tokens is None:
            return ChatUsage(1, prompt_tokens, self._counter.count(body.written))
        return ChatUsage(1, max(0, told.prompt_tokens), max(0, told.completion_tokens))

    def _refused(self, request: ChatRequest) -> ModelRefused:
        return ModelRefused(
            f"{self._what} declined to answer {request.schema_name}",
            metadata={"model": self.name, "schema": request.schema_name},
        )

    def _malformed(self, request: ChatRequest, how: str) -> AnswerMalformed:
        return AnswerMalformed(
            f"the answer of {self._what} to {request.schema_name} {how}",
            metadata={"model": self.name, "schema": request.schema_name},
        )


def _read(text: str, schema: JsonSchema) -> tuple[Json, Sequence[json_answers.Violation]]:
    """The document and what is wrong with it; nothing is: it can be used."""
    try:
        data = json_answers.read(text)
    except json_answers.Unreadable as error:
        return None, (json_answers.Violation(str(error), str(error)),)
    return data, json_answers.violations(data, schema)


def _too_long(tokens: str, tokens_max: int) -> PromptTooLong:
    return PromptTooLong(
        f"the prompt has {tokens} tokens, the model takes {tokens_max} "
        "(models.llm_max_input_tokens less models.llm_prompt_reserve_tokens); split the text",
        tokens_max,
    )
