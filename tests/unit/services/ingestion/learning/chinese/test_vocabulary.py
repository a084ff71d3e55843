"""The data files of the Chinese reader fit together."""

import re

from anamnesis_ingestion.learning.chinese.script import plain
from anamnesis_ingestion.learning.chinese.values import OPEN, values
from anamnesis_ingestion.learning.chinese.vocabulary import (
    Change,
    frames,
    frames_for,
    meanings,
    words,
)


def test_every_frame_states_known_predicates_of_slots_that_it_has() -> None:
    for frame in frames():
        assert frame.pattern.groups == len(frame.slots), frame.pattern.pattern
        for each in frame.stated:
            assert each.predicate in meanings(), frame.pattern.pattern
            assert each.slot <= len(frame.slots), frame.pattern.pattern
            assert bool(each.slot) != bool(each.text), frame.pattern.pattern


def test_every_slot_has_a_rule() -> None:
    rules = {rule for frame in frames() for rule in frame.slots} | OPEN
    assert all(values(rule, "呀") == [] or rule == "nick" for rule in rules)


def test_data_is_written_in_simplified_characters() -> None:
    for name in ("kin", "jobs", "adverbs", "plans", "slots", "foods"):
        assert all(word == plain(word) for word in words(name))


def test_a_change_without_a_slot_needs_a_sign_that_it_happened() -> None:
    begun = [
        frame
        for frame in frames()
        if not frame.slots and any(each.change is Change.BEGIN for each in frame.stated)
    ]
    assert begun
    assert all(frame.completed for frame in begun)


def test_predicates_are_plain_identifiers() -> None:
    assert all(re.fullmatch(r"[a-z_]+", name) for name in meanings())


def test_traditional_characters_become_simplified_one_for_one() -> None:
    assert plain("我後來搬到臺北，計畫改變了") == "我后来搬到台北，计划改变了"
    assert plain("著名的畫家") == "著名的画家"


def test_the_frames_for_a_text_are_all_that_cover_it() -> None:
    for text in (
        *("住在光谷", "周二休息", "入职了美团", "用飞书写文档", "不吃虾", "养了只猫", "做外贸的"),
        *("从网易跳槽到京东了", "N2", "朝九晚五", "四十二", "高度近视", "跑步跑了三年", "血压高"),
    ):
        covering = [frame for frame in frames() if frame.pattern.fullmatch(text)]
        assert covering, text
        assert [frame for frame in frames_for(text) if frame.pattern.fullmatch(text)] == covering
