"""Mutants are one change each, and only of what a program does."""

from tools.mutations import mutants_of

SOURCE = '''"""Doc."""

from os import sep

LIMIT = 3


def take(items, *, first=False):
    """Doc 2."""
    assert items, "never empty"
    if first and len(items) > LIMIT:
        return items[0]
    return pick(items, LIMIT - 1, deep=True)
'''


def test_each_mutant_differs_in_one_place() -> None:
    mutants = list(mutants_of("m.py", SOURCE))
    assert len({mutant.after for mutant in mutants}) == len(mutants)
    for mutant in mutants:
        changed = [line for line in mutant.diff.splitlines() if line[0] == "-"]
        assert len(changed) == (1 if mutant.what != "if dropped" else 2), mutant.diff


def test_every_kind_of_change_is_made() -> None:
    assert {mutant.what for mutant in mutants_of("m.py", SOURCE)} == {
        "off by one",
        "constant turned",
        "condition negated",
        "and for or",
        "comparison turned",
        "sum turned",
        "arguments swapped",
        "deep dropped",
        "return dropped",
        "if dropped",
    }


def test_what_is_no_behaviour_is_left_alone() -> None:
    for mutant in mutants_of("m.py", SOURCE):
        assert "from os import sep" in mutant.after
        assert "assert items, 'never empty'" in mutant.after
