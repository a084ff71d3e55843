"""Tests of errors/__init__.py: reasons are the contract's, messages name the remedy."""

import pytest

from anamnesis.common.v1 import error_reason_pb2
from anamnesis_libs import errors
from anamnesis_libs.errors import not_found


def _all(cls: type[errors.AnamnesisError]) -> list[type[errors.AnamnesisError]]:
    return [cls, *(each for child in cls.__subclasses__() for each in _all(child))]


def test_every_reason_of_the_tree_is_one_of_the_contract() -> None:
    known = error_reason_pb2.ErrorReason.keys()
    reasons = {cls.reason for cls in _all(errors.AnamnesisError) if cls.reason}
    assert {reason for reason in reasons if f"ERROR_REASON_{reason}" not in known} == set()


def test_the_tree_in_the_docstring_is_the_tree() -> None:
    drawn = errors.__doc__ or ""
    names = [
        cls.__name__
        for cls in _all(errors.AnamnesisError)
        if cls.__name__[0] != "_" and cls.__module__.startswith("libs.")
    ]
    assert [name for name in names if name not in drawn] == []


def test_a_general_class_needs_a_reason() -> None:
    with pytest.raises(ValueError, match="needs a reason"):
        errors.NotFound("gone")


def test_an_absent_memory_is_named_in_message_and_metadata() -> None:
    error = not_found.MemoryNotFound("m-1")
    assert (error.reason, error.metadata) == ("MEMORY_NOT_FOUND", {"memory_id": "m-1"})
    assert "'m-1'" in error.message


def test_invalid_field_has_one_violation() -> None:
    error = errors.invalid_field("page_size", "must not be negative")
    assert error.violations == (errors.FieldViolation("page_size", "must not be negative"),)
    assert error.reason == "FIELD_INVALID"
