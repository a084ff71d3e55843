"""Standing things: what holds from now on for whatever is done, whether or not it is asked about.

A *rule* says how things are to be done ("never push to main", "以后回答请简短一点"); a *constraint*
says what a person cannot have or do ("allergic to peanuts", "对芒果过敏"), or who may do what.
Only what a person says stands: an assistant's "I'll always ..." binds nobody.
"""

from anamnesis_libs.talk.phrases import pattern

RULE = "rule"
CONSTRAINT = "constraint"
STANDING_CATEGORIES = (RULE, CONSTRAINT)

TEXT_CHARS_MAX = 2_000
"""Of a longer text its beginning is read: who lays something down says so early."""


def standing_kind(text: str, role: str) -> str:
    """`rule` or `constraint` where a person lays something down; else nothing.

    `role` is that of the event. A text that is both counts as a constraint.
    """
    if role != "user":
        return ""
    read = text[:TEXT_CHARS_MAX]
    if pattern(CONSTRAINT).search(read):
        return CONSTRAINT
    return RULE if pattern(RULE).search(read) else ""
