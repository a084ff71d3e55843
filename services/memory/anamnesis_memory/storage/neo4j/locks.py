"""The two locks of a namespace on Neo4j, each a node that is written before anything is read.

The clock is every commit's. Vectors are not of any revision, so keeping them takes a lock of
their own and waits for no commit, which under many writers would follow each other without a
gap. What reads or removes vectors together with other records takes both, the clock first.
"""

from collections.abc import Sequence

from anamnesis_libs.errors import StoreUnavailable
from anamnesis_libs.storage.neo4j import Row
from anamnesis_memory.storage.neo4j.scope import ScopedTransaction


class LockNeeded(Exception):
    """A commit does more than can be done without holding the lock."""


async def lock_clock(tx: ScopedTransaction, locked_by: str) -> Row:
    """Wait for every commit that is under way, and read the clock after it.

    Raises:
        StoreUnavailable: the namespace is not there.
    """
    return await _lock(tx, "lock_clock", locked_by)


async def lock_embeddings(tx: ScopedTransaction, locked_by: str) -> None:
    """Wait for everybody who keeps vectors, or removes memories that have some.

    Raises:
        StoreUnavailable: the namespace is not there.
    """
    await _lock(tx, "lock_embeddings", locked_by)


async def _lock(tx: ScopedTransaction, statement: str, locked_by: str) -> Row:
    return there(await tx.run(statement, locked_by=locked_by))


def there(found: Sequence[Row]) -> Row:
    """The row of a statement that takes a lock.

    Raises:
        StoreUnavailable: there is none, for the namespace is not there.
    """
    if not found:
        raise StoreUnavailable("the namespace is gone from Neo4j; open it again")
    return found[0]
