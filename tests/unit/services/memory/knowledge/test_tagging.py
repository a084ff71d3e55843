"""Tests of the tags that a drawer gets from what it mentions."""

from dataclasses import replace

from anamnesis_memory.domain.entities.kinds import EntityKind as K
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.knowledge.tagging import ENTITIES_MAX, labelled
from tests.support.records import lesson

NOON_US = 1_773_662_400_000_000
"""2026-03-16, 12:00 UTC."""


def test_each_kind_has_its_sign_and_the_day_comes_first() -> None:
    drawer = replace(lesson("text"), event_time_us=NOON_US)
    mentioned = [
        Named("Mara  Lopez", K.PERSON),
        Named("Lisbon", K.PLACE),
        Named("the fair", K.EVENT),
        Named("the lamp", K.ITEM),
        Named("Acme", K.ORGANISATION),
        Named("somebody"),
    ]
    assert labelled(drawer, mentioned).tags == (
        "@t:2026-03-16",
        "@p:Mara Lopez",
        "@l:Lisbon",
        "@e:the fair",
        "@i:the lamp",
    )


def test_what_it_has_comes_first_and_ten_are_enough() -> None:
    drawer = lesson("text", tags=("mine", "@P:mara"))
    people = [Named(name, K.PERSON) for name in ("Mara", *(f"Ann {n}" for n in range(20)))]
    tags = labelled(drawer, people).tags
    assert tags[:3] == ("mine", "@P:mara", "@p:Ann 0")
    assert len(tags) == 10


def test_the_day_is_that_of_utc_before_1970_too() -> None:
    drawer = replace(lesson("text"), event_time_us=-1)
    assert labelled(drawer, []).tags == ("@t:1969-12-31",)


def test_a_name_too_long_for_a_tag_gives_none() -> None:
    assert labelled(lesson("text"), [Named("M" * 126, K.PERSON)]).tags == ()
    named = [Named("M" * 125, K.PERSON)]
    assert labelled(lesson("text"), named).tags == (f"@p:{'M' * 125}",)


def test_all_that_it_mentions_are_its_entities_each_once() -> None:
    drawer = replace(lesson("text"), entities=("Mara",))
    mentioned = [Named("Acme", K.ORGANISATION), Named("Mara", K.PERSON), Named("somebody")]
    assert labelled(drawer, mentioned).entities == ("Mara", "Acme", "somebody")
    many = [Named(f"Ann {number}", K.PERSON) for number in range(2 * ENTITIES_MAX)]
    assert len(labelled(drawer, many).entities) == ENTITIES_MAX
