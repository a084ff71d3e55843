"""The English names of the months, whatever the locale of the process is."""

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_BEGINNINGS = [name[:3].lower() for name in MONTHS]


def month(text: str) -> int:
    """1 for "Jan" or "january".

    Raises:
        ValueError: no month begins so.
    """
    return _BEGINNINGS.index(text[:3].lower()) + 1
