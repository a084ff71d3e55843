"""Which files arguments mean: the rules for directories, and what is reported."""

import io
import os
from pathlib import Path

import pytest

from anamnesis_cli.sources import Problem, Source, find_sources


def _write(path: Path, text: str = "{}\n") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def _find(*paths: Path | str, stdin: bytes = b"") -> list[Source | Problem]:
    return list(find_sources([*map(str, paths)], io.BytesIO(stdin)))


def _names(found: list[Source | Problem], below: Path) -> list[str]:
    sources = [each for each in found if isinstance(each, Source)]
    assert len(sources) == len(found)
    return [str(Path(source.shown).relative_to(below)) for source in sources]


def test_a_directory_gives_its_sessions_at_any_depth_in_order(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl", "deep/er/c.jsonl"):
        _write(tmp_path / name)
    assert _names(_find(tmp_path), tmp_path) == ["a.jsonl", "b.jsonl", "deep/er/c.jsonl"]


def test_a_directory_gives_nothing_else(tmp_path: Path) -> None:
    _write(tmp_path / "a.jsonl")
    for name in ("notes.txt", "a.jsonl.bak", "data.json", ".hidden.jsonl", ".git/b.jsonl"):
        _write(tmp_path / name)
    _write(tmp_path / "sub" / ".cache" / "c.jsonl")
    (tmp_path / "folder.jsonl").mkdir()
    assert _names(_find(tmp_path), tmp_path) == ["a.jsonl"]


def test_symbolic_links_in_a_directory_are_left_out(tmp_path: Path) -> None:
    outside = _write(tmp_path / "outside" / "secret.jsonl")
    inside = _write(tmp_path / "inside" / "a.jsonl").parent
    (inside / "link.jsonl").symlink_to(outside)
    (inside / "linked").symlink_to(outside.parent)
    (inside / "loop").symlink_to(inside)
    assert _names(_find(inside), inside) == ["a.jsonl"]


def test_what_is_named_is_taken_whatever_it_is(tmp_path: Path) -> None:
    hidden = _write(tmp_path / ".hidden" / "a.jsonl")
    notes = _write(tmp_path / "notes.txt")
    (tmp_path / "link.jsonl").symlink_to(notes)
    assert _names(_find(hidden.parent, notes), tmp_path) == [".hidden/a.jsonl", "notes.txt"]
    (linked,) = _find(tmp_path / "link.jsonl")
    assert isinstance(linked, Source)
    assert linked.label == str(notes)


def test_a_missing_path_is_a_problem_and_the_rest_is_taken(tmp_path: Path) -> None:
    a = _write(tmp_path / "a.jsonl")
    missing, found = _find(tmp_path / "nowhere", a)
    assert missing == Problem(str(tmp_path / "nowhere"), "no such file or directory")
    assert isinstance(found, Source)


def test_a_directory_without_sessions_is_a_problem(tmp_path: Path) -> None:
    (problem,) = _find(tmp_path)
    assert isinstance(problem, Problem)
    assert problem.reason.startswith("holds no conversation; searched for are .jsonl files")


def test_a_directory_of_exports_gives_what_holds_conversations(tmp_path: Path) -> None:
    slack = tmp_path / "slack"
    _write(slack / "users.json", '[{"id": "U1", "profile": {"real_name": "Mara Lind"}}, 7]')
    _write(slack / "channels.json")
    _write(slack / "general" / "2026-03-14.json")
    _write(tmp_path / "diary" / "2026-03-14.json")
    _write(tmp_path / "chatgpt" / "conversations.json")
    _write(tmp_path / "phone" / "WhatsApp Chat with Tomas.txt")
    found = _find(tmp_path)
    assert _names(found, tmp_path) == [
        "chatgpt/conversations.json",
        "phone/WhatsApp Chat with Tomas.txt",
        "slack/general/2026-03-14.json",
    ]
    assert [each.names for each in found if isinstance(each, Source)][-1] == {"U1": "Mara Lind"}


def test_a_directory_of_notes_gives_its_texts(tmp_path: Path) -> None:
    for name in ("a.md", "deep/b.markdown", "c.txt", "two\nlines.md", "d.jsonl", ".obsidian/e.md"):
        _write(tmp_path / name)
    found = list(find_sources([str(tmp_path)], io.BytesIO(), texts=True))
    assert _names(found, tmp_path) == ["a.md", "c.txt", "two\nlines.md", "deep/b.markdown"]


def test_a_file_meant_twice_is_taken_once(tmp_path: Path) -> None:
    a = _write(tmp_path / "a.jsonl")
    assert len(_find(a, tmp_path, tmp_path / "." / "a.jsonl")) == 1


def test_the_label_is_the_same_from_every_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a = _write(tmp_path / "a.jsonl")
    monkeypatch.chdir(tmp_path)
    (relative,) = _find("a.jsonl")
    assert isinstance(relative, Source)
    assert (relative.shown, relative.label) == ("a.jsonl", str(a))


def test_a_name_that_is_not_utf8_can_be_sent(tmp_path: Path) -> None:
    raw = os.path.join(os.fsencode(tmp_path), b"caf\xe9.jsonl")  # noqa: PTH118  # bytes
    _write(Path(os.fsdecode(raw)))
    (found,) = _find(tmp_path)
    assert isinstance(found, Source)
    assert found.label == f"{tmp_path}/caf\ufffd.jsonl"
    with found.open() as file:
        assert file.read() == b"{}\n"


def test_standard_input_is_named_by_its_content() -> None:
    (once,), (again,), (other,) = _find("-", stdin=b"x"), _find("-", stdin=b"x"), _find("-")
    assert isinstance(once, Source)
    assert isinstance(again, Source)
    assert isinstance(other, Source)
    assert once.label == again.label != other.label
    assert once.size_bytes == 1
    with once.open() as file:
        assert file.read() == b"x"
