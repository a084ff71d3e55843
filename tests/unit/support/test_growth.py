"""Tests of the measure of growth: a reader that looks again is told from one that does not."""

import re

import pytest

from tests.support.growth import grown

SPACES = {"spaces": lambda chars: " " * chars}


@pytest.mark.slow
def test_a_pattern_that_looks_again_is_found() -> None:
    careless = re.compile(r"\s+$")
    assert list(grown(lambda text: careless.search(f"{text}x"), SPACES, 6000))


def test_a_pattern_that_looks_once_is_not() -> None:
    careful = re.compile(r"\s+")
    assert not list(grown(lambda text: careful.findall(text), SPACES, 400_000))
