"""Generates libs/pb and the comments of protos/, or checks that what is committed is up to date.

python -m tools.protos          generate
python -m tools.protos --check  exit 1 when something differs from what would be generated
"""

import filecmp
import importlib.resources
import re
import shutil
import sys
import tempfile
from pathlib import Path

from grpc_tools import protoc

from tools.proto_comments import comments_of

ROOT = Path(__file__).resolve().parent.parent
PROTOS = ROOT / "protos"
GENERATED = ROOT / "libs" / "pb"
COMMENTS = ROOT / "libs" / "anamnesis_libs" / "http" / "comments.json"
_IMPORTS = re.compile(r"^(from |import )buf\b", re.MULTILINE)
_PLUGINS = ("mypy", "mypy_grpc")


def main() -> int:
    """Runs the tool; the exit code says whether it went well."""
    with tempfile.TemporaryDirectory() as name:
        fresh = Path(name)
        generate(fresh)
        if "--check" in sys.argv[1:]:
            return check(fresh) or check_comments()
        replace(fresh)
        COMMENTS.write_text(comments(), encoding="utf-8")
    return 0


def generate(target: Path) -> None:
    """Messages for every proto; service code for those that define a service."""
    files = sorted(PROTOS.rglob("*.proto"))
    services = [file for file in files if file.stem.endswith("_service")]
    _run(files, [f"--python_out={target}", f"--mypy_out=quiet:{target}"])
    _run(services, [f"--grpc_python_out={target}", f"--mypy_grpc_out=quiet:{target}"])
    _take_in(target)


def _take_in(target: Path) -> None:
    """Puts what other people's protos give below our package, whose name nobody else has."""
    (target / "buf").rename(target / "anamnesis" / "buf")
    for file in target.rglob("*.py*"):
        text = file.read_text(encoding="utf-8")
        file.write_text(_IMPORTS.sub(r"\1anamnesis.buf", text), encoding="utf-8")


def comments() -> str:
    """The text of the file of comments."""
    with tempfile.TemporaryDirectory() as name:
        target = Path(name) / "protos.binpb"
        files = sorted(PROTOS.rglob("*.proto"))
        _run(files, ["--include_source_info", f"--descriptor_set_out={target}"])
        return comments_of(target)


def check_comments() -> int:
    """Says if the file of comments is not that of the protos."""
    if COMMENTS.read_text(encoding="utf-8") == comments():
        return 0
    sys.stderr.write(f"{COMMENTS.relative_to(ROOT)} is stale; run `make protos`\n")
    return 1


def check(fresh: Path) -> int:
    """Names every file that is missing, left over or different."""
    ours, theirs = _tree(GENERATED), _tree(fresh)
    stale = sorted(
        name
        for name in ours | theirs
        if name not in ours & theirs
        or not filecmp.cmp(GENERATED / name, fresh / name, shallow=False)
    )
    for name in stale:
        sys.stderr.write(f"libs/pb/{name} is stale; run `make protos`\n")
    return 1 if stale else 0


def replace(fresh: Path) -> None:
    """Puts the fresh files in place, and takes away what no proto gives any more."""
    theirs = _tree(fresh)
    for name in _tree(GENERATED) - theirs:
        (GENERATED / name).unlink()
    for name in theirs:
        (GENERATED / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(fresh / name, GENERATED / name)


def _run(files: list[Path], outputs: list[str]) -> None:
    if not files:
        return
    plugins = [f"--plugin=protoc-gen-{name}={_executable(name)}" for name in _PLUGINS]
    known = importlib.resources.files("grpc_tools") / "_proto"
    names = [str(file.relative_to(PROTOS)) for file in files]
    command = ["protoc", f"-I{PROTOS}", f"-I{known}", *plugins, *outputs, *names]
    if protoc.main(command) != 0:
        raise SystemExit(1)


def _executable(plugin: str) -> Path:
    return Path(sys.executable).parent / f"protoc-gen-{plugin}"


def _tree(top: Path) -> set[str]:
    return {str(file.relative_to(top)) for file in top.rglob("*") if file.suffix in {".py", ".pyi"}}


if __name__ == "__main__":
    raise SystemExit(main())
