"""The text of what comes in parts only."""

from anamnesis_memory.memories.craft.wording import lesson_text, procedure_text
from anamnesis_memory.model.memory_details import Lesson, Procedure, ProcedureStep


def test_a_procedure_is_told_step_by_step() -> None:
    steps = (ProcedureStep("run", "make", on_failure="stop"), ProcedureStep(spec="tag"))
    told = procedure_text(Procedure("release", "to ship", steps, ("haste",)))
    assert told.splitlines() == [
        "release: to ship",
        "1. run: make (on failure: stop)",
        "2. tag",
        "Avoid: haste",
    ]
    assert procedure_text(Procedure("release")) == "release"


def test_a_lesson_leaves_out_what_is_empty() -> None:
    assert lesson_text(Lesson("locked", "", "use WAL")) == "locked\nuse WAL"
    assert lesson_text(Lesson()) == ""
