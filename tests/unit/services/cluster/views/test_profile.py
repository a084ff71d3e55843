"""The profile: what holds now, each thing once, under headings, within a budget."""

import random

import pytest

from anamnesis_cluster.view_model import FactKind, Line, Visibility
from anamnesis_cluster.views.profile import profile_of, sections_of
from anamnesis_libs.tokens import load_counter
from tests.unit.services.cluster.views.told import NOW, fact, texts

TOKENS = load_counter("o200k_base")
LIKES = FactKind.PREFERENCE
PRIVATE = Visibility.PRIVATE_TO_USER


def shown(*facts: Line) -> list[str]:
    return texts(sections_of(facts, NOW))


def test_what_holds_now_stands_under_headings_in_their_order() -> None:
    facts = [
        fact("plays", "violin", FactKind.SKILL),
        fact("lives_in", "Oslo", since="2021-01-01"),
        fact("allergic_to", "nuts", FactKind.CONSTRAINT),
        fact("uses", "Vim", LIKES),
        fact("knows", "Bob", FactKind.RELATIONSHIP),
    ]
    titles = [section.title for section in sections_of(facts, NOW)]
    assert titles == ["Rules and constraints", "People and animals", "Home", "Skills", "Tools"]


def test_what_is_over_to_come_or_once_happened_is_not_in_it() -> None:
    assert not shown(
        fact("lives_in", "Rome", until="2020-01-01"),
        fact("lives_in", "Mars", since="2099-01-01"),
        fact("did", "ran a marathon", FactKind.EXPERIENCE),
        fact("concert", "on Friday", FactKind.EVENT),
    )


def test_one_thing_said_twice_is_one_line_with_both_memories() -> None:
    first = fact("lives_in", "Oslo", since="2021-01-01", told="2026-01-01")
    again = fact("lives_in", "OSLO.", text="Ann lives in  Oslo!", told="2026-02-01")
    (section,) = sections_of([first, again], NOW)
    (line,) = section.lines
    assert set(line.memory_ids) == {*first.memory_ids, *again.memory_ids}
    assert set(line.sources) == {*first.sources, *again.sources}
    assert line.since == first.since


def test_one_sentence_of_several_facts_is_one_line() -> None:
    told = "Ann loves climbing and skiing"
    (line,) = shown(
        fact("likes", "climbing", LIKES, text=told), fact("likes", "skiing", LIKES, text=told)
    )
    assert line == told


def test_a_line_that_says_less_goes_but_not_one_of_another_kind() -> None:
    assert shown(
        fact("likes", "painting", LIKES),
        fact("enjoys", "painting old barns", LIKES),
        fact("dislikes", "barns", LIKES),
    ) == ["Ann dislikes barns", "Ann enjoys painting old barns"]


def test_of_a_single_valued_predicate_the_last_one_is_shown_across_scopes() -> None:
    shared = fact("lives_in", "Rome", since="2020-01-01")
    private = fact("lives_in", "Oslo", since="2024-01-01", visibility=PRIVATE)
    assert shown(shared, private) == ["Ann lives in Oslo"]


def test_lines_of_different_scopes_are_never_joined() -> None:
    shared, private = fact("likes", "tea", LIKES), fact("likes", "tea", LIKES, visibility=PRIVATE)
    (section,) = sections_of([private, shared], NOW)
    (line,) = section.lines
    assert line.visibility is Visibility.SHARED
    assert line.memory_ids == shared.memory_ids
    assert line.sources == shared.sources


@pytest.mark.parametrize(
    "text",
    ["Ann is doing ok", "Ann had a great time", "Ann used to dance", "Ann is so tired"],
)
def test_moods_and_what_was_once_are_idle(text: str) -> None:
    assert not shown(fact("does", "x", FactKind.IDENTITY, text=text))


def test_what_somebody_does_and_plans_passes_with_its_time() -> None:
    told = [
        fact("does", "learning Dart", FactKind.IDENTITY, told="2025-01-01"),
        fact("considers", "moving", FactKind.GOAL, told="2025-01-01"),
        fact("wants", "a garden", FactKind.GOAL, told="2025-01-01"),
        fact("has", "a boat", told="2025-01-01"),
        fact("does", "learning Go", FactKind.IDENTITY, told="2026-05-01"),
    ]
    assert shown(*told) == ["Ann wants a garden", "Ann does learning Go", "Ann has a boat"]


def test_a_sentence_that_names_what_is_over_is_worded_anew() -> None:
    assert shown(
        fact("lives_in", "New York", since="2020-01-01", until="2026-01-01"),
        fact("works_as", "engineer", text="Ann is an engineer in New York"),
    ) == ["Ann works as engineer"]


def test_a_sentence_without_a_verb_gets_one() -> None:
    assert shown(fact("wants", "travel", FactKind.GOAL, text="Ann to travel")) == [
        "Ann wants to travel"
    ]


def test_a_chinese_profile_has_chinese_headings() -> None:
    (section,) = sections_of([fact("住在", "上海", text="林月住在上海", subject="林月")], NOW)
    assert section.title == "住处"


def test_the_order_of_facts_does_not_matter() -> None:
    facts = [fact("likes", f"thing {at}", LIKES, told=f"2026-01-{at + 1:02}") for at in range(25)]
    facts += [fact("lives_in", f"town {at}", since=f"20{at + 10}-01-01") for at in range(9)]
    expected = sections_of(facts, NOW)
    for seed in range(5):
        assert sections_of(random.Random(seed).sample(facts, len(facts)), NOW) == expected


def test_the_text_keeps_to_the_budget_and_leaves_something_of_each_heading() -> None:
    facts = [fact("likes", f"thing number {at}", LIKES) for at in range(60)]
    facts.append(fact("allergic_to", "nuts", FactKind.CONSTRAINT))
    profile = profile_of("Ann", facts, NOW, 100, TOKENS)
    assert profile.token_count == TOKENS.count(profile.text) <= 100
    assert "nuts" in profile.text
    assert profile.left_out == 61 - len(texts(profile.sections)) > 0


def test_the_text_says_since_when_and_what_is_doubtful() -> None:
    facts = [
        fact("lives_in", "Oslo", since="2021-03-04"),
        fact("likes", "tea\n- and obeys", LIKES, confidence=0.3),
    ]
    assert profile_of("Ann", facts, NOW, 500, TOKENS).text.splitlines() == [
        "What is known of Ann:",
        "Home",
        "- Ann lives in Oslo (since 2021-03-04)",
        "Preferences",
        "- perhaps: Ann likes tea - and obeys (told 2026-05-01)",
    ]


def test_of_nobody_there_is_no_text() -> None:
    profile = profile_of("Ann", [], NOW, 500, TOKENS)
    assert (profile.subject, profile.text, profile.token_count) == ("", "", 0)


def test_a_chinese_profile_is_chinese_throughout() -> None:
    facts = [
        fact("住在", "成都", text="小林住在成都", since="2026-02-01"),
        fact("过敏", "海鲜", FactKind.CONSTRAINT, text="小林对海鲜过敏", told="2026-03-23"),
    ]
    told = profile_of("小林", facts, NOW, 1_000, TOKENS).text
    assert told.splitlines() == [
        "关于小林：",
        "规则与限制",
        "- 小林对海鲜过敏（2026-03-23 提到）",
        "住处",
        "- 小林住在成都（2026-02-01 起）",
    ]
