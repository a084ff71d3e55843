"""Tests of libs/rpc/auth.py."""

from pathlib import Path

import pytest

from libs.errors import SetupInvalid, Unauthenticated
from libs.rpc.access import Agent
from libs.rpc.auth import KeyRing, read_agent_keys, read_keys
from libs.rpc.rights import Right

KEY = "0123456789abcdef"


def test_an_empty_ring_lets_everybody_in() -> None:
    KeyRing(()).check(())


@pytest.mark.parametrize("value", [f"Bearer {KEY}", f"bearer {KEY}", f"BEARER  {KEY} "])
def test_a_known_key_is_let_in(value: str) -> None:
    assert KeyRing(["another-key-0000", KEY]).check((("authorization", value),)) is None
    agent = Agent("coder")
    assert KeyRing(["another-key-0000"], {KEY: agent}).check((("authorization", value),)) is agent


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


@pytest.mark.parametrize("text", ["", "# nothing\n", "short\n", "a" * 40, "schlüssel-schlüssel\n"])
def test_a_file_without_good_keys_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SetupInvalid, match=r"security\.api_keys_file: .*openssl rand"):
        read_keys(file, "security.api_keys_file")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupInvalid, match="cannot be read"):
        read_keys(tmp_path / "absent", "security.api_keys_file")


def test_a_comment_is_no_key_however_far_in_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"   # a comment of many letters\n\t#another-of-them-0123\n{KEY}\n")
    assert read_keys(file, "security.api_keys_file") == (KEY,)


def test_agents_keys_are_read_with_what_they_may_do(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"{KEY} user=ada namespaces=team-a,team-b rights=read\n{KEY}2 rights=operate\n")
    read, operate = read_agent_keys(file, "security.agent_keys_file").values()
    assert read == Agent("", "ada", frozenset({"team-a", "team-b"}), frozenset({Right.READ}))
    assert operate == Agent(rights=frozenset({Right.OPERATE}))


def test_agents_keys_are_read_with_whom_they_may_name(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    keys = [f"{letter}{KEY}" for letter in "abcd"]
    pins = ("", " agent=coder", " agent=coder user=ada", "  user=*")
    file.write_text("# agents\n" + "\n".join(map("".join, zip(keys, pins, strict=True))))
    assert list(read_agent_keys(file, "security.agent_keys_file").items()) == list(
        zip(
            keys,
            (Agent("*", "*"), Agent("coder", ""), Agent("coder", "ada"), Agent("", "*")),
            strict=True,
        )
    )


@pytest.mark.parametrize(
    "line",
    [
        "short agent=coder",
        f"{KEY} coder",
        f"{KEY} agent=",
        f"{KEY} agent=a agent=b",
        f"{KEY} role=operator",
        f"{KEY}\n{KEY} agent=coder",
        f"{KEY} rights=read,everything",
        f"{KEY} rights=work",
        f"{KEY} namespaces=",
        "abababababababababab",
    ],
)
def test_an_agents_key_that_is_wrong_is_named_by_its_place_alone(line: str, tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(line)
    with pytest.raises(SetupInvalid, match=r"security\.agent_keys_file: key \d") as refused:
        read_agent_keys(file, "security.agent_keys_file")
    assert KEY not in str(refused.value)


def test_a_file_without_agents_keys_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("# none\n")
    with pytest.raises(SetupInvalid, match="holds no key"):
        read_agent_keys(file, "security.agent_keys_file")
