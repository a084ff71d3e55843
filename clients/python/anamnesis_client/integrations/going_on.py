"""An agent goes on when its memory fails: the failure is logged, and nothing is remembered."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from anamnesis_client.errors import AnamnesisError

LOG = logging.getLogger("anamnesis_client.integrations")


@contextmanager
def going_on(doing: str) -> Iterator[None]:
    """Logs a failure of the memory in its body, which ends there; texts are not logged."""
    try:
        yield
    except AnamnesisError as error:
        LOG.warning(
            "memory failed, the agent goes on without: %s: %s (%s)",
            doing,
            type(error).__name__,
            error.reason,
        )
