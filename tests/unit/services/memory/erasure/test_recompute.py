"""What is left of a text when one of the texts it was made of is erased."""

from dataclasses import replace

from anamnesis_memory.erasure.recompute import without_contributions
from anamnesis_memory.model.memory import Memory, Visibility
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports import CommitStamp
from tests.support.records import lesson

STAMP = CommitStamp(9, 900)


def given(text: str, came_us: int, worked_us: int) -> Copy:
    """A contribution that came, and was worked into the text later."""
    memory = lesson(text, agent_id="nova")
    return Copy(
        memory.memory_id,
        "known",
        CopyRole.CONTRIBUTION,
        memory,
        came_us,
        merged=bool(worked_us),
        worked_us=worked_us,
    )


def before(known: Memory, text: str, until_us: int) -> Copy:
    """The text of a lesson before it was changed at a time."""
    memory = replace(known, content=text)
    return Copy(f"v-{until_us}", known.memory_id, CopyRole.VERSION, memory, until_us)


def test_the_text_of_before_comes_back_for_those_who_see_it_now() -> None:
    known = lesson("one, two and three", agent_id="juno")
    versions = [before(known, "one", 500), before(known, "one and two", 600)]
    two, three = given("two", 100, 500), given("three", 50, 600)
    private = replace(known, visibility=Visibility.PRIVATE_TO_AGENT)
    left = without_contributions(private, [three, two, *versions], [three], STAMP)
    assert left is not None
    assert left.memory.content == "one and two"
    assert left.memory.visibility is Visibility.PRIVATE_TO_AGENT
    assert left.untaken == ()
    left = without_contributions(private, [three, two, *versions], [two], STAMP)
    assert left is not None
    assert left.memory.content == "one"
    assert [(one.copy_id, one.merged) for one in left.untaken] == [(three.copy_id, False)]
    assert {*left.dropped} == {two.copy_id, "v-500", "v-600"}


def test_what_was_never_in_the_text_leaves_it_as_it_is() -> None:
    known = lesson("one", agent_id="juno")
    left = without_contributions(known, [given("two", 100, 0)], [given("two", 100, 0)], STAMP)
    assert left is not None
    assert left.memory.content == "one"
