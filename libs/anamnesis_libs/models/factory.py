"""The embedder and the chat model that the settings name."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.extras import needs_extra
from anamnesis_libs.models.batching import BatchingEmbedder, Encoder
from anamnesis_libs.models.chat import ChatModel
from anamnesis_libs.models.ports import Embedder
from anamnesis_libs.models.threads import ThreadedEncoder
from anamnesis_libs.settings import Models
from anamnesis_libs.tokens import load_counter

OPENAI_HOST = "api.openai.com"
NO_KEY = "none"


async def load_embedder(settings: Models) -> Embedder:
    """Load a model, check its files and start its threads or connections.

    Raises:
        SetupInvalid: a file is missing or is not the expected one; the message names the remedy.
        ModelUnavailable: a server that had to be asked for its vector length does not answer.
    """
    encoder = await _encoder(settings)
    return BatchingEmbedder(encoder, settings.batch_texts_max, settings.batch_wait_ms)


def load_chat(settings: Models) -> ChatModel | None:
    """The chat model, or none where none is set. Blocks for half a second; sends nothing.

    Raises:
        SetupInvalid: its key is missing or cannot be read; the message names the remedy.
    """
    if settings.chat_model is None:
        return None
    with needs_extra("openai", "models.chat_model"):
        from anamnesis_libs.models import openai_calls, openai_chat

    server = openai_chat.ChatServer(
        base_url=settings.chat_base_url,
        api_key=_api_key(settings.chat_api_key_file, settings.chat_base_url, "chat_api_key_file"),
        model=settings.chat_model,
        timeout_s=settings.chat_timeout_s,
        temperature=settings.chat_temperature,
        output_tokens_max=settings.chat_output_tokens_max,
        calls_max=settings.chat_calls_max,
        input_tokens_max=settings.llm_max_input_tokens - settings.llm_prompt_reserve_tokens,
    )
    retries = openai_calls.Retries(settings.chat_retries_max)
    return openai_chat.OpenAIChat(server, retries, load_counter("o200k_base"))


async def _encoder(settings: Models) -> Encoder:
    """Each model is imported where it is chosen: together they take a second to import."""
    match settings.embedder:
        case "bilingual":
            from anamnesis_libs.models import bilingual

            both = await asyncio.to_thread(bilingual.load, settings.onnx_file)
            return ThreadedEncoder(both, settings.threads)
        case "minilm":
            from anamnesis_libs.models import minilm

            mini_lm = await asyncio.to_thread(minilm.load, settings.onnx_file)
            return ThreadedEncoder(mini_lm, settings.threads)
        case "static":
            from anamnesis_libs.models import static

            quick = await asyncio.to_thread(static.load)
            return ThreadedEncoder(quick, settings.threads, static.QUICK_CHARS_MAX)
        case "openai":
            return await _openai_encoder(settings)


async def _openai_encoder(settings: Models) -> Encoder:
    with needs_extra("openai", 'models.embedder = "openai"'):
        from anamnesis_libs.models import openai_calls, openai_encoder

    server = openai_encoder.OpenAIServer(
        base_url=settings.openai_base_url,
        api_key=_api_key(
            settings.openai_api_key_file, settings.openai_base_url, "openai_api_key_file"
        ),
        embedding_model=settings.openai_embedding_model,
        dimension=settings.dimension,
        timeout_s=settings.timeout_s,
    )
    return await openai_encoder.load(server, openai_calls.Retries(settings.retries_max))


def _api_key(path: Path | None, base_url: str, setting: str) -> str:
    """The key in the file; servers of one's own often want none, the client wants some word."""
    if path is not None:
        return _read_key(path, setting)
    if urlsplit(base_url).hostname == OPENAI_HOST:
        raise SetupInvalid(
            f"{OPENAI_HOST} wants a key: name the file that holds it in models.{setting}"
        )
    return NO_KEY


def _read_key(path: Path, setting: str) -> str:
    try:
        key = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupInvalid(
            f"cannot read models.{setting} {path}: {error}; name a readable file"
        ) from error
    if not key:
        raise SetupInvalid(f"models.{setting} {path} is empty; put the key in it")
    return key
