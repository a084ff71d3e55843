"""Rules and constraints that come unasked, and when they do not."""

import pytest

from anamnesis_retrieval.context.model import CitationReason, Empty
from anamnesis_retrieval.context.packing import STANDING_SHARE
from tests.support.small_memory import ASKED_AT, Said, SmallMemory

PNPM = Said("We use pnpm here, never npm.", "2026-01-05", "a")
NUTS = Said("By the way, I'm allergic to walnuts. The weather is fine.", "2026-01-06", "b")
SHORT = Said("From now on, keep your answers short.", "2026-01-07", "c")
CHAT = Said("The concert on Sunday was loud.", "2026-01-08", "d")
CHATTER = [Said(f"Module {at} of the depot is painted.", "2026-04-01") for at in range(110)]
MEMORY = SmallMemory(PNPM, NUTS, SHORT, CHAT)
CHINESE = SmallMemory(
    Said("我对花生过敏。", "2026-01-05", "a"),
    Said("以后回答请简短一点。", "2026-01-06", "b"),
    Said("周末去听了音乐会。", "2026-01-07", "c"),
)
REVIEWED = SmallMemory(
    Said("迁移文件必须老何看过才能合。", "2026-01-05", "a"),
    Said("周末去听了音乐会。", "2026-01-06", "b"),
)


@pytest.mark.parametrize(
    ("memory", "request_", "told", "not_told"),
    [
        (MEMORY, "Install a date library.", ["pnpm", "short"], ["walnuts", "concert"]),
        (MEMORY, "Suggest a dessert for tonight.", ["walnuts", "short"], ["pnpm", "concert"]),
        (REVIEWED, "写一个给司机表加字段的迁移", ["老何"], ["音乐会"]),
        (CHINESE, "推荐一家餐厅", ["花生", "简短"], ["音乐会"]),
    ],
)
async def test_a_request_hears_what_stands_of_its_matter(
    memory: SmallMemory, request_: str, told: list[str], not_told: list[str]
) -> None:
    context = await memory.context(request_)
    lines = context.text.split("\n")
    assert lines[1] == "Standing"
    assert all(word in context.text for word in told)
    assert not any(word in context.text for word in not_told)
    assert {one.reason for one in context.citations} == {CitationReason.STANDING}


async def test_of_what_stands_the_sentences_are_told_that_lay_something_down() -> None:
    text = await MEMORY.text("Suggest a dessert for tonight.")
    assert "allergic to walnuts." in text
    assert "weather" not in text


async def test_what_was_laid_down_twice_in_the_same_words_is_told_once() -> None:
    again = Said(PNPM.text, "2026-01-09", "e")
    text = await SmallMemory(PNPM, again, CHAT).text("Install a date library.")
    assert text.count("pnpm") == 1


@pytest.mark.parametrize(
    "prompt",
    [
        "Thanks!",
        "好的",
        "What is the boiling point of nitrogen?",
        "Who wrote Hamlet?",
        "How was the concert on Sunday?",
        "珠穆朗玛峰多高？",
    ],
)
@pytest.mark.parametrize("memory", [MEMORY, CHINESE])
async def test_talk_and_general_questions_hear_nothing_of_it(
    memory: SmallMemory, prompt: str
) -> None:
    context = await memory.context(prompt)
    assert "Standing" not in context.text
    assert context.text == "" or "concert" in prompt


async def test_who_asks_leave_hears_what_stands_of_the_matter() -> None:
    text = await MEMORY.text("Can I eat these cookies?")
    assert text.startswith("Standing\n")
    assert "walnuts" in text
    assert "pnpm" not in text


async def test_who_asks_for_rules_hears_all() -> None:
    text = await MEMORY.text("What rules did we lay down?")
    assert text.startswith("Standing\n")
    assert all(word in text for word in ("walnuts", "pnpm", "short"))


async def test_what_an_assistant_promised_does_not_stand() -> None:
    memory = SmallMemory(Said("I'll always keep my answers short.", role="assistant"), CHAT)
    context = await memory.context("Write a poem.")
    assert context.empty is Empty.NOTHING_RELEVANT


async def test_what_stands_leaves_room_for_the_answer() -> None:
    """In a part of the budget, as long as there is an answer too."""
    rules = [
        Said(
            f"Never deploy the {word} service before noon, ask the {word} team first.", "2026-01-05"
        )
        for word in ("billing", "search", "mail", "login", "image", "video", "chat", "report")
    ]
    answer = Said("The deploy script for the server lives in tools/ship.sh.", "2026-01-06", "t")
    memory = SmallMemory(*rules, answer)
    context = await memory.context("Deploy the server with the deploy script.", 150)
    standing = [one for one in context.citations if one.reason is CitationReason.STANDING]
    assert standing
    assert sum(one.token_count for one in standing) <= STANDING_SHARE * 150
    assert "tools/ship.sh" in context.text
    assert context.left_out > 0
    alone = await SmallMemory(*rules).context("Deploy the server.", 150)
    assert sum(one.token_count for one in alone.citations) > STANDING_SHARE * 150


