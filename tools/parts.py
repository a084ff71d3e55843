"""The packages of the suite and what each needs, read from their pyproject files.

python -m tools.parts requirements retrieval   what pip must bring for one service, a line each
python -m tools.parts folders retrieval        the folders to build for it
"""

import sys
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = {
    "anamnesis-protos": "libs/pb",
    "anamnesis-libs": "libs",
    "anamnesis-memory": "services/memory",
    "anamnesis-ingestion": "services/ingestion",
    "anamnesis-cluster": "services/cluster",
    "anamnesis-retrieval": "services/retrieval",
    "anamnesis-client": "clients/python",
    "anamnesis-cli": "cli",
}
"""The folder of each package; a package stands before those that need it."""
SERVICES = ("memory", "ingestion", "cluster", "retrieval")


def requirements(folder: str, extras: frozenset[str] = frozenset()) -> set[str]:
    """The requirements that a folder's package states, those of some extras among them."""
    project = tomllib.loads((ROOT / folder / "pyproject.toml").read_text(encoding="utf-8"))[
        "project"
    ]
    optional = project.get("optional-dependencies", {})
    return {*project["dependencies"], *(one for extra in extras for one in optional[extra])}


def needed(*services: str) -> tuple[list[str], set[str]]:
    """The folders that services are made of, the command with them, and what others bring.

    Args:
        services: names such as `retrieval`; with extras, such as `cli[mcp]`.

    Returns:
        Folders, each before those that need it; requirements on packages that are not ours.
    """
    extras: dict[str, set[str]] = {}
    others: set[str] = set()
    waiting = [Requirement(f"anamnesis-{name}") for name in (*services, "cli")]
    while waiting:
        ours = waiting.pop()
        known = extras.setdefault(ours.name, set())
        known |= ours.extras
        for line in requirements(FOLDERS[ours.name], frozenset(known)):
            one = Requirement(line)
            if one.name not in FOLDERS:
                others.add(line)
            elif one.name not in extras or not one.extras <= extras[one.name]:
                waiting.append(one)
    return [folder for name, folder in FOLDERS.items() if name in extras], others


def main() -> int:
    """Runs the tool; the exit code says whether it was used rightly."""
    match sys.argv[1:]:
        case ["requirements", *services] if set(services) <= set(SERVICES):
            lines = sorted(needed(*services)[1], key=str.lower)
        case ["folders", *services] if set(services) <= set(SERVICES):
            lines = needed(*services)[0]
        case _:
            sys.stderr.write(__doc__ or "")
            return 2
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
