"""A few hundred hostile inputs to a suite of its own: none is answered with a fault of it."""

from pathlib import Path

import pytest

from benchmarks.hostile.run import Attack, attacked
from tests.support.processes import start

SETTINGS = {"ANAMNESIS_MODELS__EMBEDDER": "static", "ANAMNESIS_LOG__LEVEL": "warning"}
FEW = Attack(calls=300, imports=60, tokens=100, worked_on=False)


@pytest.mark.long
@pytest.mark.timeout(180)
async def test_no_input_is_answered_with_a_fault_of_the_suite(data_dir: Path) -> None:
    suite = start(data_dir, settings=SETTINGS)
    try:
        tally, paged = await attacked(suite.address, FEW, ("calls", "imports", "tokens"))
        assert tally.faults == []
        kinds = {kind for kind, _ in tally.codes}
        assert {"mutated call", "broken import", "forged page token"} <= kinds
        assert tally.codes["read of an import", "OK"] > 0, "some imports are good enough"
        assert paged > 5
    finally:
        assert suite.stop() == 0, "".join(suite.output)
