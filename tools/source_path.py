"""The folders that packages are imported from, as pyproject.toml names them."""

import os
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def source_path(checkout: Path = ROOT) -> str:
    """PYTHONPATH for a process that runs a checkout without installing it."""
    project = tomllib.loads((checkout / "pyproject.toml").read_text(encoding="utf-8"))
    folders = project["tool"]["hatch"]["build"]["dev-mode-dirs"]
    return os.pathsep.join(str(checkout / folder) for folder in folders)
