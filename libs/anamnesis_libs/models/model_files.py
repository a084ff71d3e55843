"""Files of models: found in the packages that carry them, and checked before use.

A model decides what is found for as long as its vectors are kept, so a file that is
not the expected one, byte for byte, is refused.
"""

import hashlib
import importlib.util
from pathlib import Path

from anamnesis_libs.errors import SetupInvalid


def in_package(package: str, inside: str, install: str) -> Path:
    """The path of a file in a package, which is not imported.

    Args:
        package: name to import it by.
        inside: path of the file within it.
        install: the requirement that brings the package, for the error.

    Raises:
        SetupInvalid: the package is not installed.
    """
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise SetupInvalid(
            f"the Python package {package} is not installed; pip install '{install}', "
            "or choose another models.embedder"
        )
    return Path(spec.origin).parent / inside


def read(path: Path, remedy: str) -> bytes:
    """The content of a model file.

    Raises:
        SetupInvalid: it cannot be read.
    """
    try:
        return path.read_bytes()
    except OSError as error:
        raise SetupInvalid(f"cannot read the model file {path}: {error}; {remedy}") from error


def read_verified(path: Path, sha256: str, remedy: str) -> bytes:
    """The content of a model file, which must have this SHA-256.

    Raises:
        SetupInvalid: it cannot be read, or is another file.
    """
    content = read(path, remedy)
    found = digest(content)
    if found != sha256:
        raise SetupInvalid(
            f"the model file {path} has the SHA-256 {found}, expected is {sha256}: it is damaged "
            f"or of another version; {remedy}"
        )
    return content


def digest(content: bytes) -> str:
    """SHA-256 in hex."""
    return hashlib.sha256(content).hexdigest()
