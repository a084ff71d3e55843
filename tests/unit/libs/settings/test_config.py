"""Tests of settings/config.py: which source wins, and that no misspelt name is passed over."""

from pathlib import Path

import pytest

from anamnesis_libs.errors import SetupInvalid
from anamnesis_libs.settings.config import Settings, known_settings, load


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    path = tmp_path / "anamnesis.toml"
    path.write_text('[server]\nlisten = "127.0.0.1:1"\ngrace_s = 3\n[log]\nlevel = "debug"\n')
    return path


def test_defaults_need_nothing() -> None:
    settings = load()
    assert settings == Settings()
    assert settings.server.listen == "127.0.0.1:50051"
    assert settings.clusters.join_cosine_min is None


def test_the_later_source_wins(toml: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAMNESIS_SERVER__LISTEN", "127.0.0.1:2")
    monkeypatch.setenv("ANAMNESIS_INDEX__MEMORY_BYTES_MAX", "1000")
    settings = load(toml, {"server.listen": "127.0.0.1:3"})
    assert settings.server.listen == "127.0.0.1:3"
    assert settings.server.grace_s == 3
    assert settings.log.level == "debug"
    assert settings.index.memory_bytes_max == 1000


def test_a_variable_beats_the_file(toml: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAMNESIS_SERVER__LISTEN", "127.0.0.1:2")
    assert load(toml).server.listen == "127.0.0.1:2"
    assert load(toml).server.grace_s == 3


def test_the_environment_may_name_the_file(toml: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAMNESIS_CONFIG", str(toml))
    assert load().server.grace_s == 3


def test_every_setting_has_a_variable_that_works(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in known_settings():
        if setting.default is not None:
            monkeypatch.setenv(setting.variable, str(setting.default))
    assert load() == Settings()


def test_every_setting_is_described() -> None:
    assert [setting.name for setting in known_settings() if not setting.description] == []


def test_an_unknown_variable_is_refused_with_the_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANAMNESIS_SERVER__LISTN", "x")
    with pytest.raises(SetupInvalid, match="did you mean ANAMNESIS_SERVER__LISTEN"):
        load()


@pytest.mark.parametrize(
    "name", ["ANAMNESIS_HOOKS_OFF", "ANAMNESIS_NEO4J_URI", "ANAMNESIS_REQUIRE_NEO4J"]
)
def test_variables_of_others_are_let_pass(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "1")
    assert load() == Settings()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[server]\nlistn = "x"', "server.listn: unknown setting .* did you mean server.listen"),
        ("[sever]\nlisten = 1", "sever.listen: unknown setting .* did you mean server.listen"),
        ("listen = 1", "listen: unknown setting"),
        ("server = 1", "server: unknown setting"),
        ("[server", "is not TOML"),
    ],
)
def test_a_wrong_file_is_refused(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "c.toml"
    path.write_text(text)
    with pytest.raises(SetupInvalid, match=message):
        load(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(SetupInvalid, match=r"absent\.toml cannot be read"):
        load(tmp_path / "absent.toml")


def test_an_unknown_override_is_refused() -> None:
    with pytest.raises(SetupInvalid, match=r"did you mean server\.data_dir"):
        load(None, {"server.datadir": "x"})


def test_a_wrong_value_is_refused_by_name_and_without_the_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ANAMNESIS_SERVER__GRACE_S", "hunter2")
    with pytest.raises(SetupInvalid) as refused:
        load()
    assert [v.field for v in refused.value.violations] == ["server.grace_s"]
    assert "hunter2" not in refused.value.message
