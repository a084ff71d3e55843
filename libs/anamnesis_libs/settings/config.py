"""Settings from their sources.

Defaults, then the TOML file (`--config FILE` or `ANAMNESIS_CONFIG`), then `ANAMNESIS_GROUP__NAME`
variables, then options of the command line; the later wins. An unknown name is refused, with
the nearest known one in the message.
"""

import difflib
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from anamnesis_libs.environment import CLIENT_VARIABLES, CONFIG_VARIABLE, PREFIX, variables
from anamnesis_libs.errors import FieldViolation, SetupInvalid
from anamnesis_libs.settings import (
    Budgets,
    Clusters,
    Dedup,
    Group,
    Index,
    Ingestion,
    Log,
    Models,
    Peers,
    Retention,
    Retrieval,
    Security,
    Server,
    Sleep,
    Storage,
    WriteGate,
)

_DELIMITER = "__"
# Read by the hooks of coding agents and by the tests (where a Neo4j is), not by the suite.
_FOREIGN_PREFIXES = ("ANAMNESIS_HOOKS_", "ANAMNESIS_NEO4J_", "ANAMNESIS_REQUIRE_")

Toml = Mapping[str, object]


class Settings(BaseSettings):
    """Every setting of the suite, by group."""

    model_config = SettingsConfigDict(
        frozen=True, extra="forbid", env_prefix=PREFIX, env_nested_delimiter=_DELIMITER
    )

    server: Server = Server()
    security: Security = Security()
    peers: Peers = Peers()
    storage: Storage = Storage()
    index: Index = Index()
    models: Models = Models()
    ingestion: Ingestion = Ingestion()
    write_gate: WriteGate = WriteGate()
    dedup: Dedup = Dedup()
    retrieval: Retrieval = Retrieval()
    clusters: Clusters = Clusters()
    retention: Retention = Retention()
    sleep: Sleep = Sleep()
    budgets: Budgets = Budgets()
    log: Log = Log()

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Only what is passed: `Settings()` is the defaults, `load` joins the sources itself."""
        return (init_settings,)


@dataclass(frozen=True, slots=True)
class Setting:
    """One known setting: its dotted name, its variable, its default, what it means."""

    name: str
    variable: str
    default: object
    description: str


def load(
    config_file: Path | None = None, overrides: Mapping[str, object] | None = None
) -> Settings:
    """The settings of this process; `overrides` maps dotted names ("server.listen") to values."""
    path = config_file or _config_file_of_environment()
    toml = _read_toml(path) if path else {}
    _refuse_unknown(_flat(toml), f"in {path}")
    _refuse_unknown(overrides or {}, "on the command line")
    _refuse_unknown_variables(variables())
    merged = _merged(toml, _of_environment(), _nested(overrides or {}))
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        raise _refused(error) from error


def known_settings() -> tuple[Setting, ...]:
    """Every setting there is, in the order of the groups."""
    return tuple(
        Setting(
            name=f"{group}.{name}",
            variable=f"{PREFIX}{group}{_DELIMITER}{name}".upper(),
            default=field.default,
            description=field.description or "",
        )
        for group, name, field in _fields()
    )


def _fields() -> Iterator[tuple[str, str, FieldInfo]]:
    for group, info in Settings.model_fields.items():
        assert isinstance(info.annotation, type)
        assert issubclass(info.annotation, Group)
        for name, field in info.annotation.model_fields.items():
            yield group, name, field


def _config_file_of_environment() -> Path | None:
    named = variables().get(CONFIG_VARIABLE)
    return Path(named) if named else None


def _read_toml(path: Path) -> Toml:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SetupInvalid(f"configuration file {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeError) as error:
        raise SetupInvalid(f"configuration file {path} is not TOML: {error}") from error


def _flat(tree: Toml) -> Toml:
    """Dotted names of a tree of two levels; what stands outside a group keeps its own name."""
    flat: dict[str, object] = {}
    for group, value in tree.items():
        names = value if isinstance(value, Mapping) else None
        flat |= {group: value} if names is None else {f"{group}.{n}": v for n, v in names.items()}
    return flat


def _nested(flat: Toml) -> Toml:
    tree: dict[str, dict[str, object]] = {}
    for dotted, value in flat.items():
        group, _, name = dotted.partition(".")
        tree.setdefault(group, {})[name] = value
    return tree


def _of_environment() -> Toml:
    source = EnvSettingsSource(Settings)
    # pydantic would take ANAMNESIS_SERVER, which a command line calls, for a group of settings
    source.env_vars = {
        name: value
        for name, value in source.env_vars.items()
        if name.upper() not in CLIENT_VARIABLES
    }
    return source()


def _merged(*layers: Toml) -> dict[str, dict[str, object]]:
    """One tree; of each setting the value of the last layer that has it."""
    tree: dict[str, dict[str, object]] = {}
    for layer in layers:
        for group, values in layer.items():
            assert isinstance(values, Mapping)
            tree.setdefault(group, {}).update(values)
    return tree


def _refuse_unknown(given: Toml, where: str) -> None:
    known = [setting.name for setting in known_settings()]
    unknown = [name for name in given if name not in known]
    if unknown:
        raise _unknown(unknown, known, where)


def _refuse_unknown_variables(environment: Mapping[str, str]) -> None:
    known = [setting.variable for setting in known_settings()]
    unknown = [
        name
        for name in environment
        if name.startswith(PREFIX)
        and not name.startswith(_FOREIGN_PREFIXES)
        and name not in (*known, CONFIG_VARIABLE, *CLIENT_VARIABLES)
    ]
    if unknown:
        raise _unknown(unknown, known, "in the environment")


def _unknown(unknown: list[str], known: list[str], where: str) -> SetupInvalid:
    violations = tuple(
        FieldViolation(name, f"unknown setting {where}{_nearest(name, known)}") for name in unknown
    )
    return SetupInvalid("\n".join(f"{v.field}: {v.description}" for v in violations), violations)


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""


def _refused(error: ValidationError) -> SetupInvalid:
    """The findings without the values, which may be secret."""
    violations = tuple(
        FieldViolation(".".join(str(part) for part in found["loc"]), found["msg"])
        for found in error.errors(include_input=False, include_url=False)
    )
    return SetupInvalid("\n".join(f"{v.field}: {v.description}" for v in violations), violations)
