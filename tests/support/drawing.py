"""The number of examples that a property draws, where a hundred are too few or too many."""

from hypothesis import settings

USUAL = 100


def drawn(examples: int) -> settings:
    """Settings for so many examples; a profile that draws fewer than usual draws fewer of these."""
    profile = settings().max_examples
    return settings(max_examples=max(1, examples * profile // USUAL))
