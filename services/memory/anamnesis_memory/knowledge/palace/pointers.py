"""Pointers: "§ W-042/R-11/D-007" names a drawer, its first parts a room and a wing.

Numbers begin with 1 and are given once. A pointer is written with the sign, one space, and at
least 3, 2 and 3 digits. Read are upper and lower case, any number of leading zeros, spaces
between the parts, and no sign.
"""

import re
from dataclasses import dataclass

from anamnesis_libs.errors import invalid_field

SIGN = "§"
_DIGITS_MAX = 9
_NUMBER = rf"0*([1-9][0-9]{{0,{_DIGITS_MAX - 1}}})"
_POINTER = re.compile(
    rf"\s*{SIGN}?\s*W\s*-\s*{_NUMBER}"
    rf"(?:\s*/\s*R\s*-\s*{_NUMBER}(?:\s*/\s*D\s*-\s*{_NUMBER})?)?\s*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Pointer:
    """The address of a wing, a room in it, or a drawer in that; 0 is no number."""

    wing: int
    room: int = 0
    drawer: int = 0

    def __str__(self) -> str:
        """The one way in which a pointer is written, and stored."""
        return f"{SIGN} {self.path}"

    @property
    def path(self) -> str:
        """The same without the sign."""
        parts = [f"W-{self.wing:03d}"]
        if self.room:
            parts.append(f"R-{self.room:02d}")
        if self.drawer:
            parts.append(f"D-{self.drawer:03d}")
        return "/".join(parts)

    @property
    def of_wing(self) -> "Pointer":
        """The pointer of the wing in which the target is."""
        return Pointer(self.wing)


def read_pointer(text: str, field: str = "pointer") -> Pointer:
    """The pointer that a text says.

    Raises:
        InvalidArgument: the text is no pointer.
    """
    found = _POINTER.fullmatch(text)
    if found is None:
        raise invalid_field(field, f'must be a pointer such as "{SIGN} W-042/R-11/D-007"')
    return Pointer(*(int(number) for number in found.groups() if number))
