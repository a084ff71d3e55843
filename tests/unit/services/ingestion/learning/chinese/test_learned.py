"""The Chinese of a lecture becomes learned facts, with ends and the time of telling."""

from dataclasses import replace

from anamnesis_ingestion.learning.knowledge import LearnedFact
from anamnesis_ingestion.learning.local.extractor import LocalExtractor
from anamnesis_ingestion.model import Role
from tests.support.talk import SAID_AT, said, task


async def learned(*contents: str, **how: object) -> tuple[LearnedFact, ...]:
    return (await LocalExtractor().learn(said(*contents, **how))).facts  # type: ignore[arg-type]


async def test_a_change_ends_one_fact_and_begins_another() -> None:
    old, new = await learned("我从北京搬到了成都。")
    assert (old.object, old.ended, new.object, new.ended) == ("北京", True, "成都", False)
    assert {each.said_at for each in (old, new)} == {SAID_AT}
    assert new.single_valued


async def test_who_was_named_in_one_event_is_known_in_the_next() -> None:
    facts = await learned("我妹妹思雨来了。", "思雨住在重庆。")
    assert [(each.subject, each.object) for each in facts][1:] == [("思雨", "重庆")]
    assert [each.sources for each in facts] == [(0,), (1,)]


async def test_a_text_to_work_on_tells_nothing() -> None:
    assert await learned("翻译：我是护士，住在宁波。") == ()
    assert await learned("假设我是医生，住在宁波。") == ()


async def test_an_assistant_without_a_name_says_nothing_about_itself() -> None:
    assert await learned("我住在宁波。", role=Role.ASSISTANT) == ()


async def test_how_the_work_is_to_be_mended_is_a_lesson() -> None:
    lecture = task(
        ("user", "帮我写一段脚本。"),
        ("assistant", "写好了。"),
        ("user", "不对，应该用表格。以后都用表格回答。"),
        ("assistant", "好的，改成表格了。"),
        ("user", "谢谢。"),
    )
    learned_from = await LocalExtractor().learn(lecture)
    assert all(each.predicate != "prefers" for each in learned_from.facts)


async def test_both_languages_of_a_message_are_read() -> None:
    facts = await learned("I live in Malmö. 我对芒果过敏。")
    assert {each.object for each in facts} == {"Malmö", "芒果"}


async def test_orders_are_for_the_agent_of_a_talk_whoever_gives_them() -> None:
    lecture = task(("user", "以后都用表格回答。"), ("assistant", "好的。"))
    named = replace(lecture, events=[replace(lecture.events[0], name="Mara"), lecture.events[1]])
    (fact,) = (await LocalExtractor().learn(named)).facts
    assert (fact.subject, fact.predicate) == ("Mara", "prefers")
