"""Options that several benchmarks take."""

import click


def budgets_of(_: click.Context, __: click.Parameter, value: str) -> list[int]:
    """The counts of tokens that a list with commas names, in its order."""
    budgets = [int(part) for part in value.split(",") if part.strip().isdecimal()]
    if len(budgets) < len(value.split(",")) or min(budgets) < 1:
        raise click.BadParameter(f"{value} is no list of token counts, such as 150,250")
    return budgets
