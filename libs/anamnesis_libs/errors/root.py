"""The root of the errors and the kind that names fields; use them from `anamnesis_libs.errors`."""

from collections.abc import Mapping
from dataclasses import dataclass

Metadata = Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One broken rule: the path of the field (`events[3].role`) and what is wrong with it."""

    field: str
    description: str


class AnamnesisError(Exception):
    """Root of the tree: a message for a person, a reason and metadata for a program."""

    reason: str = ""

    def __init__(self, message: str, *, reason: str = "", metadata: Metadata = None) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason or type(self).reason
        self.metadata: Mapping[str, str] = dict(metadata or {})
        if not self.reason:
            raise ValueError(f"{type(self).__name__} needs a reason: one of ErrorReason")


class InvalidArgument(AnamnesisError):
    """The request breaks a rule; each violation names the field and the rule."""

    reason = "FIELD_INVALID"

    def __init__(
        self,
        message: str,
        violations: tuple[FieldViolation, ...] = (),
        *,
        reason: str = "",
        metadata: Metadata = None,
    ) -> None:
        super().__init__(message, reason=reason, metadata=metadata)
        self.violations = violations


def invalid_field(
    field: str, description: str, *, reason: str = "", metadata: Metadata = None
) -> InvalidArgument:
    """The common case of InvalidArgument: one field, one broken rule."""
    violations = (FieldViolation(field, description),)
    message = f"{field}: {description}"
    return InvalidArgument(message, violations, reason=reason, metadata=metadata)
