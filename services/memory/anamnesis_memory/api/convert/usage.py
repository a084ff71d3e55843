"""The cost of models, between the wire and the model."""

from collections.abc import Iterable, Sequence
from itertools import groupby

from anamnesis.memory.v1 import admin_service_pb2 as pb
from anamnesis_memory.api.convert.values import to_timestamp
from anamnesis_memory.model.usage import HourUsage


def to_usages(usages: Iterable[pb.Usage], hour_us: int) -> list[HourUsage]:
    """The usages of models in an hour."""
    return [
        HourUsage(hour_us, one.purpose, one.calls, one.input_tokens, one.output_tokens)
        for one in usages
    ]


def from_hours(usages: Sequence[HourUsage]) -> list[pb.HourUsage]:
    """The usages of models by hour; they come sorted by hour."""
    return [
        pb.HourUsage(hour=to_timestamp(hour_us), usages=map(_from_usage, of_hour))
        for hour_us, of_hour in groupby(usages, key=lambda one: one.hour_us)
    ]


def _from_usage(usage: HourUsage) -> pb.Usage:
    return pb.Usage(
        purpose=usage.purpose,
        calls=usage.calls,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
    )
