"""What a context says, and in which order."""

import json

import pytest

from anamnesis_retrieval.context.model import CitationReason, Empty, Format
from tests.support.small_memory import Said, SmallMemory

LISBON = Said("We live in Lisbon, near the river.", "2025-12-05", "a")
PORTO = Said("We moved to Porto in March.", "2026-03-20", "b")
HOMES = SmallMemory(LISBON, Said("Got it.", "2025-12-05", "a", "assistant"), PORTO)


async def test_the_newest_day_comes_first_and_the_year_stands_where_it_changes() -> None:
    memory = SmallMemory(
        Said("The garden has roses.", "2025-12-05", "a"),
        Said("The garden has olives.", "2025-12-30", "b"),
        Said("The garden has figs.", "2026-01-02", "c"),
        Said("The garden has plums.", "2026-01-02", "c", "assistant"),
        Said("The garden has a wall."),
    )
    assert await memory.text("What has the garden?") == (
        "2 January 2026\nuser: The garden has figs.\nassistant: The garden has plums.\n"
        "30 December 2025\nuser: The garden has olives.\n"
        "5 December\nuser: The garden has roses.\n"
        "Undated\nuser: The garden has a wall."
    )


async def test_asked_about_the_past_the_oldest_comes_first() -> None:
    text = await HOMES.text("Where did we live before Porto?")
    assert text.index("Lisbon") < text.index("moved to Porto")
    assert "before," not in text, "nothing is folded away"


async def test_days_of_a_chinese_prompt_are_chinese() -> None:
    memory = SmallMemory(
        Said("我们家的猫叫团子。", "2025-12-05", "a"), Said("团子今天洗澡了。", "2026-01-02", "b")
    )
    lines = (await memory.text("团子是谁的猫？")).split("\n")
    assert lines[0] == "2026年1月2日"
    assert lines[2] == "2025年12月5日"


async def test_what_was_replaced_is_folded_under_what_replaced_it() -> None:
    assert await HOMES.text("Where do I live?") == (
        "20 March 2026\nuser: We moved to Porto in March.\n"
        "  before, 5 December 2025: We live in Lisbon, near the river."
    )
    reasons = [one.reason for one in (await HOMES.context("Where do I live?")).citations]
    assert reasons == [CitationReason.ANSWERS, CitationReason.BEFORE]


async def test_what_was_said_in_the_session_that_asks_is_left_out_where_it_asks_for_that() -> None:
    context = await HOMES.context("Where do I live?", own_session="b")
    assert "Lisbon" in context.text
    assert "Porto" not in context.text
    own = SmallMemory(PORTO)
    assert (await own.context("Where do I live?", own_session="b")).text == ""


async def test_what_also_says_something_that_holds_stays_a_line_of_its_own() -> None:
    memory = SmallMemory(
        Said("We live in Lisbon. The cello lessons cost 40 euros.", "2025-12-05", "a"), PORTO
    )
    text = await memory.text("Where do I live?")
    assert "\nuser: We live in Lisbon." in text
    assert text.index("Porto") < text.index("Lisbon")


async def test_an_older_line_replaces_nothing_newer_and_another_person_nothing() -> None:
    older = SmallMemory(Said(PORTO.text, "2025-01-01", "a"), Said(LISBON.text, "2026-01-01", "b"))
    assert "before" not in await older.text("Where do I live?")
    other = SmallMemory(LISBON, Said(PORTO.text, "2026-03-20", "b", "assistant"))
    assert "before" not in await other.text("Where do I live?")


async def test_of_facts_of_one_subject_and_predicate_the_superseded_is_folded() -> None:
    line, other = "user\nlives_in", "bo\nlives_in"
    memory = SmallMemory(
        Said("The user lives in Lisbon", "2026-02-01", fact=line, superseded=True, role=""),
        Said("The user lives in Porto", "2026-03-01", fact=line, role=""),
        Said(
            "Bo lives in Lisbon with the user", "2026-01-01", fact=other, superseded=True, role=""
        ),
    )
    lines = (await memory.text("Where does everybody live?")).split("\n")
    assert lines[1].endswith("The user lives in Porto")
    assert lines[2] == "  before, 1 February: The user lives in Lisbon"
    assert lines[4].endswith("Bo lives in Lisbon with the user")


