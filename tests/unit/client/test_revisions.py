"""Revisions: the latest of one's own writes, for each namespace."""

from anamnesis_client.revisions import Revisions


def test_the_latest_is_kept_whatever_comes_last() -> None:
    revisions = Revisions()
    for revision in ("a-9", "a-f", "a-a", "a-10", ""):
        revisions.wrote("app", revision)
    assert (revisions.of("app"), revisions.of("other")) == ("a-10", "")


def test_a_namespace_that_was_made_anew_begins_anew() -> None:
    revisions = Revisions()
    revisions.wrote("app", "a-9")
    revisions.wrote("app", "b-1")
    assert revisions.of("app") == "b-1"
    revisions.drop("app")
    assert revisions.of("app") == ""
