"""Tests of libs/models/factory.py: each setting gives the embedder it names."""

from pathlib import Path

import numpy as np
import pytest

from libs.errors import SetupInvalid
from libs.models.factory import load_embedder
from libs.settings import Models
from tests.support.openai_server import openai_server


@pytest.mark.parametrize(("name", "dimension"), [("minilm", 384), ("static", 256)])
async def test_a_local_model_embeds(name: str, dimension: int) -> None:
    embedder = await load_embedder(Models.model_validate({"embedder": name}))
    rows = await embedder.embed(["The cat sits.", "A cat is sitting.", "Share prices fell.", ""])
    assert rows.shape == (4, embedder.dimension) == (4, dimension)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1, abs=1e-5)
    assert rows[0] @ rows[1] > rows[0] @ rows[2] + 0.3
    await embedder.close()


async def test_minilm_is_the_default() -> None:
    embedder = await load_embedder(Models())
    assert embedder.model.startswith("all-minilm-l6-v2:")
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
