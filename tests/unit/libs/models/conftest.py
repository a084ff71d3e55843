"""The local models, loaded once."""

import pytest

from anamnesis_libs.models import minilm, static


@pytest.fixture(scope="session")
def mini_lm() -> minilm.MiniLM:
    return minilm.load()


@pytest.fixture(scope="session")
def static_model() -> static.StaticModel:
    return static.load()
