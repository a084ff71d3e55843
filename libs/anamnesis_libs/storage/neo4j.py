"""A Neo4j server used from asyncio: a driver, transactions that are tried again, typed rows.

What passes by itself is tried again for a while: a deadlock, a lost connection, a server that
restarts. A connection that breaks during a commit leaves open whether it happened; such a
transaction is tried again like any other, so what it does must be right to do twice, or look
first whether it was done.

How long is counted from when the server fell silent, not from the call: whoever comes late in an
outage is told so at its first try, and does not wait as long again.
"""

import asyncio
import math
import random
from collections.abc import (
    AsyncIterator,
    Awaitable,
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from neo4j import (
    READ_ACCESS,
    WRITE_ACCESS,
    AsyncDriver,
    AsyncGraphDatabase,
    AsyncSession,
    AsyncTransaction,
    NotificationMinimumSeverity,
)
from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
)

from anamnesis_libs.errors import AnamnesisError, ResourceExhausted, SetupInvalid, StoreUnavailable

T = TypeVar("T")

Value = None | bool | int | float | str | bytes | Sequence["Value"] | Mapping[str, "Value"]
"""A value that a property or a parameter can hold."""

Row = Mapping[str, Value]

RETRY_S_MAX = 15.0
RETRY_DELAY_S = 0.02
RETRY_DELAY_S_MAX = 1.0
_OURS = ("Neo.ClientError.Statement.", "Neo.ClientError.Schema.")
"""Codes of what is wrong with a statement, not with the server or the way to it."""
_RACES = frozenset({"Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"})
"""Somebody else made the same index between our look and our making: the next look finds it."""

CONNECTIONS_MAX = 64
CONNECT_S_MAX = 5.0


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """The address of a server; an empty user means that it asks for no password."""

    uri: str
    user: str = ""
    password: str = ""
    database: str = "neo4j"


def read_password(path: Path | None) -> str:
    """The password in a file; none without a file.

    Raises:
        SetupInvalid: the file cannot be read.
    """
    if path is None:
        return ""
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise SetupInvalid(
            f"cannot read storage.neo4j_password_file {path}: {error}; name a readable file"
        ) from error


class Transaction:
    """An open transaction; or a session, where each statement is a transaction of its own."""

    def __init__(self, transaction: AsyncTransaction | AsyncSession) -> None:
        self._transaction = transaction

    async def run(self, statement: str, parameters: Mapping[str, Value]) -> list[Row]:
        """Run a statement that returns nothing, or what `Graph.read` says."""
        result = await self._transaction.run(statement, dict(parameters))
        return _maps([record[0] async for record in result])

    async def stream(self, statement: str, parameters: Mapping[str, Value]) -> AsyncIterator[Row]:
        """Run a statement that returns one map a row, and take them as they come."""
        async for record in await self._transaction.run(statement, dict(parameters)):
            yield record[0]


class _Outage:
    """The time since which the server has not answered, for all calls together."""

    def __init__(self) -> None:
        self._since_s = self._failed_s = -math.inf

    def note(self, now_s: float) -> float:
        """Take in a failure to reach it.

        Returns:
            When the outage began: now, if nothing failed of late.
        """
        if now_s - self._failed_s > RETRY_S_MAX:
            self._since_s = now_s
        self._failed_s = now_s
        return self._since_s

    def end(self) -> None:
        """End the outage: the server has answered."""
        self._failed_s = -math.inf


