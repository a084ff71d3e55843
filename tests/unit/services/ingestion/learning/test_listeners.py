"""Who is spoken to: the other of two, whoever answers, and nobody where an agent takes part."""

from anamnesis_ingestion.learning.listeners import listeners


def test_of_two_people_one_speaks_to_the_other() -> None:
    assert listeners(["Ann", "Ann", "Bo", "Ann"]) == ["Bo", "Bo", "Ann", "Bo"]


def test_of_three_it_is_the_one_who_speaks_before_and_after() -> None:
    assert listeners(["Ann", "Bo", "Ann", "Cy", "Bo"]) == ["Bo", "Ann", "", "", "Cy"]


def test_alone_or_with_an_agent_nobody_is_known_to_listen() -> None:
    assert listeners(["Ann", "Ann"]) == ["", ""]
    assert listeners(["Ann", "", "Bo"]) == ["", "", ""]
    assert listeners([]) == []
