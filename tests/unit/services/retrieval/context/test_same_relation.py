"""Contexts of chats with an agent: what a person told of the relation that they ask about."""

import pytest

from tests.support.small_memory import ASKED_AT, Said, SmallMemory

ASKED = [
    ("Can you explain how a heat pump works?", "A heat pump moves heat with a refrigerant."),
    ("What causes inflation?", "Too much money for too few goods."),
    ("Who painted Guernica?", "Pablo Picasso did."),
    ("How do I centre a box?", "With flexbox."),
]
CHATTER = [
    Said(text, f"2026-04-{1 + at % 28:02}", session=f"w{at}", role=role)
    for at in range(70)
    for text, role in zip(ASKED[at % 4], ("user", "assistant"), strict=True)
]
LIFE = [
    Said("Moved in! The boiler makes a racket.", "2026-05-02"),
    Said("Lovely, enjoy it.", "2026-05-02", role="assistant"),
    Said("my partner Ines is a translator", "2026-05-03"),
    Said("how do I get home from the station?", "2026-05-04"),
]


async def asked(question: str, *more: Said) -> str:
    return await SmallMemory(*CHATTER, *LIFE, *more).text(question, 200, ASKED_AT)


@pytest.mark.parametrize(
    ("question", "told"),
    [("Where do I live?", "Moved in!"), ("Am I married?", "Ines")],
)
async def test_it_is_told_though_no_word_is_shared(question: str, told: str) -> None:
    text = await asked(question)
    assert told in text
    assert "heat pump" not in text
    assert "station" not in text


async def test_what_nobody_told_is_not() -> None:
    assert await asked("Do I have a pet?") == ""


async def test_what_an_agent_says_far_from_the_prompt_is_left_out() -> None:
    """It stands beside a line that answers, and has nothing to do with it."""
    manager = Said("My manager at the depot is Shona, she runs the early shift.", "2026-05-06")
    reply = Said("The depot opens at six on most days.", "2026-05-06", role="assistant")
    text = await asked("Who is my manager at the depot, who runs the early shift?", manager, reply)
    assert "Shona" in text
    assert "opens at six" not in text


async def test_what_somebody_runs_is_what_they_do() -> None:
    studio = Said("Hey there, I run a small ceramics studio in Porto.", "2026-05-07")
    assert "ceramics" in await asked("What do I do?", studio)


async def test_a_name_holds_whatever_else_is_called_later() -> None:
    name = Said("Ada is Renata", "2026-01-03", role="", fact="ada is_named", value="Renata")
    later = Said("I'm seeing someone new, her name is Leonor.", "2026-05-08")
    assert "Renata" in await asked("What's my name?", name, later)


async def test_what_the_agent_answered_is_told_where_it_is_asked_for() -> None:
    back = Said("My back went out lifting clay, no lifting over 10 kg.", "2026-05-06", "b")
    reply = Said("Use a trolley.", "2026-05-06", "b", role="assistant")
    asked_for = await asked("What did you say about my back and lifting clay?", back, reply)
    assert "trolley" in asked_for
    assert "trolley" not in await asked("What about my back and lifting clay?", back, reply)


async def test_an_agents_courtesy_is_not_told() -> None:
    told = Said("Nora started at the Roundhay school on Monday.", "2026-05-06", "b")
    reply = Said("Good luck Nora.", "2026-05-06", "b", role="assistant")
    text = await asked("Which school did Nora start at?", told, reply)
    assert "Roundhay" in text
    assert "luck" not in text


async def test_a_few_words_that_answer_are_told() -> None:
    told = Said("Nora has packed lunch at the Roundhay school, any ideas?", "2026-05-06", "b")
    reply = Said("Wraps and packed lunch boxes for Nora.", "2026-05-06", "b", role="assistant")
    assert "Wraps" in await asked("What packed lunch did I ask for, for Nora?", told, reply)


async def test_a_relative_of_whom_nobody_spoke_is_not_made_up_of_others() -> None:
    nanny = Said("found a nanny, her name is Beatriz", "2026-05-06")
    assert await asked("What is my sister's name?", nanny) == ""
    assert "Beatriz" in await asked("What is the nanny's name?", nanny)


@pytest.mark.parametrize("question", ["Am I seeing anyone?", "What do I do for exercise?"])
async def test_what_is_told_in_other_words_of_the_relation(question: str) -> None:
    alone = Said("dev and i broke up, shifts were too much", "2026-05-06")
    runs = Said("did couch to 5k with a friend on tuesday", "2026-05-07")
    told = "broke up" if "seeing" in question else "5k"
    assert told in await asked(question, alone, runs)


async def test_who_asks_how_to_be_answered_hears_no_tasks() -> None:
    brief = Said("keep it brief from now on, please", "2026-05-06")
    task = Said("Explain compound interest to me please.", "2026-05-07")
    nuts = Said("I'm allergic to nuts.", "2026-05-08")
    text = await asked("How should you answer me?", brief, task, nuts)
    assert "brief" in text
    assert "compound" not in text
    assert "nuts" not in text


@pytest.mark.parametrize("prompt", ["Write a haiku about snow", "写一首关于雪的诗"])
async def test_a_task_hears_nothing_of_another(prompt: str) -> None:
    tasks = [
        Said("Write a short poem about autumn", "2026-05-06"),
        Said("写一首关于秋天的短诗", "2026-05-07"),
    ]
    assert await asked(prompt, *tasks) == ""


async def test_what_is_told_of_somebody_elses_job_replaces_no_job_of_mine() -> None:
    mine = Said("我在市图书馆上班", "2026-05-01", "a")
    nanny = Said("保姆不干了，辞职回老家", "2026-05-20", "b")
    text = await asked("我在哪里上班？", mine, nanny)
    assert "市图书馆" in text
    assert "之前" not in text
