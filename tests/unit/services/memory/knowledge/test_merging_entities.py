"""Tests of merging and splitting entities, as writes."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_libs.errors import EntityNotMerged, InvalidArgument
from anamnesis_libs.errors.not_found import EntityNotFound
from anamnesis_libs.participants import together
from anamnesis_libs.scopes import user_scope
from anamnesis_memory.domain.entities.kinds import EntityKind as K
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.knowledge.merging_entities import MergeEntities, SplitEntity
from anamnesis_memory.model.memory import Caller
from anamnesis_memory.ports import CommitStamp, ReadView, WriteSet
from tests.support.drawing import drawn
from tests.support.entity_book import EntityBook

ADA, BOB = Caller(user_id="ada"), Caller(user_id="bob")


class People(EntityBook):
    """A book in which names are looked up, and entities are merged and split."""

    def of(self, name: str) -> str:
        """The id of the entity that is named so."""
        (entity_id,) = {
            one.entity_id for one in self.mentions.values() if one.spelling.name == name
        }
        return entity_id

    def decided(self, write: MergeEntities | SplitEntity) -> tuple[str, WriteSet]:
        """What a write comes to, which sees all that it wants and what that is one with."""
        wanted = set(write.wanted().entities)
        roots = {self.root(one) for one in self.all if one.entity_id in wanted}
        seen = {one.entity_id: one for one in self.all if self.root(one) in roots}
        decision = write.decide(ReadView(entities=seen), CommitStamp(1, self.now_us))
        self.apply(decision.edits)
        return decision.result, decision.edits

    def merge(self, name: str, *others: str, caller: Caller = ADA) -> str:
        ids = tuple(map(self.of, others))
        return self.decided(MergeEntities(self.of(name), ids, caller))[0]

    def split(self, name: str, caller: Caller = ADA) -> str:
        return self.decided(SplitEntity(self.of(name), caller))[0]

    def group(self, name: str) -> set[str]:
        """The names of all that an entity is one with."""
        root = self.root(self.known(self.of(name)))
        return {one.name for one in self.all if self.root(one) == root}


def people(*names: str, kind: K = K.PERSON) -> People:
    book = People()
    for number, name in enumerate(names):
        book.write(f"m-{number}", Named(name, kind))
    return book


def test_merging_sets_a_pointer_and_splitting_takes_it_away() -> None:
    book = people("Mara", "Maria", "Marlene")
    before = book.all
    assert book.merge("Mara", "Maria", "Marlene") == book.of("Mara")
    assert book.group("Maria") == {"Mara", "Maria", "Marlene"}
    assert book.split("Maria") == book.of("Mara")
    assert book.group("Maria") == {"Maria"}
    assert book.group("Mara") == {"Mara", "Marlene"}
    book.split("Marlene")
    assert book.all == before
    assert [one.names for one in book.all] == [one.names for one in before]


def test_what_was_merged_stands_for_what_it_is_now() -> None:
    book = people("a", "b", "c", "d")
    book.merge("a", "b")
    book.merge("c", "d")
    assert book.merge("b", "d") == book.of("a"), "d is c by now, and b is a"
    assert book.group("a") == {"a", "b", "c", "d"}
    book.split("c")
    assert (book.group("a"), book.group("c")) == ({"a", "b"}, {"c", "d"})


def test_what_is_part_of_it_already_is_passed_over() -> None:
    book = people("a", "b", "c")
    book.merge("a", "b")
    for write in (
        MergeEntities(book.of("a"), (book.of("b"), book.of("a")), ADA),
        MergeEntities(book.of("b"), (book.of("a"),), ADA),
    ):
        whole, edits = book.decided(write)
        assert (whole, edits) == (book.of("a"), WriteSet())
    assert book.group("a") == {"a", "b"}


def test_names_that_come_in_while_it_is_part_of_another_go_with_it() -> None:
    book = people("Mara Lopez", "ML")
    book.merge("Mara Lopez", "ML")
    book.write("m-9", Named("ml", K.PERSON))
    book.split("ML")
    assert {one.spelling.name for one in book.known(book.of("ML")).names} == {"ML", "ml"}


def test_kinds_must_agree_and_an_unknown_one_agrees_with_all() -> None:
    book = people("Jordan Smith")
    book.write("m-7", Named("Jordan Valley", K.PLACE), Named("Jordan"), Named("JS"))
    with pytest.raises(InvalidArgument, match="person, place"):
        book.merge("Jordan Smith", "Jordan Valley")
    book.merge("Jordan", "Jordan Valley")
    with pytest.raises(InvalidArgument, match="person, place"):
        book.merge("JS", "Jordan", "Jordan Smith")
    with pytest.raises(InvalidArgument):
        book.merge("Jordan Smith", "Jordan")
    assert book.group("JS") == {"JS"}, "nothing is changed where it is refused"
    assert book.merge("Jordan", "JS") == book.of("Jordan")


def private_to_bob(kind: K = K.PERSON) -> People:
    book = people("Mara")
    book.write("m-8", Named("Bob's secret", kind), scope="user:bob")
    return book


@pytest.mark.parametrize("merge", [("Mara", "Bob's secret"), ("Bob's secret", "Mara")])
def test_who_merges_must_see_both(merge: tuple[str, str]) -> None:
    with pytest.raises(EntityNotFound):
        private_to_bob().merge(*merge, caller=ADA)


def test_what_some_see_becomes_part_of_what_all_see_and_not_the_other_way_round() -> None:
    book = private_to_bob()
    with pytest.raises(InvalidArgument, match="fewer"):
        book.merge("Bob's secret", "Mara", caller=BOB)
    assert book.merge("Mara", "Bob's secret", caller=BOB) == book.of("Mara")
    assert book.split("Bob's secret", caller=BOB) == book.of("Mara")


def test_each_of_several_merges_what_is_theirs_together() -> None:
    for caller in (ADA, BOB):
        book = people()
        for number, name in enumerate(("Mara", "Marie")):
            spelled = Named(name, K.PERSON)
            book.write(f"m-{number}", spelled, scope=user_scope(together(["ada", "bob"])))
        with pytest.raises(EntityNotFound):
            book.merge("Mara", "Marie", caller=Caller(user_id="eve"))
        assert book.merge("Mara", "Marie", caller=caller) == book.of("Mara")


def test_a_kind_that_differs_is_not_told_to_who_may_not_see_it() -> None:
    book = private_to_bob(K.PLACE)
    with pytest.raises(EntityNotFound):
        book.merge("Mara", "Bob's secret", caller=ADA)


def test_who_splits_must_see_what_is_split_off() -> None:
    book = private_to_bob()
    book.merge("Mara", "Bob's secret", caller=BOB)
    with pytest.raises(EntityNotFound):
        book.split("Bob's secret", caller=ADA)


@pytest.mark.parametrize(
    "write",
    [
        lambda book: MergeEntities("e-none", (book.of("a"),), ADA),
        lambda book: MergeEntities(book.of("a"), ("e-none",), ADA),
        lambda _: SplitEntity("e-none", ADA),
    ],
)
def test_what_is_not_there_is_not_found(
    write: Callable[[People], MergeEntities | SplitEntity],
) -> None:
    book = people("a")
    with pytest.raises(EntityNotFound, match="e-none"):
        book.decided(write(book))


def test_what_stands_by_itself_cannot_be_split_off() -> None:
    book = people("a", "b")
    book.merge("a", "b")
    with pytest.raises(EntityNotMerged):
        book.split("a")


STEPS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


@drawn(150)
@given(STEPS, st.tuples(st.integers(0, 5), st.integers(0, 5)))
def test_a_split_undoes_a_merge_exactly_after_any_merges(
    steps: list[tuple[int, int]], last: tuple[int, int]
) -> None:
    """No pointer leads in a circle, whatever is merged into what (`root` would not end)."""
    book = people(*"abcdef")
    ids = [book.of(name) for name in "abcdef"]
    for one, other in steps:
        book.decided(MergeEntities(ids[one], (ids[other],), ADA))
    before = {one.entity_id: one for one in book.all}
    whole, edits = book.decided(MergeEntities(ids[last[0]], (ids[last[1]],), ADA))
    assert book.root(book.known(ids[last[1]])) == whole
    for merged in edits.entities:
        book.decided(SplitEntity(merged.entity_id, ADA))
    assert {one.entity_id: one for one in book.all} == before
