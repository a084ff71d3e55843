"""The parts that groups of settings are made of; use the names from `settings`."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Positive = Annotated[int, Field(gt=0)]
Seconds = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(ge=0, le=1)]
MIB = 1024 * 1024


class Group(BaseModel):
    """A group of settings: typed, frozen, and closed to names it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)
