"""The settings page: says what the code says, and shows each kind of default."""

from pathlib import Path

from anamnesis_libs.settings.config import Setting, known_settings
from tools import settings_reference


def test_the_page_is_fresh() -> None:
    assert settings_reference.is_fresh(), "run `make settings`"


def test_every_setting_has_a_row() -> None:
    page = settings_reference.page(known_settings())
    for setting in known_settings():
        assert f"\n| `{setting.name}` |" in page


def test_every_setting_says_what_it_means() -> None:
    silent = [setting.name for setting in known_settings() if not setting.description]
    assert silent == []


def test_groups_stand_apart_and_defaults_read_as_toml() -> None:
    page = settings_reference.page(
        (
            Setting("server.listen", "V", "127.0.0.1:1", "host:port"),
            Setting("server.data_dir", "V", Path("here"), "files"),
            Setting("security.tls_key_file", "V", None, "a | b"),
            Setting(name="security.health_open", variable="V", default=True, description="open"),
        )
    )
    assert '| `server.listen` | `"127.0.0.1:1"` | host:port |' in page
    assert '| `server.data_dir` | `"here"` | files |' in page
    assert "| `security.tls_key_file` | none | a \\| b |" in page
    assert "| `security.health_open` | `true` | open |" in page
    assert page.index("## server") < page.index("## security")
