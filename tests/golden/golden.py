"""Golden files: a rendered prompt is compared with the file that was committed for it.

    def test_extract_facts(golden: Golden) -> None:
        golden(prompt.request(turns="...", output_tokens_max=500), "extract_facts")

`python -m pytest tests/golden --update-golden` writes the files anew; review the difference.
"""

from dataclasses import dataclass
from pathlib import Path

import pytest

from anamnesis_libs.models.chat import ChatRequest

EXPECTED = Path(__file__).parent / "expected"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option that rewrites."""
    parser.addoption(
        "--update-golden", action="store_true", help="write golden files instead of comparing"
    )


@dataclass(frozen=True, slots=True)
class Golden:
    """Compares, or writes."""

    update: bool
    directory: Path = EXPECTED

    def __call__(self, request: ChatRequest, name: str) -> None:
        """Compare the request, as the model reads it, with `expected/NAME.txt`."""
        path = self.directory / f"{name}.txt"
        if self.update:
            path.write_text(rendered(request), encoding="utf-8")
        assert path.is_file(), f"{path.name} is missing: run with --update-golden"
        assert rendered(request) == path.read_text(encoding="utf-8"), "or --update-golden"


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """The comparison, as this run's option wants it."""
    return Golden(update=bool(request.config.getoption("--update-golden")))


def rendered(request: ChatRequest) -> str:
    """Everything of a request that decides an answer, but the schema, which is a file itself."""
    head = f"{request.purpose} {request.schema_name}, at most {request.output_tokens_max} tokens"
    return f"{head}\n\n--- system\n{request.system}\n\n--- user\n{request.user}\n"
