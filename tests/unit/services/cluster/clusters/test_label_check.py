"""A label that a model words is kept if lessons say it, at least two of them each word."""

import pytest

from anamnesis_cluster.clusters.label_check import fault_of

LESSONS = (
    "alembic: target database is not up to date\nStamp it first: `alembic stamp 4f1c2`.",
    "alembic: multiple head revisions\nMigrations of order_id need 8.2 MB. Merge the heads.",
    "A migration waited 30 s for a lock; ask Priya. The database revisions of order_id, 8.2 MB.",
)
CHINESE = (
    "数据库迁移失败时先停掉 worker, 再跑 alembic。",
    "迁移数据库之前先备份, 张伟说过。",
    "数据库迁移锁超时三十秒。",
)


@pytest.mark.parametrize(
    "label",
    [
        "Alembic migrations",
        "Setup of the database's revisions",
        "Failed migrations with alembic",
        "order_id and 8.2 MB",
        "Database-migration errors",
    ],
)
def test_what_two_lessons_say_is_kept_in_whatever_form(label: str) -> None:
    assert fault_of(label, LESSONS) == ""


@pytest.mark.parametrize(
    ("label", "fault"),
    [
        ("Kubernetes migrations", "do not say"),
        ("Migrations with Priya", "do not say"),
        ("Alembic stamp 4f1c2", "do not say"),
        ("Alembic 8.3 MB", "do not say"),
        ("id_order migrations", "do not say"),
        ("Common problems and fixes", "names nothing"),
        ("Alembic\nmigrations", "not one line"),
        ("Alembic\u202emigrations", "not one line"),
        ("", "not one line"),
        ("alembic " * 9, "too long"),
        (f"alembic {'a' * 80}", "too long"),
    ],
)
def test_what_they_do_not_say_is_refused(label: str, fault: str) -> None:
    assert fault in fault_of(label, LESSONS)


def test_chinese_labels_are_held_to_the_same() -> None:
    assert fault_of("数据库迁移问题", CHINESE) == ""
    assert fault_of("数据库迁移的失败处理", CHINESE) == ""
    assert "do not say" in fault_of("张伟的数据库迁移", CHINESE)
    assert "do not say" in fault_of("数据库备份", CHINESE)
    assert "too long" in fault_of("数据库迁移" * 5, CHINESE)