async def test_json_folds_too() -> None:
    context = await HOMES.context("Where do I live?", written=Format.JSON)
    (line,) = context.text.split("\n")[1:-1]
    held = json.loads(line)
    assert (held["date"], held["text"]) == ("2026-03-20", PORTO.text)
    assert held["before"][0]["text"] == LISBON.text


async def test_an_acknowledgement_takes_no_room() -> None:
    memory = SmallMemory(
        Said("The rent is 900 euros."),
        Said("Thanks! The rent, noted. Great.", role="assistant"),
        Said("Ok, the rent.", role="assistant"),
        Said("Got it, thank you!", role="assistant"),
    )
    text = await memory.text("How much is the rent?")
    assert "900" in text
    assert "Got it" not in text
    assert "Great" not in text


async def test_a_marker_and_an_announcement_never_stand_in_a_context() -> None:
    memory = SmallMemory(
        Said("[Request interrupted by user] in tests of the parser"),
        Said("Let me check the tests of the parser.", role="assistant"),
        Said(
            "Let me run the tests of the parser. The tests of the parser fail on tabs.",
            role="assistant",
        ),
        Said("Let me run the tests of the parser, it is my turn."),
    )
    text = await memory.text("Which tests of the parser fail?")
    assert "interrupted" not in text
    assert "check the tests" not in text
    assert "\nassistant: The tests of the parser fail on tabs." in text
    assert "it is my turn" in text, "a person's line says what the person does"


async def test_a_short_answer_brings_its_question() -> None:
    memory = SmallMemory(
        Said("Hello there."),
        Said("Nice weather. What is your favourite colour?", role="assistant"),
        Said("Teal."),
        Said("The boat leaves at nine."),
    )
    context = await memory.context("teal")
    assert context.text.split("\n")[2:-1] == [
        "assistant: What is your favourite colour?",
        "user: Teal.",
        "user: The boat leaves at nine.",
    ]
    assert [one.reason for one in context.citations][:2] == [
        CitationReason.ASKED,
        CitationReason.ANSWERS,
    ]


async def test_a_long_answer_and_a_question_that_is_shown_itself_bring_none() -> None:
    memory = SmallMemory(
        Said("Which teal paint is the best?", role="assistant"),
        Said("Teal."),
    )
    reasons = [one.reason for one in (await memory.context("teal")).citations]
    assert reasons == [CitationReason.ANSWERS, CitationReason.ANSWERS]
    memory = SmallMemory(
        Said("Which colour is the best?", role="assistant"),
        Said("Teal for the kitchen, white for every other room of the old house."),
    )
    assert [one.reason for one in (await memory.context("teal kitchen")).citations] == [
        CitationReason.ANSWERS
    ]


FILLING = "The harbour was quiet that day and the boats lay still. " * 30


async def test_a_row_of_a_table_brings_its_header() -> None:
    table = "| name | due |\n|---|---|\n| Ada | May |\n| Bo | June |\n| Cleo | July |"
    memory = SmallMemory(Said(f"{FILLING}\n\n{table}\n\n{FILLING}", role=""))
    text = await memory.text("when is Bo due in June", 120)
    assert text.index("| name | due |") < text.index("| Bo | June |")


async def test_an_item_of_a_list_brings_the_line_that_ends_in_a_colon() -> None:
    memory = SmallMemory(Said(f"{FILLING}\nTo be packed:\n- a torch\n- a violin\n\n{FILLING}"))
    text = await memory.text("the violin", 90)
    assert text.index("To be packed:") < text.index("- a violin")
    assert "…" in text


@pytest.mark.parametrize("budget", range(40, 700, 60))
async def test_a_long_memory_fills_the_budget_and_never_falls_out(budget: int) -> None:
    memory = SmallMemory(Said(f"{FILLING}\n- a violin\n\n{FILLING}\n| Bo | June |\n"))
    context = await memory.context("the violin of Bo", budget)
    assert budget * 0.6 < context.token_count <= budget
    assert "- a violin" in context.text


