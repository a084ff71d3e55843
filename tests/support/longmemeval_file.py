"""A small file of LongMemEval's format, made up: five questions with two or three sessions."""

import json
from pathlib import Path

Message = dict[str, object]
Element = dict[str, object]


def user(text: str) -> Message:
    """A message of the user."""
    return {"role": "user", "content": text}


def assistant(text: str) -> Message:
    """A message of the assistant."""
    return {"role": "assistant", "content": text}


def marked(message: Message) -> Message:
    """The message as one that holds the answer."""
    return {**message, "has_answer": True}


def element(
    question_id: str,
    question_type: str,
    asked: tuple[str, str | int],
    sessions: dict[str, tuple[str, list[Message]]],
    answer_sessions: list[str],
) -> Element:
    """One element of the list; `sessions` has each date and its messages by the session's id."""
    question, answer = asked
    return {
        "question_id": question_id,
        "question_type": question_type,
        "question": question,
        "answer": answer,
        "question_date": "2026/03/20 (Fri) 18:40",
        "haystack_session_ids": list(sessions),
        "haystack_dates": [date for date, _ in sessions.values()],
        "haystack_sessions": [messages for _, messages in sessions.values()],
        "answer_session_ids": answer_sessions,
    }


GARDEN = (
    "2026/03/02 (Mon) 09:15",
    [
        user("The tomatoes in my raised bed have yellow leaves. Should I water them less?"),
        assistant("Yellow lower leaves often mean too much water. Let the soil dry in between."),
    ],
)
TRAIN = (
    "2026/03/09 (Mon) 20:05",
    [
        user("How do I get from Gent to Utrecht by train on a Sunday?"),
        assistant("By way of Antwerp and Rotterdam; it takes about three and a half hours."),
    ],
)

KILN = element(
    "kiln",
    "single-session-user",
    ("Which glaze did I buy for my pottery course?", "a celadon glaze"),
    {
        "garden": GARDEN,
        "pottery": (
            "2026/03/05 (Thu) 19:30",
            [
                marked(user("For my pottery course I have bought a celadon glaze. How thick?")),
                assistant("About as thick as cream; two coats are enough."),
                user("Good, thanks."),
            ],
        ),
        "train": TRAIN,
    },
    ["pottery"],
)
CHOIR = element(
    "choir",
    "knowledge-update",
    ("On which evening does my choir rehearse?", "on Thursdays"),
    {
        # by date the second comes first, as in the files with the evidence alone
        "choir-new": (
            "2026/03/12 (Thu) 22:10",
            [
                marked(user("My choir now rehearses on Thursdays, no longer on Tuesdays.")),
                assistant("Noted: Thursdays from now on."),
            ],
        ),
        "choir-old": (
            "2026/02/03 (Tue) 22:20",
            [
                marked(user("My choir rehearses on Tuesdays. Which warm-up is good for basses?")),
                assistant("Humming down a scale, slowly."),
            ],
        ),
        "garden": GARDEN,
    },
    ["choir-old", "choir-new"],
)
MARATHON = element(
    "marathon",
    "temporal-reasoning",
    ("How many days passed between my half marathon and my knee appointment?", 6),
    {
        "run": (
            "2026/03/01 (Sun) 15:00",
            [marked(user("I ran my half marathon this morning!")), assistant("Congratulations!")],
        ),
        "knee": (
            "2026/03/07 (Sat) 11:00",
            [
                marked(user("I had the appointment for my knee today; it is only strained.")),
                assistant("Good news. Rest it for two weeks."),
            ],
        ),
        "train": TRAIN,
    },
    ["run", "knee"],
)
TEA = element(
    "cha",
    "single-session-user",
    ("我妈妈喜欢喝什么茶？", "桂花乌龙茶"),
    {
        "tea": (
            "2026/03/04 (Wed) 10:00",
            [
                marked(user("下周是我妈妈的生日，她最喜欢喝桂花乌龙茶，送什么茶具好？")),
                assistant("一套白瓷盖碗很合适。"),
            ],
        ),
        "bike": (
            "2026/03/08 (Sun) 08:00",
            [user("自行车的链条总是掉，怎么办？"), assistant("先检查后拨的位置。")],
        ),
    },
    ["tea"],
)
VIOLIN = element(
    "violin_abs",
    "single-session-user",
    ("What is the name of my violin teacher?", "The user never spoke of a violin teacher."),
    {"garden": GARDEN, "train": TRAIN},
    ["garden"],
)
ELEMENTS = (KILN, CHOIR, MARATHON, TEA, VIOLIN)


def write_file(path: Path, *elements: Element) -> Path:
    """A file with these questions; all of them where none is named."""
    path.write_text(json.dumps(elements or ELEMENTS, ensure_ascii=False), encoding="utf-8")
    return path
