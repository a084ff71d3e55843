"""The page of an entity, and its timeline."""

from anamnesis_cluster.view_model import FactKind, KnowledgePage, Source, Visibility
from anamnesis_cluster.views.episodes import episodes_of
from anamnesis_cluster.views.page import cited, page_of
from anamnesis_cluster.views.wording import page_markdown
from tests.unit.services.cluster.views.told import NOW, day, fact

MOVED = fact("lives_in", "Rome", since="2018-01-01", until="2021-01-01")
LIVES = fact("lives_in", "Oslo", since="2021-01-01", visibility=Visibility.PRIVATE_TO_USER)
RAN = fact("did", "ran", FactKind.EXPERIENCE, text="Ann ran a marathon", since="2022-05-01")
WON = fact("did", "won", FactKind.EXPERIENCE, text="Ann won a prize", told="2020-05-01")
PLAN = fact("plans", "a trip", FactKind.GOAL, text="Ann plans a trip", told="2019-01-01")
OTHER = fact("knows", "Ann", FactKind.RELATIONSHIP, subject="Bob", text="Bob knows Ann")
FACTS = [MOVED, LIVES, RAN, WON, PLAN, OTHER]


def page() -> KnowledgePage:
    return page_of(("Ann", "Annie"), FACTS, (), NOW)


def test_each_fact_stands_under_what_it_is() -> None:
    under = {section.title: [line.text for line in section.lines] for section in page().sections}
    assert under == {
        "Home": ["Ann lives in Oslo"],
        "Open points": ["Ann plans a trip"],
        "Before": ["Ann lives in Rome"],
        "Timeline": ["Ann won a prize", "Ann ran a marathon"],
        "Also named in": ["Bob knows Ann"],
    }


def test_a_page_cites_the_drawers_of_its_lines() -> None:
    assert set(cited(page())) == {source for line in FACTS for source in line.sources}


def test_markdown_marks_what_is_private_and_lets_no_text_be_markup() -> None:
    told = page_of(("*Ann*",), [*FACTS, fact("likes", "a", text="[x](y)\n# z")], (), NOW)
    source = Source("d-1", "§ W-001/R-01/D-001", "s", "Hi #1", day("2021-01-01"))
    text = page_markdown(KnowledgePage(("*Ann*",), told.sections, (source,)))
    lines = text.splitlines()
    assert lines[0] == r"# \*Ann\*"
    assert "- Bob knows Ann (told 2026-05-01)" in lines
    assert "- § W-001/R-01/D-001 (2021-01-01): Hi \\#1" in lines
    assert not any(line.startswith("# z") for line in lines)


def test_private_lines_say_so_where_others_are_not() -> None:
    text = page_markdown(page())
    assert "- Ann lives in Oslo (since 2021-01-01) (private)" in text
    alone = page_markdown(page_of(("Ann",), [LIVES], (), NOW))
    assert "(private)" not in alone


def test_an_end_that_nobody_told_is_over_by_the_time_of_telling() -> None:
    over = fact("studies_in", "Lund", until="2026-05-01", told="2026-05-01")
    ended = fact("works_at", "Norvik", until="2021-01-01", told="2026-05-01")
    text = page_markdown(page_of(("Ann",), [over, ended], (), NOW))
    assert "Lund (over by 2026-05-01)" in text
    assert "Norvik (until 2021-01-01)" in text


def test_episodes_are_by_time_and_within_a_range() -> None:
    assert episodes_of(FACTS) == [WON, RAN]
    assert episodes_of(FACTS, day("2021-01-01")) == [RAN]
    assert episodes_of(FACTS, None, day("2022-05-01")) == [WON]