async def test_gaps_are_marked_and_sentences_whole() -> None:
    memory = SmallMemory(Said(f"The anchor is rusty. {FILLING}The violin is new. {FILLING}"))
    text = await memory.text("violin anchor", 90)
    shown = text.split(": ", 1)[1]
    assert {"The anchor is rusty.", "The violin is new."} <= {
        f"{one.strip(' …')}." for one in shown.split(".")
    }
    assert shown.endswith("…")


@pytest.mark.parametrize(
    ("memory", "query", "budget", "why"),
    [
        (SmallMemory(), "Where do I live?", 300, Empty.NOTHING_VISIBLE),
        (HOMES, "What is the speed of light?", 300, Empty.NOTHING_RELEVANT),
        (HOMES, "Thanks!", 300, Empty.NOTHING_RELEVANT),
        (HOMES, "Where do I live?", 12, Empty.BUDGET_TOO_SMALL),
        (HOMES, "Where do I live?", 300, Empty.NOT),
    ],
)
async def test_an_empty_context_says_why(
    memory: SmallMemory, query: str, budget: int, why: Empty
) -> None:
    context = await memory.context(query, budget)
    assert context.empty is why
    assert bool(context.text) is (why is Empty.NOT)
    assert bool(context.left_out) is (why is Empty.BUDGET_TOO_SMALL)


async def test_pointers_stand_in_the_text_where_they_are_asked_for() -> None:
    memory = SmallMemory(Said("The rent is 900 euros.", pointer="§ W-001/R-002/D-003"))
    asked = await memory.context("the rent", pointers=True)
    assert "\n[§ W-001/R-002/D-003] user: The rent is 900 euros." in asked.text
    plain = await memory.context("the rent")
    assert "§" not in plain.text
    assert plain.citations[0].pointer == "§ W-001/R-002/D-003"
    assert "[m000] user: " in (await HOMES_OF_ONE.context("rent", pointers=True)).text


HOMES_OF_ONE = SmallMemory(Said("The rent is 900 euros."))


async def test_a_reader_is_told_what_not_to_rely_on() -> None:
    memory = SmallMemory(Said("The rent is 900 euros.", name="Bo", caveats=("retracted",)))
    assert "Bo, retracted: The rent is 900 euros." in await memory.text("the rent")


async def test_what_is_left_of_a_budget_takes_in_what_a_person_said_in_a_small_memory() -> None:
    memory = SmallMemory(
        Said("My boat is a ketch called Halcyon."),
        Said("It leaves at nine.", role="assistant"),
        Said("The cherries are ripe again this week."),
        Said("We painted the shed last autumn."),
    )
    whole = await memory.context("What is my boat called?")
    assert "cherries" in whole.text
    assert "shed" in whole.text
    small = await memory.context("What is my boat called?", budget=40)
    assert "Halcyon" in small.text
    assert "shed" not in small.text
    assert small.left_out == 1


async def test_a_named_day_brings_what_was_said_on_it_though_no_word_is_shared() -> None:
    memory = SmallMemory(
        Said("The cello lesson was hard.", "2026-05-01", "a"),
        Said("I lost my keys in the tram.", "2026-05-02", "b"),
        Said("The roses are open.", "2026-06-03", "c"),
    )
    text = await memory.text("What did I tell you on May 2nd?", budget=32)
    assert "keys" in text
    assert "roses" not in text


async def test_of_rules_in_one_line_those_that_fit_are_told() -> None:
    rules = Said(
        "Never serve me anything with hazelnuts, almonds or walnuts, not even as a garnish. "
        "Always keep the kitchen door shut while the ovens are on, because of the smoke alarm. "
        "Never use the blue pans for fish, they are kept for desserts and for nothing else.",
        "2026-01-02",
        "a",
        category="constraint",
    )
    dinners = [
        Said(f"Dinner {number} for six was planned by the cook.", "2026-01-03", "b")
        for number in range(12)
    ]
    assert "hazelnuts" in await SmallMemory(rules, *dinners).text("Plan a dinner for six.", 80)
    assert "hazelnuts" in (await SmallMemory(rules).brief(120)).text
