"""The settings of models; use them from `settings`."""

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from anamnesis_libs.settings.group import Group, Positive, Seconds


class Models(Group):
    """The models behind embedding, and the chat model, if there is one."""

    embedder: Literal["bilingual", "minilm", "static", "openai"] = Field(
        "bilingual",
        description="bilingual: MiniLM for English, multilingual USE for Chinese, Japanese and "
        "Korean, no network, no key; minilm: MiniLM for everything; static: fifty times faster, a "
        "little less found; openai: any server that speaks its API",
    )
    openai_base_url: str = Field("https://api.openai.com/v1", description="OpenAI-compatible API")
    openai_api_key_file: Path | None = Field(None, description="file that holds its key")
    openai_embedding_model: str = Field(
        "text-embedding-3-small", description="name of the embedding model"
    )
    dimension: Positive | None = Field(None, description="vector length; none: the model's own")
    timeout_s: Seconds = Field(30.0, description="longest wait for one model call")
    retries_max: int = Field(3, ge=0, description="retries of a failed model call")
    batch_texts_max: Positive = Field(64, description="most texts in one run of the model")
    batch_wait_ms: float = Field(
        2.0, ge=0, description="wait of imports for more to join; a question never waits"
    )
    query_cache_entries_max: int = Field(4096, ge=0, description="query vectors kept; 0: none")
    threads: Positive = Field(2, description="threads of a model in this process")
    onnx_file: Path | None = Field(None, description="another ONNX file of MiniLM L6 v2")
    chat_model: str | None = Field(
        None, min_length=1, description="chat model's name on its server; none: no chat model"
    )
    chat_base_url: str = Field(
        "https://api.openai.com/v1", description="OpenAI-compatible API of the chat model"
    )
    chat_api_key_file: Path | None = Field(None, description="file that holds its key")
    chat_timeout_s: Seconds = Field(120.0, description="longest wait for one whole answer")
    chat_retries_max: int = Field(3, ge=0, description="retries of a failed chat call")
    chat_calls_max: Positive = Field(4, description="chat calls at once; more wait their turn")
    chat_output_tokens_max: Positive = Field(8192, description="most tokens of an answer")
    chat_temperature: float = Field(
        0.0, ge=0, le=2, description="0: as repeatable as the model can be"
    )
    llm_max_input_tokens: Positive = Field(200_000, description="window of the chat model")
    llm_prompt_reserve_tokens: int = Field(
        8_192, ge=0, description="part of that window for the schema and for a repair"
    )

    @model_validator(mode="after")
    def _reserve_leaves_room(self) -> "Models":
        if self.llm_prompt_reserve_tokens >= self.llm_max_input_tokens:
            raise ValueError("llm_prompt_reserve_tokens must be less than llm_max_input_tokens")
        return self
