"""Runs of sleep for the wire."""

from datetime import datetime

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.memory.v1 import sleep_pb2
from anamnesis_cluster.runs import Ended


def from_ended(
    ended: Ended, phase: sleep_pb2.SleepPhase.ValueType, start: datetime, end: datetime
) -> sleep_pb2.Run:
    """The end of a run of a phase, between two times."""
    state = sleep_pb2.RUN_STATE_FAILED if ended.reason else sleep_pb2.RUN_STATE_DONE
    return sleep_pb2.Run(
        run_id=ended.run_id,
        phase=phase,
        state=sleep_pb2.RUN_STATE_HELD_ELSEWHERE if ended.held else state,
        start_time=_stamp(start),
        end_time=_stamp(end),
        counts=ended.counts,
        model_tokens=ended.model_tokens,
        reason=ended.reason,
    )


def _stamp(moment: datetime) -> Timestamp:
    stamp = Timestamp()
    stamp.FromDatetime(moment)
    return stamp
