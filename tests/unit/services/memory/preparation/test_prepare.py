"""The gate into the store."""

from dataclasses import replace

import pytest

from anamnesis_libs.redaction.policy import RedactionLevel, RedactionPolicy
from anamnesis_libs.redaction.redactor import PolicyRedactor
from anamnesis_libs.tokens import load_counter
from anamnesis_memory.domain.entities.kinds import EntityKind
from anamnesis_memory.domain.entities.names import Named
from anamnesis_memory.model.memory import Kind
from anamnesis_memory.model.memory_details import Fact, Lesson, Procedure, ProcedureStep, Role
from anamnesis_memory.model.session import ToolCall
from anamnesis_memory.preparation.prepare import Preparer
from tests.support.records import append, lesson, new_event, rows

SECRET = "sk-proj-" + "a1B2" * 10
PREPARE = Preparer(PolicyRedactor(), load_counter("o200k_base"))
STRICT = PREPARE.under(RedactionPolicy(RedactionLevel.STRICT, pseudonym_key=b"own"))


def test_nothing_of_an_event_passes_unredacted() -> None:
    event = replace(
        new_event(f"my key is {SECRET}"),
        name=f"Ada {SECRET}",
        reasoning=f"they said {SECRET}",
        tool_calls=(ToolCall("c", "run", f'{{"key": "{SECRET}"}}'),),
        vectors=rows(1.0),
    )
    ready = PREPARE.event(event)
    assert SECRET not in repr(ready)
    assert ready.vectors is None, "a vector of the secret text is let go"


def test_ids_stay_and_join_what_a_tool_was_asked_and_answered() -> None:
    call_id = "123e4567-e89b-12d3-a456-426614174000"
    asked = replace(new_event(""), tool_calls=(ToolCall(call_id, "run", "{}"),))
    assert PREPARE.event(asked).tool_calls[0].call_id == call_id
    answered = replace(new_event("done"), tool_call_id=call_id)
    assert PREPARE.event(answered).tool_call_id == call_id


def test_under_strict_speakers_are_known_in_each_others_words_and_roles_are_no_people() -> None:
    write = append("hi Zorblatt, the user waits", "hello")
    names = ("user", "Zorblatt")
    named = [replace(one, name=name) for one, name in zip(write.events, names, strict=True)]
    first, second = STRICT.append(replace(write, events=tuple(named))).events
    assert second.name.startswith("<PERSON_")
    assert first.content == f"hi {second.name}, the user waits"
    assert first.name == "user"


@pytest.mark.parametrize("role", [Role.FILE, Role.TOOL])
def test_the_name_of_a_file_or_a_tool_makes_nobody_known(role: Role) -> None:
    write = append("Zorblatt is a word of its own", "hello")
    named = tuple(replace(one, role=role, name="Zorblatt") for one in write.events)
    first, second = STRICT.append(replace(write, events=named, label="Zorblatt")).events
    assert first.content == "Zorblatt is a word of its own"
    assert second.name == "Zorblatt"


def test_a_label_keeps_no_home() -> None:
    write = replace(append("hello"), label="/home/ada/logs/talk.jsonl")
    ready = PREPARE.append(write)
    assert "ada" not in ready.label
    assert ready.label.endswith("talk.jsonl")


def test_an_event_without_secrets_keeps_its_text_and_vector() -> None:
    ready = PREPARE.event(replace(new_event("returned a 404 error"), vectors=rows(1.0)))
    assert ready.content == "returned a 404 error"
    assert ready.vectors is not None
    assert ready.token_count == 5


def test_a_block_that_the_suite_wrote_into_a_prompt_is_not_kept() -> None:
    block = "<memory_context>\n11 May\nuser: I keep bees.\n</memory_context>"
    ready = PREPARE.event(replace(new_event(f"{block}\nI like tea."), vectors=rows(1.0)))
    assert (ready.content, ready.vectors) == ("I like tea.", None)
    assert not PREPARE.event(new_event(block)).has_drawer


def test_the_digest_says_what_is_the_same() -> None:
    event = new_event("hello", 1)
    same = PREPARE.event(event).digest
    assert PREPARE.event(replace(event, event_time_us=7, source_line=9)).digest == same
    assert PREPARE.event(replace(event, content="hallo")).digest != same
    assert PREPARE.event(replace(event, name="Bob")).digest != same
    assert PREPARE.event(replace(event, reasoning="hm")).digest != same


def test_nothing_of_a_memory_passes_unredacted() -> None:
    parts = (
        (Kind.LEARNING, Lesson(SECRET, SECRET, SECRET, 0.5)),
        (Kind.SEMANTIC, Fact(SECRET, SECRET, SECRET)),
        (
            Kind.PROCEDURAL,
            Procedure(SECRET, SECRET, (ProcedureStep(SECRET, SECRET, SECRET, SECRET),), (SECRET,)),
        ),
    )
    for kind, part in parts:
        draft = replace(lesson(SECRET, tags=(SECRET,)), kind=kind, part=part, entities=(SECRET,))
        ready, vectors = PREPARE.memory(draft, rows(1.0))
        assert SECRET not in repr(ready)
        assert vectors is None


def test_names_pass_redacted_and_a_person_is_known_by_all_of_them() -> None:
    named = (Named("Quixby", EntityKind.PERSON, ("Old Quixby",)), Named(f"the {SECRET} key"))
    (quixby, key) = PREPARE.named(named)
    assert (quixby, SECRET in key.name) == (named[0], False)
    (hidden, _) = STRICT.named(named)
    assert "Quixby" not in repr(hidden)
    assert hidden.name.startswith("<PERSON_")


def test_tags_unite_and_are_bounded() -> None:
    draft = lesson("text", tags=("A", "a", " ", *(f"tag {number}" for number in range(20))))
    ready, _ = PREPARE.memory(draft, None)
    assert ready.tags == ("A", *(f"tag {number}" for number in range(9)))
