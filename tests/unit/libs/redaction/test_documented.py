"""docs/redaction.md lists every kind with its tag and level, and nothing else."""

import re
from pathlib import Path

from anamnesis_libs.redaction.persons import pseudonym
from anamnesis_libs.redaction.policy import KINDS, PERSON, TAG

PAGE = Path(__file__).parents[4] / "docs" / "redaction.md"
ROW = re.compile(r"^\| `([A-Z_]+)` \| `(<\w+>)` \| (\w+) \| .+ \|$", re.MULTILINE)


def test_the_page_lists_the_kinds_as_they_are() -> None:
    rows = {kind: (tag, level) for kind, tag, level in ROW.findall(PAGE.read_text())}
    assert list(rows) == list(KINDS)
    tag, level = rows.pop(PERSON)
    assert TAG.fullmatch(tag)
    assert len(tag) == len(pseudonym("Nadia", b""))
    assert level == KINDS[PERSON].level.value
    assert rows == {
        name: (kind.tag, kind.level.value) for name, kind in KINDS.items() if name != PERSON
    }
