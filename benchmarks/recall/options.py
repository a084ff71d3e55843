"""Options that several benchmarks take."""

import click


def budgets_of(_: click.Context, __: click.Parameter, value: str) -> list[int]:
    """The counts of tokens that a list with commas names, in its order."""
    return _counts(value, "token counts, such as 150,250")


def depths_of(_: click.Context, __: click.Parameter, value: str) -> list[int]:
    """The depths of a ranking that a list with commas names, in its order."""
    return _counts(value, "depths, such as 5,10")


def _counts(value: str, wanted: str) -> list[int]:
    counts = [int(part) for part in value.split(",") if part.strip().isdecimal()]
    if len(counts) < len(value.split(",")) or min(counts) < 1:
        raise click.BadParameter(f"{value} is no list of {wanted}")
    return counts
