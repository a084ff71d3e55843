"""The files of a directory that `ingest` takes, by the names that programs give them.

Of a Slack export those are the files of its days; the names of its people stand in `users.json`,
at the head of the folder.
"""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

_SESSIONS = re.compile(
    r"[^.].*\.jsonl|conversations(?:-\d+)?\.json|_chat\.txt|WhatsApp Chat .*\.txt",
    re.IGNORECASE | re.DOTALL,
)
_DAY = re.compile(r"\d{4}-\d\d-\d\d\.json")
_TEXTS = re.compile(r"[^.].*\.(?:md|markdown|txt)", re.IGNORECASE | re.DOTALL)
_PEOPLE = ("users.json", "org_users.json")

SESSIONS_SOUGHT = ".jsonl files, conversations.json, days of a Slack export, and WhatsApp's chats"
TEXTS_SOUGHT = ".md, .markdown and .txt files"


def is_session(path: Path) -> bool:
    """True if a directory's file holds conversations, by its name."""
    if _DAY.fullmatch(path.name):
        return any((path.parent.parent / name).is_file() for name in _PEOPLE)
    return _SESSIONS.fullmatch(path.name) is not None


def is_text(path: Path) -> bool:
    """True if a directory's file is a text, by its name."""
    return _TEXTS.fullmatch(path.name) is not None


def people_of(path: Path) -> Mapping[str, str]:
    """Return the names by the ids of a Slack export that a file is a day of; else none."""
    if not _DAY.fullmatch(path.name):
        return {}
    listed = (path.parent.parent / name for name in _PEOPLE)
    return next((_people_in(each) for each in listed if each.is_file()), {})


@lru_cache(maxsize=8)
def _people_in(listed: Path) -> Mapping[str, str]:
    try:
        users = json.loads(listed.read_bytes())
    except (OSError, ValueError):
        return {}
    known = [user for user in users if isinstance(user, dict)] if isinstance(users, list) else []
    return {str(user["id"]): name for user in known if "id" in user and (name := _name(user))}


def _name(user: Mapping[str, object]) -> str:
    profile = user.get("profile")
    told = profile if isinstance(profile, dict) else {}
    names = (user.get("real_name"), told.get("real_name"), user.get("name"))
    return next((name for name in names if isinstance(name, str) and name), "")
