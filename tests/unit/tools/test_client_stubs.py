"""Stubs of other languages are known to be older than the protos by a digest."""

from pathlib import Path

import pytest

from tools import client_stubs


def test_the_stubs_are_of_these_protos() -> None:
    assert client_stubs.check() == 0


def test_a_changed_proto_makes_them_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    proto, stamp = tmp_path / "protos" / "a.proto", tmp_path / "stamp"
    proto.parent.mkdir()
    proto.write_text('syntax = "proto3";\n')
    monkeypatch.setattr(client_stubs, "PROTOS", proto.parent)
    monkeypatch.setattr(client_stubs, "STAMP", stamp)
    stamp.write_text(client_stubs.digest() + "\n")
    assert client_stubs.check() == 0
    proto.rename(proto.with_name("b.proto"))
    assert client_stubs.check() == 1
    assert "make clients" in capsys.readouterr().err
