"""The environment of this process: the only code that reads variables one by one.

It is small and imports little, so that the command line starts quickly; a server's settings are
read from the same environment by `anamnesis_libs.settings.config`.
"""

import getpass
import os
from collections.abc import Mapping
from pathlib import Path

PREFIX = "ANAMNESIS_"
CONFIG_VARIABLE = "ANAMNESIS_CONFIG"
USER_VARIABLE = "ANAMNESIS_USER"
"""The user whose memory the command line writes and reads."""
CLIENT_VARIABLES = (
    "ANAMNESIS_SERVER",
    "ANAMNESIS_NAMESPACE",
    USER_VARIABLE,
    "ANAMNESIS_AGENT",
    "ANAMNESIS_API_KEY_FILE",
    "ANAMNESIS_TLS_CA",
)
"""Variables of the command line; no settings of a server."""
_GRPC_VERBOSITY = "GRPC_VERBOSITY"
_GRPC_RING_HEADER = "GRPC_EXPERIMENTAL_RING_HASH_SET_REQUEST_HASH_KEY"


def variables() -> Mapping[str, str]:
    """All variables."""
    return os.environ


def login_name() -> str:
    """The name that the person at this machine logged in with; "" where there is none."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""


def config_home() -> Path:
    """The folder of this person's configuration files, by the XDG convention."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")


def told_columns() -> bool:
    """True if the environment says how wide the output is."""
    return os.environ.get("COLUMNS", "").isdecimal()


def quiet_grpc() -> None:
    """Keep gRPC's core from writing lines of its own, unless the environment asks for them.

    It looks at the environment alone, and only when it is loaded.
    """
    os.environ.setdefault(_GRPC_VERBOSITY, "NONE")


def place_by_header() -> None:
    """Let gRPC's ring of hashes read the header of a call, which is still behind a variable."""
    os.environ.setdefault(_GRPC_RING_HEADER, "true")
