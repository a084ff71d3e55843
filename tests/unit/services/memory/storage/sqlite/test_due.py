"""What the catalogue in SQLite knows of what is due: free where known, and kept by upgrades."""

from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from pathlib import Path

import pytest

from anamnesis_libs.storage.sqlite import Database, connect
from anamnesis_memory.model.memory import Namespace, Work
from anamnesis_memory.ports.catalogue import Due
from anamnesis_memory.storage.sqlite.catalogue import MIGRATIONS, SqliteCatalogue

SPACE = Namespace("space", "incarnation", 0, "model", 8)


@pytest.fixture
def executor() -> Iterator[Executor]:
    """Threads for the database."""
    with ThreadPoolExecutor(2) as threads:
        yield threads


@pytest.fixture
async def database(tmp_path: Path, executor: Executor) -> AsyncIterator[Database]:
    """The catalogue's file."""
    opened = await Database.open(tmp_path / "catalogue.db", MIGRATIONS, executor)
    yield opened
    await opened.close()


@pytest.fixture
async def catalogue(database: Database) -> SqliteCatalogue:
    """A catalogue that knows one namespace."""
    made = SqliteCatalogue(database)
    await made.create(SPACE)
    return made


async def commits(database: Database) -> int:
    """Counts changes of rows by the writer."""
    return await database.write(lambda connection: connection.total_changes())


async def times(catalogue: SqliteCatalogue) -> list[int]:
    """When something is due."""
    return [one.at_us for one in await catalogue.due(list(Work), 10**9, 10)]


async def look(catalogue: SqliteCatalogue) -> Due:
    """The one thing that is due."""
    (found,) = await catalogue.due(list(Work), 10**9, 10)
    return found


async def test_what_is_known_costs_nothing(catalogue: SqliteCatalogue, database: Database) -> None:
    await catalogue.set_due("space", Work.SEGMENT, 50)
    before = await commits(database)
    for at_us in (50, 60, 1_000):
        await catalogue.set_due("space", Work.SEGMENT, at_us)
    assert await commits(database) == before
    await catalogue.set_due("space", Work.SEGMENT, 40)
    assert await commits(database) == before + 1
    assert await times(catalogue) == [40]


async def test_a_process_that_starts_learns_what_is_there(
    catalogue: SqliteCatalogue, database: Database
) -> None:
    await catalogue.set_due("space", Work.SEGMENT, 50)
    again = SqliteCatalogue(database)
    await again.set_due("space", Work.SEGMENT, 90)
    assert await times(again) == [50]
    before = await commits(database)
    await again.set_due("space", Work.SEGMENT, 50)
    assert await commits(database) == before


async def test_what_is_looked_at_is_moved_or_done_with(catalogue: SqliteCatalogue) -> None:
    await catalogue.set_due("space", Work.SEGMENT, 50)
    await catalogue.reschedule(await look(catalogue), 70)
    assert await times(catalogue) == [70]
    await catalogue.set_due("space", Work.SEGMENT, 60)
    assert await times(catalogue) == [60]
    await catalogue.reschedule(await look(catalogue), None)
    assert await times(catalogue) == []
    await catalogue.set_due("space", Work.SEGMENT, 80)
    assert await times(catalogue) == [80]


async def test_who_has_set_it_since_is_heard(catalogue: SqliteCatalogue) -> None:
    await catalogue.set_due("space", Work.SEGMENT, 50)
    found = await look(catalogue)
    await catalogue.set_due("space", Work.SEGMENT, 50)
    await catalogue.reschedule(found, None)
    assert await times(catalogue) == [50]
    await catalogue.reschedule(found, 90)
    assert await times(catalogue) == [50]


async def test_of_two_who_looked_none_takes_away_what_the_other_found(
    catalogue: SqliteCatalogue,
) -> None:
    await catalogue.set_due("space", Work.SEGMENT, 50)
    one, two = await look(catalogue), await look(catalogue)
    await catalogue.reschedule(one, 70)
    await catalogue.reschedule(two, None)
    assert await times(catalogue) == [70]
    one, two = await look(catalogue), await look(catalogue)
    await catalogue.reschedule(one, None)
    await catalogue.reschedule(two, 80)
    assert await times(catalogue) == [80]


async def test_kinds_of_work_and_namespaces_keep_apart(catalogue: SqliteCatalogue) -> None:
    await catalogue.create(Namespace("other", "another", 0, "model", 8))
    await catalogue.set_due("space", Work.SEGMENT, 50)
    await catalogue.set_due("space", Work.LABEL, 40)
    await catalogue.set_due("other", Work.SEGMENT, 30)
    told = [(one.name, one.work) for one in await catalogue.due(list(Work), 100, 10)]
    assert told == [("other", Work.SEGMENT), ("space", Work.LABEL), ("space", Work.SEGMENT)]
    assert len(await catalogue.due([Work.SEGMENT], 100, 1)) == 1
    assert [one.name for one in await catalogue.due([Work.SEGMENT], 49, 10)] == ["other"]


async def test_what_was_due_before_times_were_kept_is_due_now(
    tmp_path: Path, executor: Executor
) -> None:
    path = tmp_path / "old.db"
    old = connect(path, MIGRATIONS[:1])
    old.execute("INSERT INTO namespaces VALUES ('space', 'incarnation', 0, 'model', 8)")
    old.execute("INSERT INTO due (work, name) VALUES ('cluster', 'space')")
    old.close()
    opened = await Database.open(path, MIGRATIONS, executor)
    (found,) = await SqliteCatalogue(opened).due([Work.CLUSTER], 0, 10)
    assert (found.name, found.at_us) == ("space", 0)
    await opened.close()
