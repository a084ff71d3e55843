"""The embedder that the settings name."""

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

from libs.errors import SetupInvalid
from libs.models.batching import BatchingEmbedder, Encoder
from libs.models.ports import Embedder
from libs.models.threads import ThreadedEncoder
from libs.settings import Models

OPENAI_HOST = "api.openai.com"


async def load_embedder(settings: Models) -> Embedder:
    """Load a model, check its files and start its threads or connections.

    Raises:
        SetupInvalid: a file is missing or is not the expected one; the message names the remedy.
        ModelUnavailable: a server that had to be asked for its vector length does not answer.
    """
    encoder = await _encoder(settings)
    return BatchingEmbedder(encoder, settings.batch_texts_max, settings.batch_wait_ms)


async def _encoder(settings: Models) -> Encoder:
    """Each model is imported where it is chosen: together they take a second to import."""
    match settings.embedder:
        case "minilm":
            from libs.models import minilm

            mini_lm = await asyncio.to_thread(minilm.load, settings.onnx_file)
            return ThreadedEncoder(mini_lm, settings.threads)
        case "static":
            from libs.models import static

            return ThreadedEncoder(await asyncio.to_thread(static.load), settings.threads)
        case "openai":
            return await _openai_encoder(settings)


async def _openai_encoder(settings: Models) -> Encoder:
    from libs.models import openai_calls, openai_encoder

    server = openai_encoder.OpenAIServer(
        base_url=settings.openai_base_url,
        api_key=_api_key(settings),
        embedding_model=settings.openai_embedding_model,
        dimension=settings.dimension,
        timeout_s=settings.timeout_s,
    )
    return await openai_encoder.load(server, openai_calls.Retries(settings.retries_max))


def _api_key(settings: Models) -> str:
    """The key in the file; servers of one's own often want none, the client wants some word."""
    if settings.openai_api_key_file is not None:
        return _read_key(settings.openai_api_key_file)
    if urlsplit(settings.openai_base_url).hostname == OPENAI_HOST:
        raise SetupInvalid(
            f"{OPENAI_HOST} wants a key: name the file that holds it in models.openai_api_key_file"
        )
    return "none"


def _read_key(path: Path) -> str:
    try:
        key = path.read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupInvalid(
            f"cannot read models.openai_api_key_file {path}: {error}; name a readable file"
        ) from error
    if not key:
        raise SetupInvalid(f"models.openai_api_key_file {path} is empty; put the key in it")
    return key
