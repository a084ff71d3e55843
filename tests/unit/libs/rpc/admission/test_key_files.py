"""Tests of rpc/admission/key_files.py."""

from pathlib import Path

import pytest

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.rpc.admission.key_files import (
    digest_line,
    digest_of,
    plain_key,
    read_agents,
    read_operators,
)
from anamnesis_libs.rpc.admission.principal import Limits, Principal
from anamnesis_libs.rpc.admission.rights import Right

KEY = "0123456789abcdef"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """An empty file of keys that its owner alone reads."""
    made = tmp_path / "keys"
    made.touch(mode=0o600)
    return made


def test_keys_are_read_without_comments_and_blanks(file: Path) -> None:
    file.write_text(f"# for the agents\n\n{KEY}\n  another-key-0000  \n")
    assert read_operators(file, "security.api_keys_file") == (
        digest_of(KEY),
        digest_of("another-key-0000"),
    )


@pytest.mark.parametrize("text", ["", "# nothing\n", "short\n", "a" * 40, "schlüssel-schlüssel\n"])
def test_a_file_without_good_keys_is_refused(text: str, file: Path) -> None:
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SetupInvalid, match=r"security\.api_keys_file: .*anamnesis key"):
        read_operators(file, "security.api_keys_file")


def test_a_missing_file_is_named(file: Path) -> None:
    with pytest.raises(SetupInvalid, match="cannot be read"):
        read_operators(file.parent / "absent", "security.api_keys_file")


def test_a_comment_is_no_key_however_far_in_it_stands(file: Path) -> None:
    file.write_text(f"   # a comment of many letters\n\t#another-of-them-0123\n{KEY}\n")
    assert read_operators(file, "security.api_keys_file") == (digest_of(KEY),)


def test_agents_keys_are_read_with_what_they_may_do(file: Path) -> None:
    file.write_text(f"{KEY} user=ada namespaces=team-a,team-b rights=read\n{KEY}2 rights=operate\n")
    read, operate = read_agents(file, "security.agent_keys_file").values()
    assert read == Principal("", "ada", frozenset({"team-a", "team-b"}), frozenset({Right.READ}))
    assert operate == Principal(rights=frozenset({Right.OPERATE}))


def test_agents_keys_are_read_with_whom_they_may_name(file: Path) -> None:
    keys = [f"{letter}{KEY}" for letter in "abcd"]
    pins = ("", " agent=coder", " agent=coder user=ada", "  user=*")
    file.write_text("# agents\n" + "\n".join(map("".join, zip(keys, pins, strict=True))))
    assert list(read_agents(file, "security.agent_keys_file").items()) == list(
        zip(
            map(digest_of, keys),
            (
                Principal("*", "*"),
                Principal("coder", ""),
                Principal("coder", "ada"),
                Principal("", "*"),
            ),
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
        f"{KEY} calls_per_s=many",
        f"{KEY} calls_at_once=0",
        f"{KEY} namespaces=",
        f"{KEY} namespaces=team-a,",
        "abababababababababab",
    ],
)
def test_an_agents_key_that_is_wrong_is_named_by_its_place_alone(line: str, file: Path) -> None:
    file.write_text(line)
    with pytest.raises(SetupInvalid, match=r"security\.agent_keys_file: key \d") as refused:
        read_agents(file, "security.agent_keys_file")
    assert KEY not in str(refused.value)


def test_a_file_without_agents_keys_is_refused(file: Path) -> None:
    file.write_text("# none\n")
    with pytest.raises(SetupInvalid, match="holds no key"):
        read_agents(file, "security.agent_keys_file")


def test_a_key_at_rest_is_its_digest(file: Path) -> None:
    file.write_text(f"{digest_line(KEY)}\n")
    assert read_operators(file, "security.api_keys_file") == (digest_of(KEY),)
    with pytest.raises(SetupInvalid, match="in plain"):
        plain_key(file, "peers.api_key_file")
    file.write_text(f"{digest_line(KEY)} agent=coder calls_per_s=20 mib_per_day=5\n")
    (principal,) = read_agents(file, "security.agent_keys_file").values()
    assert principal == Principal("coder", "", limits=Limits(calls_per_s=20, mib_per_day=5))
    assert KEY not in principal.name
    assert principal.name


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o660, 0o602])
def test_a_file_that_others_may_read_is_refused(mode: int, file: Path) -> None:
    file.write_text(KEY)
    file.chmod(mode)
    for read in (read_operators, read_agents, plain_key):
        with pytest.raises(SetupInvalid, match="chmod 600"):
            read(file, "security.api_keys_file")
