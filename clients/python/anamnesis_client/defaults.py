"""The environment's defaults: the only code of the client that reads it.

The variables are those of the command line.
"""

import os

SERVER = "127.0.0.1:50051"
NAMESPACE = "default"

_PREFIX = "ANAMNESIS_"
_LOG_LEVEL = "ANAMNESIS_LOG__LEVEL"
_OF_CLIENTS = ("SERVER", "NAMESPACE", "USER", "AGENT", "API_KEY_FILE", "TLS_CA")


def variable(name: str, otherwise: str = "") -> str:
    """The value of an ANAMNESIS_ variable of clients."""
    assert name in _OF_CLIENTS
    return os.environ.get(f"{_PREFIX}{name}", otherwise)


def suite_environment() -> dict[str, str]:
    """The environment for a suite: without what speaks to clients, which it would refuse."""
    ours = {f"{_PREFIX}{name}" for name in _OF_CLIENTS}
    kept = {name: value for name, value in os.environ.items() if name not in ours}
    return {_LOG_LEVEL: "warning", **kept}
