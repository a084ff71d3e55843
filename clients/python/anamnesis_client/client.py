"""The ground of both clients: arguments, scope, and the place of the server."""

import functools
import uuid
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from anamnesis_client import defaults
from anamnesis_client.connection import Connection, key_in
from anamnesis_client.defaults import variable
from anamnesis_client.embedded import Suite
from anamnesis_client.operations import Operations
from anamnesis_client.revisions import Revisions
from anamnesis_client.scope import Scope
from anamnesis_client.steps import Patience

TIMEOUT_S = 30.0
RETRIES = 5


@dataclass
class Place:
    """The place of the server: a connection that was named, or that of a suite of one's own."""

    named: Connection | None
    suite: Suite | None = None

    @functools.cached_property
    def connection(self) -> Connection:
        """The connection; waits until a suite of one's own is ready."""
        if self.named is not None:
            return self.named
        assert self.suite is not None
        return Connection(self.suite.address())

    def close(self) -> None:
        """Ends a suite of one's own."""
        if self.suite is not None:
            self.suite.stop()


class Client(ABC):
    """A memory of one user or agent in one namespace; drivers add how calls are made."""

    def __init__(
        self,
        server: str | None = None,
        *,
        namespace: str | None = None,
        user: str | None = None,
        agent: str | None = None,
        session: str | None = None,
        api_key: str | None = None,
        tls_ca: str | Path | None = None,
        timeout: float = TIMEOUT_S,
        retries: int = RETRIES,
        time_zone: str = "",
    ) -> None:
        """Nothing is called yet: the first operation connects.

        Args:
            server: HOST:PORT; else ANAMNESIS_SERVER, else 127.0.0.1:50051.
            namespace: where memories are kept; else ANAMNESIS_NAMESPACE, else "default".
            user: whose memory it is; else ANAMNESIS_USER, else nobody's: shared by all.
            agent: the agent that speaks; else ANAMNESIS_AGENT.
            session: the conversation; else a new one.
            api_key: the key to show; else the first line of ANAMNESIS_API_KEY_FILE.
            tls_ca: PEM file with the roots of the server's certificate; else ANAMNESIS_TLS_CA.
            timeout: seconds that an operation may take, repeated calls included.
            retries: how often a call is made again that failed for a reason that may pass.
            time_zone: where its people are, "Asia/Shanghai" or "+08:00": "yesterday" is a day
                there, and messages without an offset are of a day there; else what the
                namespace's policy says.
        """
        named = Connection(
            server or variable("SERVER", defaults.SERVER),
            key_in(variable("API_KEY_FILE")) if api_key is None else api_key,
            variable("TLS_CA") if tls_ca is None else str(tls_ca),
        )
        self._settle(
            Place(named), _operations(namespace, user, agent, session, timeout, retries, time_zone)
        )

    @classmethod
    def embedded(
        cls,
        path: str | Path,
        *,
        namespace: str | None = None,
        user: str | None = None,
        agent: str | None = None,
        session: str | None = None,
        timeout: float = TIMEOUT_S,
        retries: int = RETRIES,
        time_zone: str = "",
    ) -> Self:
        """A memory with a suite of its own, which keeps its data in a directory.

        The suite runs in a process of its own, on a free port of this machine, and ends with this
        client or with its process, also when that is killed. One suite at a time owns a directory.

        Raises:
            SuiteFailed: the suite is not installed beside the client.
        """
        memory = cls.__new__(cls)
        operations = _operations(namespace, user, agent, session, timeout, retries, time_zone)
        memory._settle(Place(None, Suite(path)), operations)  # noqa: SLF001  # its own
        return memory

    @property
    def session(self) -> str:
        """The id of the session that messages are added to."""
        return self._operations.scope.session

    def on_behalf(
        self,
        *,
        user: str | None = None,
        agent: str | None = None,
        session: str | None = None,
        namespace: str | None = None,
        time_zone: str | None = None,
    ) -> Self:
        """The same connection for another user, agent, session, namespace or time zone.

        What is not named stays as it is. It closes with the client that it was made of.
        """
        other = self.__class__.__new__(self.__class__)
        other.__dict__.update(self.__dict__)
        other._operations = self._operations.on_behalf(  # noqa: SLF001  # its own
            user=user, agent=agent, session=session, namespace=namespace, time_zone=time_zone
        )
        return other

    def _settle(self, place: Place, operations: Operations) -> None:
        self._operations = operations
        self._connect(place)

    @abstractmethod
    def _connect(self, place: Place) -> None:
        """Keeps the place, to open a channel to it at the first call."""


def _operations(
    namespace: str | None,
    user: str | None,
    agent: str | None,
    session: str | None,
    timeout_s: float,
    retries: int,
    time_zone: str,
) -> Operations:
    """The operations of a scope; a session that is not named is a new one."""
    scope = Scope(
        namespace or variable("NAMESPACE", defaults.NAMESPACE),
        variable("USER") if user is None else user,
        variable("AGENT") if agent is None else agent,
        session or uuid.uuid4().hex,
        time_zone,
    )
    return Operations(scope, Revisions(), Patience(timeout_s, retries))
