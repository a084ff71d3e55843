"""Marks: how far they go, and what lifts them."""

from anamnesis_memory.domain.facts.review import Ground, ReviewReason, Walk, lifted, needs_review

CHAIN = {"b": ["d1", "n1"], "d1": ["d2"], "d2": ["d3", "b"], "d3": []}


def _walked(walk: Walk) -> Walk:
    while walk.front:
        walk = walk.further([low for high in walk.front for low in CHAIN.get(high, [])])
    return walk


def test_everything_below_is_found_once_and_the_ground_is_not() -> None:
    walk = _walked(Walk.below("b"))
    assert walk.found == ("d1", "n1", "d2", "d3")
    assert not walk.cut


def test_a_walk_that_is_cut_says_so() -> None:
    short = _walked(Walk.below("b", hops_max=1))
    assert (short.found, short.cut) == (("d1", "n1"), True)
    few = _walked(Walk.below("b", nodes_max=1))
    assert (few.found, few.cut) == (("d1",), True)
    exact = _walked(Walk.below("b", hops_max=3, nodes_max=4))
    assert (len(exact.found), exact.cut) == (4, False)


def test_a_reason_names_the_ground_and_its_end() -> None:
    walk = _walked(Walk.below("d2"))
    assert ReviewReason("d3", "d2", 20) in walk.reasons(Ground("d2", 20))
    assert ReviewReason("d3", "d2", None) in walk.reasons(Ground("d2", None))


def test_an_undone_closing_lifts_its_own_marks_only() -> None:
    early, late = ReviewReason("d", "b", 15), ReviewReason("d", "b", 20)
    gone, other = ReviewReason("d", "b", None), ReviewReason("d", "n", 15)
    every = {early, late, gone, other}
    assert lifted(every, [Ground("b", 20)]) == {early}
    assert lifted(every, [Ground("b", None)]) == {early, late}
    assert lifted(every, []) == frozenset()


def test_what_has_ended_itself_is_not_marked() -> None:
    assert needs_review([ReviewReason("d", "b", 15)], ended=False)
    assert not needs_review([ReviewReason("d", "b", 15)], ended=True)
    assert not needs_review([], ended=False)
