"""Day 1 and day 2 of a session that grows: only the task that was not finished is cut again."""

from collections.abc import Sequence

from anamnesis_ingestion.intake.fingerprints import fingerprint
from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.segmentation.cutting import segment
from anamnesis_ingestion.segmentation.tasks import PreviousCut, TaskCut
from anamnesis_libs.tokens import TiktokenCounter
from tests.support.ledger_events import conversation
from tests.support.segmenters import Scripted

TASK_A = ("user: How do I read a CSV in Python?", "assistant: pandas.read_csv.")
TASK_B = ("user: Write me a Docker compose file.", "assistant: version: '3'", "user: thanks")
TASK_C = ("user: Now deploy it.", "call: bash {}", "tool: pulling")
REST_OF_C = ("tool: started", "assistant: It runs.")


def _with_fingerprints(events: Sequence[LedgerEvent], cuts: Sequence[TaskCut]) -> list[PreviousCut]:
    return [
        PreviousCut(cut, fingerprint(events[cut.first_index : cut.last_index + 1])) for cut in cuts
    ]


async def test_a_task_that_became_complete_is_replaced_and_the_rest_is_untouched(
    counter: TiktokenCounter,
) -> None:
    day_1 = conversation(*TASK_A, *TASK_B, *TASK_C)
    day_2 = conversation(*TASK_A, *TASK_B, *TASK_C, *REST_OF_C)
    first = await segment(day_1, Scripted([(1, 2), (3, 5), (6, 8)]), 1000, counter)
    earlier = _with_fingerprints(day_1, first)
    segmenter = Scripted([(1, 5)])
    second = await segment(day_2, segmenter, 1000, counter, earlier)
    later = _with_fingerprints(day_2, second)
    assert segmenter.windows == [(5, 9)]
    assert later[:2] == earlier[:2]
    assert (later[2].cut.first_index, later[2].cut.last_index) == (5, 9)
    assert later[2].fingerprint != earlier[2].fingerprint


async def test_a_last_task_that_was_complete_keeps_its_fingerprint_when_another_follows(
    counter: TiktokenCounter,
) -> None:
    day_1 = conversation(*TASK_A, *TASK_B)
    day_2 = conversation(*TASK_A, *TASK_B, *TASK_C)
    first = await segment(day_1, Scripted([(1, 2), (3, 5)]), 1000, counter)
    second = await segment(
        day_2, Scripted([(1, 3), (4, 6)]), 1000, counter, _with_fingerprints(day_1, first)
    )
    before = [each.fingerprint for each in _with_fingerprints(day_1, first)]
    after = [each.fingerprint for each in _with_fingerprints(day_2, second)]
    assert after[:2] == before
    assert len(after) == 3
