"""The reranker that the settings name, for each namespace: loaded at the start, or none.

What a reranker is made of is imported where it is chosen: the service installs and starts without.
"""

import asyncio
from collections.abc import Callable
from typing import Protocol

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.models.budget import Accounts
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.tokens import TokenCounter
from anamnesis_retrieval.ports import Reranker
from anamnesis_retrieval.reranking.encoder import EncoderReranker

INSTALL = "pip install 'anamnesis-retrieval[rerank]'"


class Rerankers(Protocol):
    """Finds the reranker of a namespace."""

    async def of(self, namespace: str) -> Reranker:
        """The reranker of a namespace."""
        ...

    async def close(self) -> None:
        """End threads and connections, and report what was spent."""
        ...


class ConfiguredReranker:
    """Finds the reranker that is configured, if one is."""

    def __init__(self, settings: Settings, accounts: Accounts, counter: TokenCounter) -> None:
        self._settings = settings
        self._accounts = accounts
        self._counter = counter
        self._rerankers: Rerankers | None = None

    async def start(self) -> None:
        """Load what is configured.

        Raises:
            SetupInvalid: it cannot be loaded; the message names the remedy.
        """
        match self._settings.retrieval.reranker:
            case "cross_encoder":
                self._rerankers = await asyncio.to_thread(_installed, self._encoder)
            case "chat_model":
                self._rerankers = await asyncio.to_thread(_installed, self._chat)
            case "none":
                pass

    async def of(self, namespace: str) -> Reranker | None:
        """The reranker for hits of a namespace; None where none is configured."""
        return None if self._rerankers is None else await self._rerankers.of(namespace)

    async def close(self) -> None:
        """End threads and connections, and report what was spent."""
        if self._rerankers is not None:
            await self._rerankers.close()

    def _encoder(self) -> Rerankers:
        from anamnesis_libs.models import cross_encoder

        directory = self._settings.retrieval.rerank_model_dir
        if directory is None:
            raise SetupInvalid(
                "retrieval.reranker is cross_encoder: name the folder with its model.onnx and its "
                "tokenizer.json in retrieval.rerank_model_dir"
            )
        return EncoderReranker(cross_encoder.load(directory), self._settings.models.threads)

    def _chat(self) -> Rerankers:
        from anamnesis_libs.models.factory import load_chat
        from anamnesis_retrieval.reranking.reader import ChatRerankers

        models = self._settings.models
        chat = load_chat(models)
        if chat is None:
            raise SetupInvalid(
                "retrieval.reranker is chat_model: name the model in models.chat_model, and its "
                "server in models.chat_base_url"
            )
        readable = models.llm_max_input_tokens - models.llm_prompt_reserve_tokens
        return ChatRerankers(chat, self._accounts, self._counter, readable)


def _installed(load: Callable[[], Rerankers]) -> Rerankers:
    """The loaded rerankers.

    Raises:
        SetupInvalid: a package is missing that they are made of.
    """
    try:
        return load()
    except ModuleNotFoundError as error:
        raise SetupInvalid(
            f"a reranker needs the Python package {error.name}: {INSTALL}, or set "
            "retrieval.reranker to none"
        ) from error
