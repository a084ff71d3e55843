"""Tests of libs/rpc/auth.py."""

from pathlib import Path

import pytest

from libs.errors import SetupInvalid, Unauthenticated
from libs.rpc.auth import KeyRing, read_keys

KEY = "0123456789abcdef"


def test_an_empty_ring_lets_everybody_in() -> None:
    KeyRing(()).check(())


@pytest.mark.parametrize("value", [f"Bearer {KEY}", f"bearer {KEY}", f"BEARER  {KEY} "])
def test_a_known_key_is_let_in(value: str) -> None:
    KeyRing(["another-key-0000", KEY]).check((("authorization", value),))


@pytest.mark.parametrize(
    "metadata",
    [
        (),
        (("authorization", KEY),),
        (("authorization", "Bearer "),),
        (("authorization", f"Bearer {KEY}x"),),
        (("authorization", f"Basic {KEY}"),),
        (("x-api-key", KEY),),
    ],
)
def test_anything_else_is_refused(metadata: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(Unauthenticated, match="Bearer KEY"):
        KeyRing([KEY]).check(metadata)


def test_keys_are_read_without_comments_and_blanks(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"# for the agents\n\n{KEY}\n  another-key-0000  \n")
    assert read_keys(file, "security.api_keys_file") == (KEY, "another-key-0000")


@pytest.mark.parametrize("text", ["", "# nothing\n", "short\n", "schlüssel-schlüssel\n"])
def test_a_file_without_good_keys_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SetupInvalid, match=r"security\.api_keys_file: .*openssl rand"):
        read_keys(file, "security.api_keys_file")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupInvalid, match="cannot be read"):
        read_keys(tmp_path / "absent", "security.api_keys_file")
