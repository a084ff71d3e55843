"""The token counter, loaded once."""

import pytest

from anamnesis_libs.tokens import TiktokenCounter, load_counter


@pytest.fixture(scope="session")
def counter() -> TiktokenCounter:
    return load_counter("o200k_base")
