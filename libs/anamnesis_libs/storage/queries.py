"""Statements as files with names: `-- name: get_memories` above each, `// name:` in Cypher.

A statement that somebody can read without knowing Python can be reviewed by those
who know the database.
"""

import re
from collections.abc import Mapping
from pathlib import Path

_NAME = re.compile(r"^(?:--|//) name: (\w+)\s*$", re.MULTILINE)


def load_queries(path: Path) -> Mapping[str, str]:
    """Read a file of named statements.

    Raises:
        ValueError: two statements have one name, or the file has none.
    """
    parts = _NAME.split(path.read_text(encoding="utf-8"))
    queries: dict[str, str] = {}
    for name, statement in zip(parts[1::2], parts[2::2], strict=True):
        if name in queries:
            raise ValueError(f"{path.name} names {name} twice")
        queries[name] = statement.strip()
    if not queries:
        raise ValueError(f"{path.name} has no 'name:' line")
    return queries
