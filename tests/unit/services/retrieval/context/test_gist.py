"""Tests of context/gist.py: what matters of a lesson or a procedure."""

from anamnesis.memory.v1.memory_pb2 import Fact, Lesson, Memory, Procedure, ProcedureStep
from anamnesis_retrieval.context.gist import GIST_CHARS_MAX, gist_of
from anamnesis_retrieval.convert.search import to_remembered


def gist(memory: Memory) -> str:
    return gist_of(to_remembered(memory))


def test_a_lesson_is_what_went_wrong_and_what_helped() -> None:
    lesson = Lesson(
        title="fatal: no upstream branch.",
        context="command=git push",
        resolution="Bash: command=git push -u origin main 2>&1, description=Push it",
    )
    told = "fatal: no upstream branch.\n→ Bash: git push -u origin main 2>&1"
    assert gist(Memory(lesson=lesson)) == told


def test_a_title_that_was_cut_is_told_as_it_was_and_what_was_written_is_not() -> None:
    lesson = Lesson(
        title="error: pathspec…",
        context="command=git add x\nerror: pathspec 'x' is beyond a link",
        resolution="The file is in `priv/`.\nLet me add it.\n"
        "Edit: file_path=a.py, new_string=one\ntwo, old_string=one\nBash: command=make",
    )
    assert gist(Memory(lesson=lesson)).split("\n") == [
        "error: pathspec 'x' is beyond a link",
        "→ The file is in `priv/`. Edit: a.py Bash: make",
    ]


def test_a_procedure_is_its_steps_and_a_long_gist_ends_with_a_sentence() -> None:
    steps = [ProcedureStep(action="Bash", spec=f"step {number}.") for number in range(100)]
    told = gist(Memory(procedure=Procedure(name="release", steps=steps)))
    assert told.startswith("release\n→ 1. Bash: step 0.")
    assert told.endswith("…")
    assert len(told) < GIST_CHARS_MAX + 100


def test_what_has_no_parts_is_its_first_sentences() -> None:
    long = "Wash the apples before you cut them. " * 40
    assert gist(Memory(content=long, lesson=Lesson())).endswith("cut them. …")
    assert gist(Memory(content="Ada likes tea", fact=Fact(subject="Ada"))) == "Ada likes tea"
    assert gist(Memory(content="Wash apples.", lesson=Lesson())) == "Wash apples."