class Neo4jGraph:
    """One database of one server. Its reads see what its writes have committed."""

    def __init__(self, driver: AsyncDriver, database: str) -> None:
        self._driver = driver
        self._database = database
        self._outage = _Outage()
        self._bookmarks = AsyncGraphDatabase.bookmark_manager()

    @classmethod
    async def open(cls, address: ServerAddress) -> "Neo4jGraph":
        """Connect.

        Raises:
            SetupInvalid: the URI is none.
            StoreUnavailable: the server does not answer, or does not let us in.
        """
        try:
            driver = AsyncGraphDatabase.driver(
                address.uri,
                auth=(address.user, address.password) if address.user else None,
                max_connection_pool_size=CONNECTIONS_MAX,
                connection_timeout=CONNECT_S_MAX,
                connection_acquisition_timeout=RETRY_S_MAX,
                notifications_min_severity=NotificationMinimumSeverity.OFF,
            )
        except (ConfigurationError, ValueError) as error:
            raise SetupInvalid(f"storage.neo4j_uri {address.uri!r}: {error}") from error
        graph = cls(driver, address.database)
        try:
            await graph.read("RETURN {one: 1} AS row", {})
        except AnamnesisError:
            await graph.close()
            raise
        return graph

    async def read(self, statement: str, parameters: Mapping[str, Value]) -> list[Row]:
        """Run one statement that changes nothing and returns one map a row, or a list of them.

        A statement of many rows collects them in a list: the driver waits for each row by itself,
        which takes longer than all else that is done for it.

        Raises:
            StoreUnavailable: the server does not answer.
        """

        async def attempt() -> list[Row]:
            async with self._session(READ_ACCESS) as session:
                result = await session.run(statement, dict(parameters))
                return _maps([record[0] async for record in result])

        return await _persist(attempt, self._outage)

    async def write(
        self, work: Callable[[Transaction], Awaitable[T]], *, timeout_s: float | None = None
    ) -> T:
        """Run `work` in one transaction that is durable when this returns.

        `work` may run again, even where an earlier run was committed and we could not know.
        The server ends it after `timeout_s`, or after what it is configured for.

        Raises:
            StoreUnavailable: the server does not answer; whether anything was changed is unknown
                if it went away during the commit.
            ResourceExhausted: the transaction is too large for the server.
        """

        async def attempt() -> T:
            async with (
                self._session(WRITE_ACCESS) as session,
                await session.begin_transaction(timeout=timeout_s) as transaction,
            ):
                result = await work(Transaction(transaction))
                await transaction.commit()
                return result

        return await _persist(attempt, self._outage)

    async def write_apart(self, work: Callable[[Transaction], Awaitable[T]]) -> T:
        """Run `work`, each of whose statements is a transaction, durable when it has answered.

        So each takes one way to the server. `work` may run again, as in `write`.

        Raises:
            StoreUnavailable: the server does not answer; whether anything was changed is unknown.
            ResourceExhausted: a transaction is too large for the server.
        """

        async def attempt() -> T:
            async with self._session(WRITE_ACCESS) as session:
                return await work(Transaction(session))

        return await _persist(attempt, self._outage)

    async def version(self) -> str:
        """The server's name and version, as it tells the driver."""
        return (await self._driver.get_server_info()).agent

    async def close(self) -> None:
        """Let go of the connections."""
        await self._driver.close()

    def _session(self, access_mode: str) -> AsyncSession:
        return self._driver.session(
            database=self._database,
            default_access_mode=access_mode,
            bookmark_manager=self._bookmarks,
        )


def chunks(rows: Sequence[Row], size: int = 1_000) -> Iterator[Sequence[Row]]:
    """Rows in batches that one statement may take."""
    return (rows[start : start + size] for start in range(0, len(rows), size))


def _maps(found: Iterable[Row | list[Row]]) -> list[Row]:
    """Maps that came one a row, or in lists."""
    return [row for one in found for row in (one if isinstance(one, list) else (one,))]


async def _persist(attempt: Callable[[], Awaitable[T]], outage: _Outage) -> T:
    """Try again while it may pass, with growing pauses."""
    now_s = asyncio.get_running_loop().time
    give_up_s = now_s() + RETRY_S_MAX
    delay_s = RETRY_DELAY_S
    while True:
        try:
            result = await attempt()
        except (DriverError, Neo4jError) as error:
            if isinstance(error, DriverError):
                give_up_s = min(give_up_s, outage.note(now_s()) + RETRY_S_MAX)
            if now_s() + delay_s > give_up_s or not _passes(error):
                raise _translated(error) from error
        else:
            outage.end()
            return result
        await asyncio.sleep(delay_s * random.uniform(0.5, 1.5))  # noqa: S311  # spreads, no secret
        delay_s = min(delay_s * 2, RETRY_DELAY_S_MAX)


def _passes(error: DriverError | Neo4jError) -> bool:
    """True if the same operation may succeed at the next try."""
    if isinstance(error, Neo4jError) and error.code in _RACES:
        return True
    return (error.is_retryable() or isinstance(error, IncompleteCommit)) and not _too_large(error)


def _too_large(error: DriverError | Neo4jError) -> bool:
    return isinstance(error, Neo4jError) and "OutOfMemory" in (error.code or "")


def _translated(error: DriverError | Neo4jError) -> Exception:
    """The error as the suite names it; a refused statement is a fault of ours and stays."""
    if _too_large(error):
        return ResourceExhausted(
            f"the transaction is too large for Neo4j: {error}",
            metadata={"queue": "transaction memory"},
        )
    if isinstance(error, AuthError):
        return StoreUnavailable(
            f"Neo4j does not let us in: {error}. Check storage.neo4j_user and "
            "storage.neo4j_password_file"
        )
    if isinstance(error, Neo4jError) and (error.code or "").startswith(_OURS):
        return error
    return StoreUnavailable(
        "Neo4j failed: check that the server runs and that storage.neo4j_uri leads to it. It says "
        f"{type(error).__name__}: {error}",
        retry_after_s=1.0,
    )
