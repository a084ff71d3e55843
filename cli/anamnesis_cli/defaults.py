"""Defaults of the options that all commands share: the environment, then a configuration file.

An option of the command line wins over a variable, a variable over the file, the file over what is
built in. The file is ~/.config/anamnesis/config.toml, or where $XDG_CONFIG_HOME says:

    [default]
    server = "memory.example.org:50051"
    namespace = "team-a"
    user = "mara"
    agent = "coder"
    api_key_file = "~/.config/anamnesis/key"
    tls_ca = "/etc/ssl/certs/ca-certificates.crt"
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from anamnesis_cli.failures import WrongUsage
from anamnesis_libs.environment import CLIENT_VARIABLES, PREFIX, config_home, login_name, variables

_NAMES = tuple(name.removeprefix(PREFIX).lower() for name in CLIENT_VARIABLES)
SERVER, NAMESPACE, USER, AGENT, API_KEY_FILE, TLS_CA = _NAMES
SECTION = "default"
LOGIN = "login"
"""The source of a user that nobody named."""
_BUILT_IN: Mapping[str, Callable[[], str]] = {
    SERVER: lambda: "127.0.0.1:50051",
    NAMESPACE: lambda: "default",
    USER: login_name,
}
_PATHS = (API_KEY_FILE, TLS_CA)


@dataclass(frozen=True, slots=True)
class Default:
    """A value and where it is from."""

    value: str
    source: str


def config_file() -> Path:
    """The configuration file of this person, which need not exist."""
    return config_home() / "anamnesis" / "config.toml"


def variable_of(name: str) -> str:
    """The environment variable of an option."""
    return f"{PREFIX}{name}".upper()


def defaults() -> Mapping[str, Default]:
    """The default of every shared option that can have one, by its name.

    Raises:
        WrongUsage: the file cannot be read, or has what is not known.
    """
    path = config_file()
    written = _read(path)
    return {name: _default(name, written, path) for name in _NAMES}


def _default(name: str, written: Mapping[str, str], path: Path) -> Default:
    variable = variable_of(name)
    said = variables().get(variable)
    # an empty user is nobody; anything else that is empty is not said
    if said or (said is not None and name == USER):
        return Default(said, f"${variable}")
    if name in written:
        value = written[name]
        return Default(str(Path(value).expanduser()) if name in _PATHS else value, str(path))
    return Default(_BUILT_IN.get(name, str)(), LOGIN if name == USER else "built in")


def _read(path: Path) -> Mapping[str, str]:
    """The options that the file sets."""
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeError) as failed:
        raise _refused(path, "cannot be read", "make it a readable file of TOML") from failed
    # read here, since most people have no such file and its reader takes a while to load
    import tomllib

    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as failed:
        raise _refused(path, f"is not TOML: {failed}", "mend it at that place") from failed
    return _checked(path, tree)


def _checked(path: Path, tree: Mapping[str, object]) -> Mapping[str, str]:
    for name in tree:
        if name != SECTION:
            raise _refused(
                path,
                f"{name!r} is outside of the section [{SECTION}], the only one",
                f"write [{SECTION}] above its lines: `anamnesis config --help` shows such a file",
            )
    section = tree.get(SECTION, {})
    if not isinstance(section, dict):
        raise _refused(path, f"has no section [{SECTION}]", f"write [{SECTION}] above its lines")
    for name, value in section.items():
        if name not in _NAMES:
            raise _refused(path, f"has the unknown name {name!r}", f"known are {', '.join(_NAMES)}")
        if not isinstance(value, str):
            raise _refused(path, f"{name} is not text", f'write it in quotes: {name} = "..."')
    return section


def _refused(path: Path, why: str, remedy: str) -> WrongUsage:
    return WrongUsage(f"{path}: {why}", remedy)
