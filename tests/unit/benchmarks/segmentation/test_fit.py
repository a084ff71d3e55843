"""The weights that are shipped are those that the fit gives."""

import numpy as np
import pytest

from anamnesis_ingestion.segmentation.local import THRESHOLD, WEIGHTS
from benchmarks.segmentation import fit


def test_the_conversations_to_fit_on_are_read() -> None:
    talks = list(fit.tuning())
    assert len(talks) == 12
    assert all(starts[0] == 0 for _, starts in talks)
    assert sum(len(starts) for _, starts in talks) == 30
    assert talks[0][0][0].content == "Which port does Postgres use by default?"


@pytest.mark.long
async def test_the_shipped_weights_are_the_fitted_ones() -> None:
    weights = fit.fit(*await fit.turns())
    shipped = np.array([*fit.values(WEIGHTS), -THRESHOLD])
    assert np.abs(weights - shipped).max() < 0.06
