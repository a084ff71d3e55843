"""Generates the stubs of clients/go and clients/typescript, or checks that they are current.

python -m tools.client_stubs          generate; needs Go and Node
python -m tools.client_stubs --check  exit 1 when the protos have changed since; needs neither
"""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
CLIENTS = ROOT / "clients"
STAMP = CLIENTS / "protos.sha256"
"""The digest of the protos that the stubs were made of."""
_GENERATED = ("anamnesis", "buf")
_TOOLS: dict[str, Sequence[Sequence[str]]] = {
    "go": [("buf", "generate"), ("go", "mod", "tidy")],
    "typescript": [
        ("npm", "install", "--no-audit", "--no-fund", "--no-package-lock"),
        ("buf", "generate"),
    ],
}


def main() -> int:
    """Runs the tool; the exit code says whether it went well."""
    if "--check" in sys.argv[1:]:
        return check()
    for language, commands in _TOOLS.items():
        generate(CLIENTS / language, commands)
    STAMP.write_text(f"{digest()}\n", encoding="utf-8")
    return 0


def generate(folder: Path, commands: Sequence[Sequence[str]]) -> None:
    """Makes a language's stubs anew; none stays that no proto gives any more."""
    for name in _GENERATED:
        shutil.rmtree(folder / name, ignore_errors=True)
    for command in commands:
        subprocess.run(command, cwd=folder, check=True)  # noqa: S603 - the commands above


def check() -> int:
    """Says if the stubs are older than the protos."""
    if STAMP.read_text(encoding="utf-8").strip() == digest():
        return 0
    sys.stderr.write("clients/go and clients/typescript are stale; run `make clients`\n")
    return 1


def digest() -> str:
    """The digest of all protos, their names and their texts."""
    whole = hashlib.sha256()
    for file in sorted(PROTOS.rglob("*.proto")):
        text = file.read_bytes()
        whole.update(f"{file.relative_to(PROTOS).as_posix()} {len(text)}\n".encode())
        whole.update(text)
    return whole.hexdigest()


if __name__ == "__main__":
    raise SystemExit(main())
