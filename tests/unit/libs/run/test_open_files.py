"""The limit of open files: raised to what is allowed, and shared out."""

import resource
import subprocess
import sys
from collections.abc import Iterator

import pytest

from anamnesis_libs.run import open_files

LOW = 400


@pytest.fixture
def low_limit() -> Iterator[int]:
    """A soft limit as an old system has it; the hard one, which it may be raised to."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (LOW, hard))
    yield hard
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_limit_is_raised_to_what_the_system_allows(low_limit: int) -> None:
    assert open_files.limit() == LOW
    assert open_files.raise_limit() == low_limit == open_files.limit()
    assert open_files.raise_limit() == low_limit


@pytest.mark.usefixtures("low_limit")
def test_files_are_shared_out_beside_a_reserve() -> None:
    assert open_files.shares(13) == (LOW - open_files.BESIDE) // 13
    assert open_files.shares(10 * LOW) == 1


def test_a_limit_that_cannot_be_raised_stays() -> None:
    code = (
        "import resource\nfrom anamnesis_libs.run import open_files\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, ({LOW}, {LOW}))\n"
        "print(open_files.raise_limit())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) == LOW
