"""A file of settings that others write too: read whole, changed in one step, given back exactly.

Before the first change its bytes are kept beside it. Where what is left after our entries are taken
out says the same as those bytes, the file becomes them again; where somebody else changed it
meanwhile, only our entries go.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from anamnesis_cli.agents.entries import Agent, Json, has_entries, with_entries, without_entries

BACKUP = ".before-anamnesis"
_INDENT = re.compile(rb'\n([ \t]+)"')


class NotSettings(Exception):
    """The file holds no JSON object; nothing of it was changed."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """One agent's file of settings."""

    path: Path
    agent: Agent

    @property
    def backup(self) -> Path:
        """The place where the bytes before the first change are kept."""
        return self.path.with_name(self.path.name + BACKUP)

    def is_installed(self) -> bool:
        """True where at least one of our entries is in the file."""
        return self.path.exists() and has_entries(_parsed(self.path, self.path.read_bytes()))

    def install(self, command: str) -> bool:
        """Put our entries in, in place of older ones; false where they are there already.

        Raises:
            NotSettings: the file is no JSON object.
        """
        before = self.path.read_bytes() if self.path.exists() else None
        held = _parsed(self.path, before or b"{}")
        wanted = with_entries(held, self.agent, command)
        if wanted == held:
            return False
        if before is not None and not has_entries(held):
            _write(self.backup, before, self.path)
        _write(self.path, _written(wanted, before or b""), self.path)
        return True

    def uninstall(self) -> bool:
        """Take our entries out; false where there are none.

        Raises:
            NotSettings: the file is no JSON object.
        """
        if not self.is_installed():
            return False
        now = self.path.read_bytes()
        rest = without_entries(_parsed(self.path, now))
        before = self.backup.read_bytes() if self.backup.exists() else None
        if before is not None and without_entries(_parsed(self.backup, before)) == rest:
            _write(self.path, before, self.path)
        elif before is None and rest in ({}, self.agent.head):
            self.path.unlink()
        else:
            _write(self.path, _written(rest, now), self.path)
        self.backup.unlink(missing_ok=True)
        return True


def _parsed(path: Path, content: bytes) -> Json:
    try:
        held = json.loads(content)
    except ValueError as error:
        raise NotSettings(f"{path} is no JSON: {error}") from error
    if not isinstance(held, Mapping):
        raise NotSettings(f"{path} holds no JSON object")
    return held


def _written(settings: Json, like: bytes) -> bytes:
    """The settings as JSON, indented as the bytes that they replace."""
    found = _INDENT.search(like)
    indent = found[1].decode() if found else "  "
    end = "" if like and not like.endswith(b"\n") else "\n"
    return (json.dumps(settings, ensure_ascii=False, indent=indent) + end).encode()


def _write(path: Path, content: bytes, like: Path) -> None:
    """Replace a file in one step; a link stays one, and who may read it stays the same."""
    real = path.resolve()
    real.parent.mkdir(parents=True, exist_ok=True)
    mode = like.stat().st_mode & 0o777 if like.exists() else 0o600
    new = real.with_name(f"{real.name}.{os.getpid()}")
    new.write_bytes(content)
    new.chmod(mode)
    new.replace(real)
