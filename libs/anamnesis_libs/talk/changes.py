"""Words by which a line says that something is no longer as it was, or will be otherwise."""

from anamnesis_libs.talk.phrases import says

TEXT_CHARS_MAX = 2_000
"""Of a longer line its beginning is read."""


def tells_change(text: str) -> bool:
    """True where a line has a word of change."""
    return says("change", text[:TEXT_CHARS_MAX])


def tells_plan(text: str) -> bool:
    """True where a line tells what is to come, wished or supposed: what held holds until then."""
    return says("plan", text[:TEXT_CHARS_MAX])


def calls_off(text: str) -> bool:
    """True for a text that calls something off, or sets it for another time."""
    return says("calls_off", text[:TEXT_CHARS_MAX])