CROWD = [
    Said(f"The {word} job runs at {hour} every day.", "2026-01-02", f"s{hour}")
    for hour in range(24)
    for word in ("billing", "search", "mail", "image", "video")
]
MANY = SmallMemory(
    PNPM,
    NUTS,
    SHORT,
    Said("Raise the alarm with the order id, billing never gets no answer.", "2026-01-03", "o"),
    Said("Never deploy on Fridays.", "2026-01-04", "f"),
    *CROWD,
)


async def test_among_many_memories_a_rule_is_told_that_is_near_the_prompt() -> None:
    """A long description of a fault is of most matters of software at once."""
    text = await MANY.text("Deploy the server.")
    assert "Fridays" in text
    assert "pnpm" not in text
    fault = "The server crashed and the test build broke the git branch; fix the cache bug."
    text = await MANY.text(fault)
    assert not any(word in text for word in ("Fridays", "pnpm", "order id"))
    assert "short" in text


async def test_among_many_memories_a_constraint_of_life_is_told_by_its_matter() -> None:
    assert "walnuts" in await MANY.text(
        "Plan a big birthday party with cake for my friends at home."
    )


async def test_an_amendment_is_told_whole() -> None:
    amendment = Said(
        "An update to the install policy we settled. Yarn is fine again.", "2026-02-01"
    )
    text = await SmallMemory(PNPM, amendment, CHAT).text("Install a date library.")
    assert "policy" in text
    assert "Yarn" in text


async def test_a_rule_of_one_kind_of_question_comes_with_such_questions_only() -> None:
    rule = Said("Always include version numbers when I ask about libraries.", "2026-01-05", "a")
    memory = SmallMemory(rule, NUTS, CHAT)
    told = await memory.text("Which libraries have version numbers?")
    assert told.split("\n")[0] == "Standing"
    assert "version numbers when I ask" in told
    for prompt in ("Suggest a dessert for tonight.", "Which concert was loud?", "Thanks!"):
        assert "version numbers" not in await memory.text(prompt)
    chinese = SmallMemory(
        Said("以后我问到依赖库的时候，一律写上版本号。", "2026-01-05", "a"),
        Said("周末去听了音乐会。", "2026-01-06", "b"),
    )
    assert "版本号" in await chinese.text("这个项目用了哪些依赖库？")
    assert "版本号" not in await chinese.text("推荐一家餐厅")


async def test_what_is_to_be_instead_is_told_with_what_it_is_instead_of() -> None:
    line = Said("Drop the queue, one job needs none. Use a timer instead.", "2026-01-09", "e")
    text = (await SmallMemory(line, CHAT).brief()).text
    assert "Standing\nuser: Drop the queue, one job needs none. Use a timer instead." in text


async def test_a_question_hears_no_rule_just_because_it_stands() -> None:
    rules = [
        Said("Please always give me metric units.", "2026-05-01"),
        Said("I'm allergic to eggs.", "2026-05-02"),
    ]
    physio = Said("The physio, Ms Lund, says it is a disc.", "2026-05-03")
    text = await SmallMemory(*CROWD, *rules, physio).text("Who is Ms Lund?", 300)
    assert "Ms Lund" in text
    assert "metric" not in text
    assert "eggs" not in text


@pytest.mark.parametrize(
    ("said", "day", "stands"),
    [
        ("I broke my wrist, I can't lift a thing.", "2026-05-10", True),
        ("I broke my wrist, a cast for six weeks.", "2026-01-10", False),
        ("I have a bad knee.", "2026-01-10", True),
        ("I'm pregnant!", "2026-01-10", True),
        ("I'm pregnant!", "2025-01-10", False),
        ("I'm pregnant and allergic to nuts.", "2025-01-10", True),
        ("I'm allergic to pulled pork.", "2025-01-10", True),
    ],
)
async def test_what_heals_stands_for_its_time(said: str, day: str, *, stands: bool) -> None:
    memory = SmallMemory(Said(said, day), SHORT)
    text = await memory.text(
        "Plan a workout for my wrist and knee, pregnant or not.", 200, ASKED_AT
    )
    assert (said.split(".")[0] in text.partition("Standing")[2].partition("January")[0]) is stands


async def test_somebody_elses_health_is_no_matter_of_ones_own() -> None:
    memory = SmallMemory(
        *CHATTER,
        Said("jude's been diagnosed with asthma", "2026-05-10"),
        Said("i'm allergic to penicillin, by the way", "2026-05-11"),
    )
    text = await memory.text("Plan what I should ask my doctor for my cough.", 200, ASKED_AT)
    assert "penicillin" in text
    assert "jude" not in text


@pytest.mark.parametrize(
    "prompt",
    [
        "Plan what medicine I should give my son.",
        "Plan what medicine I should give Jude.",
    ],
)
async def test_the_health_of_whom_is_asked_about_is_told(prompt: str) -> None:
    memory = SmallMemory(
        *CHATTER, Said("jude's ill, and he's allergic to penicillin", "2026-05-10")
    )
    assert "penicillin" in await memory.text(prompt, 200, ASKED_AT)


async def test_at_a_party_counts_what_any_of_the_family_may_not_eat() -> None:
    memory = SmallMemory(
        *CHATTER,
        Said("my son is allergic to nuts", "2026-05-10"),
        Said("dad had a fall and broke his hip", "2026-05-11"),
    )
    text = await memory.text("Plan a birthday for my daughter.", 200, ASKED_AT)
    assert "nuts" in text
    assert "hip" not in text
