"""What the parser is given: no runs that its tokenizer chokes on."""

import pytest

from anamnesis_ingestion.learning.english.cleaning import SENTENCE_CHARS_MAX, cleaned


@pytest.mark.parametrize("run", ["(" * 16_000, "a" * 5_000, "." * 90])
def test_a_long_run_without_a_blank_goes(run: str) -> None:
    assert cleaned(f"I live {run} in Rome.") == "I live in Rome."


def test_a_long_sentence_is_cut() -> None:
    assert len(cleaned("I like tea and " * 500)) <= SENTENCE_CHARS_MAX


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("I’m here", "I'm here"),
        ("**Never** use tabs", "Never use tabs"),
        ("im a nurse", "I'm a nurse"),
        ("We're-we're late, y'know", "We're late,"),
        ("a win-win", "a win-win"),
        ("that one time…she ran", "that one time, she ran"),
        ("see https://example.com/a?b=c now", "see now"),
        ("It turns out I row", "I row"),
        ("I row, as it turns out.", "I row."),
    ],
)
def test_talk_is_spelled_as_the_parser_knows_it(said: str, read: str) -> None:
    assert cleaned(said) == read
