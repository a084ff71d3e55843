"""Tests of who is meant by a name, as writes of memories find out."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.domain.entities.folding import fold
from anamnesis_memory.domain.entities.kinds import EntityKind as K
from anamnesis_memory.domain.entities.matching import match
from anamnesis_memory.domain.entities.names import KnownEntity, Named
from anamnesis_memory.knowledge.entity_resolution import names_of, united
from anamnesis_memory.model.memory import Kind, Memory, Origin, Provenance
from anamnesis_memory.model.memory_details import Fact
from benchmarks.entities.pairs import read
from tests.support.drawing import drawn
from tests.support.entity_book import EntityBook


def person(name: str, *aliases: str) -> Named:
    return Named(name, K.PERSON, aliases)


def written(*named: Named, at_once: bool = False) -> list[KnownEntity]:
    """What is known after these have been named, the eldest first."""
    book = EntityBook()
    for number, one in enumerate([named] if at_once else [(one,) for one in named]):
        book.write(f"m-{number}", *one, at_once=at_once)
    return sorted(book.all, key=lambda one: min(name.first_us for name in one.names))


def names(*named: Named, at_once: bool = False) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.name, one.aliases) for one in written(*named, at_once=at_once)]


@pytest.mark.parametrize("at_once", [False, True])
def test_spellings_of_one_name_are_one(at_once: bool) -> None:
    found = names(
        person("Zoë Müller"), person("ZOE MULLER"), person("Ｚｏｅ Muller"), at_once=at_once
    )
    assert found == [("Zoë Müller", ("ZOE MULLER", "Ｚｏｅ Muller"))]


def test_a_name_that_was_told_as_another_one_leads_there() -> None:
    assert names(person("Mara Lopez", "ML"), person("ML")) == [("Mara Lopez", ("ML",))]
    assert names(person("ML"), person("Mara Lopez", "ML")) == [("ML", ("Mara Lopez",))]


def test_the_name_itself_comes_before_one_that_is_like_it() -> None:
    """A slip leads to the known one only while nobody has the name as it is written."""
    technology = [Named("Kuberntes", K.TECHNOLOGY), Named("Kubernetes")]
    found = written(*technology, Named("Kubernetes", K.TECHNOLOGY))
    assert [(one.name, one.kind) for one in found] == [
        ("Kuberntes", K.TECHNOLOGY),
        ("Kubernetes", K.TECHNOLOGY),
    ]
    assert names(technology[0], Named("Kubernetes", K.TECHNOLOGY)) == [
        ("Kuberntes", ("Kubernetes",))
    ]


def test_a_slip_never_crosses_kinds() -> None:
    found = written(Named("Kubernetes", K.TECHNOLOGY), Named("Kuberntes", K.PROJECT))
    assert [one.kind for one in found] == [K.TECHNOLOGY, K.PROJECT]


def test_one_name_of_two_kinds_is_two() -> None:
    named = (Named("Jordan", K.PERSON), Named("Jordan", K.PLACE))
    assert [one.kind for one in written(*named)] == [K.PERSON, K.PLACE]
    assert united(named) == named


def test_a_name_without_a_kind_is_the_known_one_whatever_it_is() -> None:
    (only,) = written(Named("Lisbon", K.PLACE), Named("lisbon"))
    assert only.kind is K.PLACE
    assert {one.spelling.name for one in only.names} == {"Lisbon", "lisbon"}


@pytest.mark.parametrize("at_once", [False, True])
def test_a_kind_can_be_learned_later(at_once: bool) -> None:
    (only,) = written(Named("Lisbon"), Named("Lisbon", K.PLACE), Named("LISBON"), at_once=at_once)
    assert only.kind is K.PLACE


def test_a_kind_that_was_learned_keeps_others_out() -> None:
    found = written(Named("Jordan"), Named("Jordan", K.PERSON), Named("Jordan", K.PLACE))
    assert [one.kind for one in found] == [K.PERSON, K.PLACE]


def test_two_that_share_an_alias_stay_two_and_the_alias_alone_is_a_third() -> None:
    found = names(person("Mara Lopez", "ML"), person("Marie Lund", "ML"), person("ML"))
    assert found == [("Mara Lopez", ("ML",)), ("Marie Lund", ("ML",)), ("ML", ())]
    again = names(person("Mara Lopez", "ML"), person("Marie Lund", "ML"), *[person("ML")] * 4)
    assert again == found


def test_an_alias_that_was_used_before_another_one_had_it_leads_where_it_led() -> None:
    found = names(
        person("Mara Lopez", "ML"), person("ML"), person("Marie Lund", "ML"), person("ML")
    )
    assert found == [("Mara Lopez", ("ML",)), ("Marie Lund", ("ML",))]


def test_a_short_name_does_not_make_two_people_one() -> None:
    """All orders in which two people with one short name can come in."""
    told = [person("Mara Lopez", "Mara"), person("Mara Lund", "Mara"), person("Mara")]
    for ordered in itertools.permutations(told):
        for one in written(*ordered):
            assert not {"Mara Lopez", "Mara Lund"} <= {each.spelling.name for each in one.names}


def test_who_is_named_by_a_short_name_of_another_is_kept_by_the_full_one() -> None:
    found = names(person("Mara", "Mara Lopez"), person("Mara", "Mara Lund"), person("Mara Lund"))
    assert found == [("Mara", ("Mara Lopez",)), ("Mara Lund", ("Mara",))]


def test_a_name_run_together_that_may_be_two_is_a_third_and_stays_it() -> None:
    told = [person("Ann Alee"), person("Anna Lee"), person("AnnaLee")]
    found = names(*told, *told, *told)
    assert found == [("Ann Alee", ()), ("Anna Lee", ()), ("AnnaLee", ())]


def test_two_that_fold_alike_are_two_in_one_write() -> None:
    assert len(written(person("Ann Alee"), person("Anna Lee"), at_once=True)) == 2


def test_what_is_no_name_is_passed_over() -> None:
    assert written(Named("…"), Named("  "), Named("<EMAIL_ADDRESS>"), at_once=True) == []
    assert names(Named("Mara", aliases=("<PHONE_NUMBER>", "!"))) == [("Mara", ())]


def test_a_pseudonym_is_a_name() -> None:
    assert names(person("<PERSON_3f9a1c07>"), Named("<PERSON_3f9a1c07>")) == [
        ("<PERSON_3f9a1c07>", ())
    ]


def test_the_answer_says_the_kinds_that_are_known_now() -> None:
    book = EntityBook()
    book.write("m-1", Named("Lisbon", K.PLACE))
    assert book.write("m-2", Named("lisbon"), Named("Mara")) == [
        Named("lisbon", K.PLACE),
        Named("Mara"),
    ]


def test_a_name_that_is_told_and_used_in_one_memory_is_used() -> None:
    (only,) = written(person("Mara Lopez", "Mara"), person("Mara"), at_once=True)
    assert {one.spelling.name: one.is_alias for one in only.names} == {
        "Mara Lopez": False,
        "Mara": False,
    }


def test_a_part_has_the_kind_of_the_whole() -> None:
    """What was merged into a person is no place of that name, though nobody said its own kind."""
    book = EntityBook()
    book.write("m-1", person("Mara Lopez"), Named("Mara"))
    whole, part = sorted(book.all, key=lambda one: one.create_time_us)
    book.entities[part.entity_id] = KnownEntity(
        part.entity_id, K.UNKNOWN, part.create_time_us, whole.entity_id
    )
    assert book.write("m-2", Named("Mara", K.PLACE)) == [Named("Mara", K.PLACE)]
    assert [one.kind for one in book.all] == [K.PERSON, K.UNKNOWN, K.PLACE]
    assert book.write("m-3", Named("MARA")) == [Named("MARA", K.PERSON)]


def test_names_of_a_memory_are_what_was_said_then_its_persons_its_subject_and_its_labels() -> None:
    memory = Memory(
        memory_id="m-1",
        kind=Kind.SEMANTIC,
        content="Mara lives in Lisbon",
        create_time_us=0,
        update_time_us=0,
        revision=1,
        provenance=Provenance(Origin.ASSERTED),
        entities=("lisbon", "MARA", "the move"),
        part=Fact("Mara", "lives_in", "Lisbon", persons=("Mara",)),
    )
    said = (Named("Lisbon", K.PLACE), Named("Lisbon", K.PLACE, ("Lisboa",)))
    assert names_of(memory, said) == (
        Named("Lisbon", K.PLACE, ("Lisboa",)),
        Named("Mara", K.PERSON),
        Named("the move"),
    )


@pytest.mark.parametrize("subject", ["user", "我", "the place where we met in spring"])
def test_a_subject_that_is_no_name_is_none_as_a_label_either(subject: str) -> None:
    memory = Memory(
        memory_id="m-1",
        kind=Kind.SEMANTIC,
        content=f"{subject} is near Lisbon",
        create_time_us=0,
        update_time_us=0,
        revision=1,
        provenance=Provenance(Origin.GENERATED),
        entities=("She", subject, "Lisbon"),
        part=Fact(subject, "is_near", "Lisbon", persons=("you", "Mara")),
    )
    assert names_of(memory) == (Named("Mara", K.PERSON), Named("Lisbon"))
    told = (Named("User", K.PERSON),)
    assert names_of(memory, told)[0] == told[0], "who says that it is a name is believed"


@pytest.mark.parametrize("turned", [False, True])
def test_writes_find_of_the_labelled_pairs_what_the_rules_find(turned: bool) -> None:
    """Whichever was named first; the keys by which a store looks them up suffice."""
    for pair in read("dev"):
        pairs = (pair.other, pair.one) if turned else (pair.one, pair.other)
        found = written(*(Named(one.name, one.kind, one.aliases) for one in pairs))
        assert (len(found) == 1) is match(pair.one, pair.other).same, pair


WORDS = st.sampled_from(["Ann", "anna", "Lee", "alee", "AnnaLee", "Mara", "Lopez", "Dr.", "Lund"])
NAMES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)
KINDS = st.sampled_from([K.UNKNOWN, K.PERSON, K.PLACE, K.ORGANISATION])
NAMED = st.builds(Named, NAMES, KINDS, st.lists(NAMES, max_size=2).map(tuple))


@pytest.mark.slow
@drawn(400)
@given(st.lists(st.tuples(NAMED, st.booleans()), max_size=14))
def test_no_name_of_a_kind_is_ever_two_entities(told: list[tuple[Named, bool]]) -> None:
    """Nor is there one of an unknown kind beside one of a known kind, whatever is named when."""
    book = EntityBook()
    batch: list[Named] = []
    for number, (named, ends) in enumerate(told):
        batch.append(named)
        if ends or number == len(told) - 1:
            book.write(f"m-{number}", *batch, at_once=True)
            batch = []
    used = Counter(
        (tokens, one.kind)
        for one in book.all
        for tokens in {fold(name.spelling.name).tokens for name in one.names if not name.is_alias}
    )
    assert max(used.values(), default=1) == 1
    for tokens, kind in used:
        assert kind is K.UNKNOWN or (tokens, K.UNKNOWN) not in used


@drawn(100)
@given(st.lists(NAMED, max_size=8))
def test_naming_again_founds_nobody(told: list[Named]) -> None:
    """All names of the same texts lead to entities that are there."""
    book = EntityBook()
    for number, named in enumerate(told):
        book.write(f"m-{number}", named)
    before = set(book.entities)
    for number, named in enumerate(told):
        book.write(f"n-{number}", named)
    assert set(book.entities) == before
