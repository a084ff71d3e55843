"""Tests of models/factory.py: each setting gives the embedder it names."""

from pathlib import Path

import numpy as np
import pytest
from pydantic import ValidationError

from anamnesis_libs.errors import ModelUnavailable, PromptTooLong, SetupInvalid
from anamnesis_libs.models.factory import load_chat, load_embedder
from anamnesis_libs.settings import Models
from tests.support.chat_models import request_for
from tests.support.openai_server import openai_server, silence


@pytest.mark.parametrize(
    ("name", "dimension"), [("bilingual", 384), ("minilm", 384), ("static", 256)]
)
async def test_a_local_model_embeds(name: str, dimension: int) -> None:
    embedder = await load_embedder(Models.model_validate({"embedder": name}))
    rows = await embedder.embed(["The cat sits.", "A cat is sitting.", "Share prices fell.", ""])
    assert rows.shape == (4, embedder.dimension) == (4, dimension)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.3
    await embedder.close()


async def test_two_models_in_one_are_the_default() -> None:
    embedder = await load_embedder(Models())
    assert embedder.model.startswith("all-minilm-l6-v2+use-multilingual-v3:")
    await embedder.close()


async def test_a_server_embeds_with_the_key_in_the_file(tmp_path: Path) -> None:
    key_file = tmp_path / "key"
    key_file.write_text("secret\n")
    async with openai_server() as server:
        settings = Models(
            embedder="openai", openai_base_url=server.base_url, openai_api_key_file=key_file
        )
        embedder = await load_embedder(settings)
        assert (await embedder.embed(["tea", "coffee"])).shape == (2, 64)
        assert embedder.model == "openai:text-embedding-3-small:64"
        assert {r.headers["authorization"] for r in server.requests} == {"Bearer secret"}
        await embedder.close()


async def test_a_server_of_ones_own_needs_no_key() -> None:
    async with openai_server() as server:
        embedder = await load_embedder(Models(embedder="openai", openai_base_url=server.base_url))
        assert embedder.dimension == 64
        await embedder.close()


async def test_openai_without_a_key_is_refused() -> None:
    with pytest.raises(SetupInvalid, match=r"models\.openai_api_key_file"):
        await load_embedder(Models(embedder="openai"))


@pytest.mark.parametrize("content", [None, "", "\n"])
async def test_a_key_file_without_a_key_is_refused(content: str | None, tmp_path: Path) -> None:
    path = tmp_path / "key"
    if content is not None:
        path.write_text(content)
    with pytest.raises(SetupInvalid, match=r"models\.openai_api_key_file .*key"):
        await load_embedder(Models(embedder="openai", openai_api_key_file=path))


def test_there_is_no_chat_model_unless_one_is_set() -> None:
    assert load_chat(Models()) is None


async def test_a_chat_model_is_called_as_the_settings_say(tmp_path: Path) -> None:
    key_file = tmp_path / "key"
    key_file.write_text("secret\n")
    async with openai_server() as server:
        server.chat.answer("extract_facts", {"facts": ["tea"]})
        settings = Models(
            chat_model="big",
            chat_base_url=server.base_url,
            chat_api_key_file=key_file,
            chat_temperature=0.5,
            chat_output_tokens_max=100,
            chat_timeout_s=1.0,
            chat_retries_max=0,
            llm_max_input_tokens=60,
            llm_prompt_reserve_tokens=30,
        )
        model = load_chat(settings)
        assert model is not None
        assert model.name == "openai:big"
        assert (await model.ask(request_for("Tea."))).data == {"facts": ["tea"]}
        (request,) = server.requests
        assert request.headers["authorization"] == "Bearer secret"
        sent = {name: request.json[name] for name in ("model", "temperature", "max_tokens")}
        assert sent == {"model": "big", "temperature": 0.5, "max_tokens": 100}
        with pytest.raises(PromptTooLong, match="the model takes 30"):
            await model.ask(request_for("Tea. " * 20))
        server.faults.append(silence(5))
        with pytest.raises(ModelUnavailable, match="tried once"):
            await model.ask(request_for("Tea."))
        await model.close()


def test_openai_chat_without_a_key_is_refused() -> None:
    with pytest.raises(SetupInvalid, match=r"models\.chat_api_key_file"):
        load_chat(Models(chat_model="big"))


def test_a_reserve_that_leaves_nothing_is_refused() -> None:
    with pytest.raises(ValidationError, match="llm_prompt_reserve_tokens must be less"):
        Models(llm_max_input_tokens=100, llm_prompt_reserve_tokens=100)
