"""A suite that all frameworks' tests share, and the blocks of the page about them."""

import re
from collections.abc import Callable, Iterator

import pytest

from tests.support.processes import REPOSITORY, Process, start

Names = dict[str, object]
Told = Callable[[str, object], Names]


@pytest.fixture(scope="session")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A running suite."""
    process = start(tmp_path_factory.mktemp("frameworks") / "data")
    yield process
    assert process.stop() == 0, "".join(process.output)


@pytest.fixture
def told(suite: Process) -> Told:
    """The names that the page's block of a framework makes, with a model, against the suite."""
    page = (REPOSITORY / "docs" / "frameworks.md").read_text(encoding="utf-8")

    def run(heading: str, model: object) -> Names:
        (block,) = re.findall(rf"## {heading}\n.*?```python\n(.*?)```", page, re.DOTALL)
        names: Names = {"model": model}
        exec(block.replace("127.0.0.1:50051", suite.address), names)  # noqa: S102
        return names

    return run
