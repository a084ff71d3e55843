"""Logging: structured, to standard error, as JSON or for a console. Never contents.

Text of users and of models stays out of the log. Messages of foreign exceptions often quote
their input, so a failure is logged as its type and stack; its text only at level `debug`.
"""

import logging
import sys
import traceback
from collections.abc import Mapping
from typing import Literal

import structlog
from structlog.typing import FilteringBoundLogger, Processor

from anamnesis_libs.errors import AnamnesisError

Logger = FilteringBoundLogger
Level = Literal["debug", "info", "warning", "error"]
Form = Literal["console", "json"]

_FRAMES_MAX = 12


def configure(level: Level, form: Form) -> None:
    """Sets up the process's log; what libraries log arrives in the same form, from `warning`."""
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[structlog.contextvars.merge_contextvars, *_stamps(), _renderer(form)],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_foreign_formatter(form))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


def logger(part: str) -> Logger:
    """A logger for one part of the suite: `logger("memory")`."""
    made: Logger = structlog.get_logger(part=part)
    return made


def failure_fields(error: BaseException, *, with_text: bool) -> Mapping[str, object]:
    """The fields to log for an exception: ours with its message, others by type and frames."""
    if isinstance(error, AnamnesisError):
        return {"error": type(error).__name__, "reason": error.reason, "message": error.message}
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES_MAX:]
    fields: dict[str, object] = {
        "error": type(error).__name__,
        "frames": [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames],
    }
    return {**fields, "text": str(error)} if with_text else fields


def _stamps() -> list[Processor]:
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]


def _renderer(form: Form) -> Processor:
    if form == "json":
        return structlog.processors.JSONRenderer(ensure_ascii=False)
    return structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())


def _foreign_formatter(form: Form) -> logging.Formatter:
    """The formatter for records of libraries: stamped and rendered like our own."""
    return structlog.stdlib.ProcessorFormatter(
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(form)],
        foreign_pre_chain=_stamps(),
    )
