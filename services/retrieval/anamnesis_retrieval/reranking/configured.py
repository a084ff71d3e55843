"""The reranker that the settings name, for each namespace: loaded at the start, or none."""

import asyncio
from pathlib import Path

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.models.budget import Accounts, NamespaceBudgets
from anamnesis_libs.models.chat import ChatModel
from anamnesis_libs.models.factory import load_chat
from anamnesis_libs.settings.config import Settings
from anamnesis_libs.tokens import TokenCounter
from anamnesis_retrieval.ports import Reranker
from anamnesis_retrieval.reranking.encoder import EncoderReranker
from anamnesis_retrieval.reranking.reader import ChatReranker


class ConfiguredReranker:
    """Finds the reranker of a namespace; a chat model reads within the namespace's budget."""

    def __init__(self, settings: Settings, accounts: Accounts, counter: TokenCounter) -> None:
        self._settings = settings
        self._accounts = accounts
        self._counter = counter
        self._encoder: EncoderReranker | None = None
        self._chat: ChatModel | None = None
        self._chats: NamespaceBudgets | None = None

    async def start(self) -> None:
        """Load what is configured.

        Raises:
            SetupInvalid: it cannot be loaded; the message names the remedy.
        """
        match self._settings.retrieval.reranker:
            case "cross_encoder":
                self._encoder = await asyncio.to_thread(self._load_encoder)
            case "chat_model":
                self._chat = await asyncio.to_thread(self._load_chat)
                self._chats = NamespaceBudgets(self._chat, self._accounts)
            case "none":
                pass

    async def of(self, namespace: str) -> Reranker | None:
        """The reranker for hits of a namespace; None where none is configured."""
        if self._chats is None:
            return self._encoder
        models = self._settings.models
        readable = models.llm_max_input_tokens - models.llm_prompt_reserve_tokens
        return ChatReranker(await self._chats.of(namespace), self._counter, readable)

    async def close(self) -> None:
        """End threads and connections, and report what was spent."""
        if self._encoder is not None:
            await self._encoder.close()
        if self._chats is not None:
            await self._chats.close()
        if self._chat is not None:
            await self._chat.close()

    def _load_encoder(self) -> EncoderReranker:
        """Import the runtime where it is chosen: it takes a while."""
        from anamnesis_libs.models import cross_encoder

        model = cross_encoder.load(self._model_dir())
        return EncoderReranker(model, self._settings.models.threads)

    def _model_dir(self) -> Path:
        directory = self._settings.retrieval.rerank_model_dir
        if directory is None:
            raise SetupInvalid(
                "retrieval.reranker is cross_encoder: name the folder with its model.onnx and its "
                "tokenizer.json in retrieval.rerank_model_dir"
            )
        return directory

    def _load_chat(self) -> ChatModel:
        chat = load_chat(self._settings.models)
        if chat is None:
            raise SetupInvalid(
                "retrieval.reranker is chat_model: name the model in models.chat_model, and its "
                "server in models.chat_base_url"
            )
        return chat
