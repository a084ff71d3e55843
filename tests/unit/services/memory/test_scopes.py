"""Whose scopes a caller is of."""

import pytest

from anamnesis_memory.model.memory import Caller, Visibility
from anamnesis_memory.model.scopes import is_in_scopes, scope_named, scopes_of


@pytest.mark.parametrize(
    ("scope", "seen"),
    [
        ("shared", True),
        ("user:bo", True),
        ("user:ada", False),
        ("agent:bo", False),
        (scope_named(Visibility.PRIVATE_TO_USER, "", "␟ada␟bo␟"), True),
        (scope_named(Visibility.PRIVATE_TO_USER, "", "␟ada␟boris␟"), False),
        ("erased", False),
    ],
)
def test_a_scope_is_a_callers_alone_or_with_others(scope: str, *, seen: bool) -> None:
    assert is_in_scopes(scope, scopes_of(Caller(user_id="bo"))) is seen
    assert is_in_scopes(scope, scopes_of(Caller())) is (scope == "shared")
