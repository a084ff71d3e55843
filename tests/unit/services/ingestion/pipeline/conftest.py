"""A bench for every test of the pipeline."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.pipeline_bench import Bench, bench


@pytest.fixture
async def at(tmp_path: Path) -> AsyncIterator[Bench]:
    """The pipeline beside a memory service of its own."""
    async with bench(tmp_path / "data") as opened:
        yield opened
