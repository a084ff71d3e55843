"""Characters that show nothing themselves and change what is around them, shown as such."""

_TURNING = (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""These turn the direction of the text around them."""
UNSEEN = (*range(0x7F, 0xA0), *_TURNING)
"""DEL, the second set of controls, and what turns text around."""
_PICTURES = {code: 0x2400 + code for code in range(0x20) if code not in (0x09, 0x0A)}
_SHOWN = _PICTURES | dict.fromkeys(UNSEEN, 0xFFFD)


def visible(text: str) -> str:
    """The text with each such character as a picture of it; line ends and tabs stay."""
    return text.translate(_SHOWN)
