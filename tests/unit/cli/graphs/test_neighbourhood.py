"""What a walk has reached, gathered around its middle, and hung from it."""

from datetime import UTC, datetime

from anamnesis.memory.v1.memory_pb2 import FACT_KIND_EXPERIENCE
from anamnesis_cli.graphs.branches import Branch, Label, branches
from anamnesis_cli.graphs.neighbourhood import Neighbourhood, gathered
from tests.support.neighbours import CENTRE, MARA, NODES, NOW, fact, reached


def around(*more: tuple[str, ...]) -> Neighbourhood:
    facts = [reached(fact(*each)) for each in more]
    return gathered(CENTRE, [*NODES, *facts], NOW)


def hung(branch: Branch) -> tuple[str, list[str]]:
    return branch.thing.name, [child.thing.name for child in branch.children]


def test_names_find_their_entities_in_whatever_way_they_are_written() -> None:
    found = around()
    ends = {(one.subject, one.predicate, one.object) for one in found.claims}
    assert (MARA, "lives in", "e-Porto") in ends
    assert (MARA, "married to", "e-Tom") in ends
    assert (MARA, "allergic to", "value 花生") in ends
    assert found.things["value 花生"].kind == "value"
    assert found.things["e-Juno"].kind == "agent"


def test_what_is_over_says_so_and_what_was_taken_back_is_not_told() -> None:
    found = around()
    assert [(one.predicate, one.when) for one in found.claims if one.over] == [
        ("lives in", "2021-01 until 2023-04-01")
    ]
    assert not [one for one in found.claims if one.predicate == "owns"]
    assert [one.caveat for one in found.claims if one.subject == "e-Tom"] == ["contradicted"]


def test_what_happened_has_its_date() -> None:
    went = fact("Mara", "did", "went to Porto", "2026-01")
    went.fact.fact_kind = FACT_KIND_EXPERIENCE
    (claim,) = gathered(CENTRE, [reached(went)], NOW).claims
    assert (claim.when, claim.over) == ("2026-01", False)


def test_what_ends_later_is_over_later() -> None:
    ends = reached(fact("Mara", "rents", "a flat", "2026-01", "2027-01"))
    (now,) = gathered(CENTRE, [ends], NOW).claims
    (later,) = gathered(CENTRE, [ends], datetime(2027, 1, 1, tzinfo=UTC)).claims
    assert (now.over, later.over) == (False, True)


def test_who_is_mentioned_beside_is_told_where_nothing_is_claimed() -> None:
    found = around()
    assert found.together == ("e-Juno",), "not Tom, whom she married"
    assert found.counts == {"drawer": 2}
    claimed = around(("Juno", "assists", "Mara"))
    assert claimed.together == ()


def test_a_thing_hangs_where_it_is_met_first_and_is_repeated_elsewhere() -> None:
    drawn = branches(around(), 32, 10)
    placed = {branch.thing.name: branch for branch in drawn.branches}
    assert set(placed) == {"Lisbon", "Porto", "Tom", "花生", "Juno"}
    assert hung(placed["Lisbon"]) == ("Lisbon", ["Tom"])
    assert placed["Lisbon"].children[0].repeated
    (back,) = placed["Lisbon"].children[0].labels
    assert back == Label("lives in (contradicted)", "since 2023-04", outward=False, over=False)
    assert placed["Juno"].labels == (), "only mentioned together"
    assert placed["Porto"].over
    assert (drawn.claims_left_out, drawn.beside_left_out) == (0, 0)


def test_what_connects_two_things_is_one_line_with_all_that_it_says() -> None:
    again = ("Mara", "lives_in", "Porto", "2025-01", "2025-03")
    drawn = branches(around(again, ("Porto", "misses", "Mara")), 32, 10)
    (porto,) = [branch for branch in drawn.branches if branch.thing.name == "Porto"]
    assert [(label.text, label.outward, label.when) for label in porto.labels] == [
        ("misses", False, ""),
        ("lives in", True, "2021-01 until 2023-04-01, 2025-01 until 2025-03-01"),
    ]


def test_what_there_is_no_room_for_is_counted() -> None:
    drawn = branches(around(), 2, 0)
    assert {branch.thing.name for branch in drawn.branches} < {"Lisbon", "Tom", "花生"}
    assert (drawn.claims_left_out, drawn.beside_left_out) == (3, 1)
