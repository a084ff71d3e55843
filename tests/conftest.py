"""What every test gets: an environment without settings of the machine it runs on."""

import os

import pytest

from libs import logs


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes away ANAMNESIS_ variables, but those that point tests at a database server."""
    for name in tuple(os.environ):
        if name.startswith("ANAMNESIS_") and "NEO4J" not in name:
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _log_as_in_production() -> None:
    """The level decides what of a failure is logged, so tests run with the default one."""
    logs.configure("info", "json")
