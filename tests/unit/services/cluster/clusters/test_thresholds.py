"""Tests of thresholds.py: by model, and what the settings state goes first."""

from anamnesis_cluster.clusters.thresholds import UNKNOWN, Thresholds, thresholds_of
from anamnesis_libs.settings import Clusters

STATIC = "wordllama-l2-supercat-256:64b47a2dc493cb8e"


def test_a_model_that_was_measured_has_its_own() -> None:
    assert thresholds_of(STATIC, Clusters()) == Thresholds(join=0.45, link=0.18)
    assert thresholds_of("another:1", Clusters()) == UNKNOWN


def test_settings_go_first() -> None:
    stated = Clusters(join_cosine_min=0.6)
    assert thresholds_of(STATIC, stated) == Thresholds(join=0.6, link=0.18)
    assert thresholds_of("", Clusters(link_cosine_min=0.2)).link == 0.2
