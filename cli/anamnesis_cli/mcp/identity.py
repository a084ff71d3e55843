"""Whose memory a connection is about: said by who opened it, never by a model.

Over standard input and output it is what the command line says. Over HTTP each request may say
more: its path the namespace, its headers namespace, user, agent and key. Tools have no argument for
any of these, and refuse arguments that they do not have.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from starlette.requests import Request

NAMESPACE_IN_PATH = "namespace"
NAMESPACE_HEADER = "x-anamnesis-namespace"
USER_HEADER = "x-anamnesis-user"
AGENT_HEADER = "x-anamnesis-agent"
_BEARER = "bearer "


@dataclass(frozen=True, slots=True)
class Identity:
    """The namespace that is read and written, for whom, and with which key."""

    namespace: str
    user: str = ""
    agent: str = ""
    api_key: str = ""


def identity_of(request: Request | None, usual: Identity) -> Identity:
    """The identity of a request: the usual one, with what its path and headers say instead."""
    if request is None:
        return usual
    said = {
        "namespace": request.path_params.get(NAMESPACE_IN_PATH)
        or request.headers.get(NAMESPACE_HEADER),
        "user": request.headers.get(USER_HEADER),
        "agent": request.headers.get(AGENT_HEADER),
        "api_key": _bearer(request.headers),
    }
    return replace(usual, **{name: value for name, value in said.items() if value is not None})


def _bearer(headers: Mapping[str, str]) -> str | None:
    given = headers.get("authorization", "")
    return given[len(_BEARER) :].strip() if given.lower().startswith(_BEARER) else None
