"""The project that an agent works in: its folder, and the namespace of its memories."""

import binascii
import os


def project_root(folder: str) -> str:
    """The folder of the project: of a git worktree its repository's, else the folder itself."""
    at = os.path.abspath(folder)
    while at != os.path.dirname(at):
        mark = os.path.join(at, ".git")
        if os.path.isdir(mark):
            return at
        if os.path.isfile(mark):
            with open(mark, encoding="utf-8") as file:
                told = file.read(4096).partition("gitdir:")[2].strip()
            inside = os.path.join(at, told).partition(f"{os.sep}.git{os.sep}worktrees{os.sep}")
            return os.path.normpath(inside[0]) if inside[1] else at
        at = os.path.dirname(at)
    return os.path.abspath(folder)


def namespace_of(root: str) -> str:
    """The namespace of a project: the name of its folder in the characters that one may have."""
    name = os.path.basename(root).lower()
    allowed = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in name)
    if slug := allowed[:63].strip("._-"):
        return slug
    return f"project-{binascii.crc32(name.encode()):08x}"
