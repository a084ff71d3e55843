"""What holds until a day that is ahead, as it is told: an interview, a lease, a leave."""

import pytest

from tests.support.english_talk import claims_of


@pytest.mark.parametrize(
    ("text", "predicate", "until"),
    [
        ("I have a job interview at Halden tomorrow.", "has", "2024-05-17"),
        ("I have an eye exam on Friday.", "has", "2024-05-18"),
        ("My flight is at 6:40 am on Thursday.", "flight", "2024-05-16"),
        ("I'm on sabbatical until August.", "is", "2024-09-01"),
        ("My passport expires in May 2027.", "passport_expires", "2027-06-01"),
        ("My visa runs out in September.", "visa_expires", "2024-10-01"),
        ("My taxes are due on June 15.", "taxes_due", "2024-06-16"),
        ("My surgery is scheduled for June 12.", "surgery", "2024-06-13"),
        ("My probation ends next month.", "probation_expires", "2024-07-01"),
        ("We're expecting a baby girl in August.", "expects", "2024-09-01"),
        ("We move to Graz on June 1.", "plans", "2024-06-02"),
    ],
)
def test_it_holds_until_then(text: str, predicate: str, until: str) -> None:
    (found,) = [each for each in claims_of([text]) if each.predicate == predicate]
    assert found.until is not None
    assert (found.until.date().isoformat(), found.ended) == (until, False)


@pytest.mark.parametrize(
    "text",
    [
        "I have asthma.",
        "I had to have a knee surgery in March.",
        "I play tennis every Saturday.",
        "I have choir practice on Thursdays.",
    ],
)
def test_what_names_no_day_ahead_has_no_end_ahead(text: str) -> None:
    assert all(each.until is None for each in claims_of([text]) if not each.ended)


def test_a_rent_in_figures_is_no_year() -> None:
    (found,) = claims_of(["My landlord is raising the rent to 1500."])
    assert found.statement == "Mara's landlord is raising the rent to 1500"


def test_the_decade_of_a_name_stays_with_it() -> None:
    (found,) = claims_of(["I'm working on a novel set in 1920s Trieste."])
    assert found.statement == "Mara is working on a novel set in 1920s Trieste"
