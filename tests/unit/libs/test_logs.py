"""Tests of logs.py: one form for all, and no contents."""

import json
import logging

import pytest

from anamnesis_libs import logs
from anamnesis_libs.errors.not_found import MemoryNotFound


def _lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_json_lines_have_level_time_and_part(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    logs.logger("memory").info("started", namespaces=3)
    (line,) = _lines(capsys)
    assert (line["event"], line["level"], line["part"]) == ("started", "info", "memory")
    assert str(line["timestamp"]).endswith("Z")


def test_what_is_below_the_level_is_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("warning", "json")
    logs.logger("memory").info("started")
    assert _lines(capsys) == []


def test_libraries_log_in_the_same_form(capsys: pytest.CaptureFixture[str]) -> None:
    logs.configure("info", "json")
    logging.getLogger("some.library").warning("look out")
    (line,) = _lines(capsys)
    assert (line["event"], line["level"]) == ("look out", "warning")


def test_the_text_of_a_foreign_exception_stays_out() -> None:
    try:
        raise KeyError("my secret diary")
    except KeyError as error:
        fields = logs.failure_fields(error, with_text=False)
    assert fields["error"] == "KeyError"
    assert "diary" not in str(fields)
    assert "test_logs.py" in str(fields["frames"])


@pytest.mark.parametrize("form", ["console", "json"])
def test_a_failure_can_be_rendered_in_both_forms(
    form: logs.Form, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("info", form)
    try:
        raise KeyError("my secret diary")
    except KeyError as error:
        logs.logger("memory").error("failed", **logs.failure_fields(error, with_text=True))
    written = capsys.readouterr().err
    assert "my secret diary" in written
    assert "test_logs.py" in written


def test_our_own_errors_are_logged_with_their_message() -> None:
    fields = logs.failure_fields(MemoryNotFound("m-1"), with_text=False)
    assert fields["reason"] == "MEMORY_NOT_FOUND"
    assert "m-1" in str(fields["message"])
