"""The text of a procedure or lesson that comes in parts only, as it is searched and shown."""

from anamnesis_memory.model.memory_details import Lesson, Procedure, ProcedureStep


def procedure_text(procedure: Procedure) -> str:
    """Name and goal, then each step on a line of its own, then what to avoid."""
    lines = [": ".join(filter(None, (procedure.name, procedure.goal)))]
    lines += [f"{place}. {_step_text(step)}" for place, step in enumerate(procedure.steps, start=1)]
    lines += [f"Avoid: {what}" for what in procedure.avoid]
    return "\n".join(lines)


def lesson_text(lesson: Lesson) -> str:
    """Title, context and resolution, each on a line of its own; what is empty is left out."""
    return "\n".join(filter(None, (lesson.title, lesson.context, lesson.resolution)))


def _step_text(step: ProcedureStep) -> str:
    said = ": ".join(filter(None, (step.action, step.spec)))
    return f"{said} (on failure: {step.on_failure})" if step.on_failure else said
