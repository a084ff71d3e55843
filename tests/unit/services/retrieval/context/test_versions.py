"""Tests of context/versions.py: what changed for another replaces nothing of one's own."""

import pytest

from tests.support.small_memory import Said, SmallMemory


@pytest.mark.parametrize(
    ("query", "older", "newer"),
    [
        ("我在哪里上班？", "我在市图书馆上班", "老婆调到妇幼医院上班了"),
        ("老婆是做什么的", "我老婆是医生", "我主管离职了，我来接他的位子"),
        ("Where do I live?", "dad's home now, he is well", "I moved to a flat in Bonfim"),
        ("Where do I work?", "his teacher is Mrs. Faria", "I got a new job at the depot"),
    ],
)
async def test_a_change_of_anothers_life_replaces_nothing(
    query: str, older: str, newer: str
) -> None:
    memory = SmallMemory(Said(older, "2026-01-05", "a"), Said(newer, "2026-05-05", "b"))
    text = await memory.text(query, 300)
    assert older in text
    assert "之前" not in text
    assert "before" not in text


async def test_a_change_of_ones_own_life_replaces_what_was() -> None:
    memory = SmallMemory(
        Said("我在市图书馆上班", "2026-01-05", "a"),
        Said("我跳槽到妇幼医院上班了", "2026-05-05", "b"),
    )
    assert "之前, 1月5日: 我在市图书馆上班" in await memory.text("我在哪里上班？", 300)


async def test_a_plan_replaces_nothing_until_it_is_done() -> None:
    home = Said("Our flat on Mill Road has one bedroom.", "2026-01-05", "a")
    plan = Said("They accepted the offer! We move on 12 December.", "2026-05-05", "b")
    text = await SmallMemory(home, plan).text("Where do I live?", 300)
    assert "before" not in text
    moved = Said("We moved to Histon.", "2026-05-30", "c")
    assert "before, 5 January" in await SmallMemory(home, moved).text("Where do I live?", 300)


async def test_two_things_that_were_dropped_are_not_one() -> None:
    memory = SmallMemory(
        Said("We decided to drop SQLite and move to PostgreSQL 16.", "2026-11-05", "a"),
        Said("Let's use Celery for the nightly run.", "2026-11-09", "c"),
        Said("Celery runs the nightly run at two.", "2026-11-09", "c", role="assistant"),
        Said("Drop Celery again, it's too much. Use a systemd timer instead.", "2026-11-10", "b"),
    )
    text = await memory.text("Why did we drop Celery?", 300)
    assert "Drop Celery again" in text
    assert "before, 9 November: Let's use Celery" in text
    assert "before, 5 November" not in text
