"""Reading of a prompt: an order or a question; the asker's matter or not; now or once."""

import re

from anamnesis_libs.index.analysis import has_cjk, is_question
from anamnesis_libs.talk.phrases import pattern, says
from anamnesis_libs.talk.sentences import units_of
from anamnesis_libs.talk.topics import topics_of

MANNERS = ("norm", "reason", "attempt")
"""Manners of a question: it asks for a norm, for a reason, or for what was tried."""

PARTICULARS = (
    *("name", "blood", "colour", "star_sign", "clothing_size"),
    *("phone", "height", "weight", "birthday", "papers"),
    *("dues", "parking", "insurance", "degree"),
    *("vehicle", "instrument", "schooling"),
)
"""Particulars of a person that are told in few words only (`tells`)."""

RELATIVES = frozenset({"pets.pet"}) | frozenset(
    f"family.{tie}"
    for tie in (
        *("partner", "daughters", "sons", "mothers", "fathers", "sisters", "brothers"),
        *("in_laws", "relatives"),
    )
)
"""Relations of everyday life (`talk/topics.py`) that are ties to somebody, pets among them."""

_ASKS = re.compile("[?？]")
_FOR_ME = re.compile(
    r"[帮幫给給替教]我|告[诉訴]我|\b(?:to|for|give|tell|show|help|teach) me\b", re.IGNORECASE
)
"""For whom something is done, which is no word of their life."""

PROMPT_CHARS_MAX = 2_000
"""Of a longer prompt its beginning is read."""


def is_request(prompt: str) -> bool:
    """True where something is to be made, changed, written, planned or bought.

    What a Chinese prompt asks about may be named by the same word: 我的周末安排是什么.
    """
    read = prompt[:PROMPT_CHARS_MAX]
    return says("request", read) and not pattern("asks_what_is").search(read)


def matter_of(prompt: str) -> str:
    """A request without the words that any request has: 写一个, 今天, 计划."""
    told = pattern("request").sub(" ", prompt[:PROMPT_CHARS_MAX])
    return pattern("any_matter").sub(" ", told)


def is_about_caller(prompt: str) -> bool:
    """True where it speaks of the one who asks: I, my, we, 我."""
    return says("about_caller", prompt[:PROMPT_CHARS_MAX])


def asks_in_general(text: str) -> bool:
    """True for a question, or a task, of nobody's life: "How do I centre a box?", 什么是复利.

    That it is asked or done for the speaker makes it no matter of theirs: 帮我解释一下.
    """
    read = _FOR_ME.sub("", text[:PROMPT_CHARS_MAX])
    if is_about_caller(read):
        return False
    return says("asks_in_general", read) if has_cjk(read) else is_question(read) or is_request(read)


def relatives_asked_for(prompt: str) -> frozenset[str]:
    """The `RELATIVES` whom the one who asks calls theirs: my brother, 我姐姐."""
    owned = pattern("callers_own").findall(prompt[:PROMPT_CHARS_MAX])
    return topics_of(" ".join(owned)).relations & RELATIVES


def particulars_asked_for(prompt: str) -> tuple[str, ...]:
    """The `PARTICULARS` of themselves that the one who asks wants to hear."""
    read = prompt[:PROMPT_CHARS_MAX]
    return tuple(one for one in PARTICULARS if pattern(f"asks_{one}").search(read))


def asks_leave(prompt: str) -> bool:
    """True where it asks if something may or should be done."""
    return bool(pattern("asks_leave").search(prompt[:PROMPT_CHARS_MAX]))


def asks_advice(prompt: str) -> bool:
    """True where it asks what would suit: what is worth a try, a visit or a purchase."""
    return bool(pattern("asks_advice").search(prompt[:PROMPT_CHARS_MAX]))


def wants_likings(prompt: str) -> bool:
    """True where likings matter: it asks for advice, or for something to be made.

    What looks back ("Summarize what I learned", "What did you recommend?") wants what was said.
    """
    wants = asks_advice(prompt) or is_request(prompt)
    return wants and not pattern("looks_back").search(prompt[:PROMPT_CHARS_MAX])


def asks_what_was_said(question: str) -> bool:
    """True where all of a time is asked for ("What did we talk about?"), and nothing of it.

    `question` is left without the time that it names.
    """
    return bool(pattern("asks_what_was_said").search(question[:PROMPT_CHARS_MAX]))


def asks_for_last_talk(prompt: str) -> bool:
    """True where all of the talk before this one is asked for, or where it stopped."""
    read = prompt[:PROMPT_CHARS_MAX]
    return bool(pattern("asks_for_last_talk").search(read)) or asks_where_it_ended(prompt)


def asks_where_it_ended(prompt: str) -> bool:
    """True where it asks what was said last: "Where did we leave off?"."""
    return bool(pattern("asks_where_it_ended").search(prompt[:PROMPT_CHARS_MAX]))


def without_frame(prompt: str) -> str:
    """A question without the words that only lead to it: "Do you remember", 你还记得."""
    frame = pattern("frame").match(prompt)
    return prompt[frame.end() :] if frame else prompt


def asks_for_portrait(prompt: str) -> bool:
    """True where it asks who its asker is: "Who am I?", "What do you know about me?"."""
    return bool(pattern("asks_for_portrait").search(prompt[:PROMPT_CHARS_MAX]))


def asks_for_likes(prompt: str) -> bool:
    """True where it asks what somebody likes."""
    return bool(pattern("asks_for_likes").search(prompt[:PROMPT_CHARS_MAX]))


def asks_for_dislikes(prompt: str) -> bool:
    """True where it asks what somebody does not like, or keeps from."""
    return bool(pattern("asks_for_dislikes").search(prompt[:PROMPT_CHARS_MAX]))


def asks_for_changes(question: str) -> bool:
    """True where it asks what changed in its asker's life.

    `question` is left without the time that it names.
    """
    return bool(pattern("asks_for_changes").search(question[:PROMPT_CHARS_MAX]))


def asks_for_agenda(question: str) -> bool:
    """True where it asks what lies ahead of its asker: plans, appointments, what is due.

    `question` is left without the time that it names.
    """
    return bool(pattern("asks_for_agenda").search(question[:PROMPT_CHARS_MAX]))


def asks_what_is_on(question: str) -> bool:
    """True where it asks what lies ahead if it names a time: "What do I have", "Am I free".

    `question` is left without the time that it names.
    """
    return bool(pattern("asks_what_is_on").search(question[:PROMPT_CHARS_MAX]))


def asks_for_rules(prompt: str) -> bool:
    """True if a prompt asks for a rule that was laid down."""
    return bool(pattern("asks_for_rules").search(prompt[:PROMPT_CHARS_MAX]))


def is_about_agent(prompt: str) -> bool:
    """True where it speaks of the one who is asked: what you said, 你说的."""
    return bool(pattern("about_agent").search(prompt[:PROMPT_CHARS_MAX]))


def is_about_record(prompt: str) -> bool:
    """True if a prompt speaks of those who take part in the record: the user, the assistant."""
    return bool(pattern("about_record").search(prompt[:PROMPT_CHARS_MAX]))


def asks_of_person(prompt: str) -> bool:
    """True where it asks what a person said or wanted in what was recorded."""
    return bool(pattern("asks_of_person").search(prompt[:PROMPT_CHARS_MAX]))


def asks_for_beginning(prompt: str) -> bool:
    """True where it asks what came first in what was recorded."""
    return bool(pattern("asks_for_beginning").search(prompt[:PROMPT_CHARS_MAX]))


def asks_for_end(prompt: str) -> bool:
    """True where it asks what came last in what was recorded, or what was left."""
    return bool(pattern("asks_for_end").search(prompt[:PROMPT_CHARS_MAX]))


def asks_for_failure(prompt: str) -> bool:
    """True where it asks about something that went wrong."""
    return bool(pattern("asks_for_failure").search(prompt[:PROMPT_CHARS_MAX]))


def asks_for_command(prompt: str) -> bool:
    """True where it asks how something is run."""
    return bool(pattern("asks_for_command").search(prompt[:PROMPT_CHARS_MAX]))


def asks_steps(prompt: str) -> bool:
    """True where something is to be done, or its way or its steps are asked for; not advice."""
    return says("asks_how", prompt[:PROMPT_CHARS_MAX]) or (
        is_request(prompt) and not asks_advice(prompt)
    )


def asks_for_amount(prompt: str) -> bool:
    """True where it asks how many, how long or how large."""
    return bool(pattern("asks_for_amount").search(prompt[:PROMPT_CHARS_MAX]))


def tells_amount(line: str) -> bool:
    """True for a line with a number, in figures or in words."""
    return bool(pattern("tells_amount").search(line))


def asks_name_of_another(prompt: str) -> bool:
    """True where it asks how somebody or something else is called: the name of a book."""
    return bool(pattern("asks_name_of_another").search(prompt[:PROMPT_CHARS_MAX]))


def asks_for_the_past(prompt: str) -> bool:
    """True where it asks how things were, and not how they are.

    Of what is to be done only the request is read: a fault is told in the past.
    """
    read = prompt[:PROMPT_CHARS_MAX]
    if is_request(read) and not _ASKS.search(read):
        read = " ".join(unit.text for unit in units_of(read) if is_request(unit.text))
    return says("past", read)


def asks_for_history(prompt: str) -> bool:
    """True where it asks for all that held, one after the other: where one has lived."""
    return says("asks_for_history", prompt[:PROMPT_CHARS_MAX])


def manners_of(prompt: str) -> tuple[str, ...]:
    """The `MANNERS` that a prompt asks for."""
    read = prompt[:PROMPT_CHARS_MAX]
    return tuple(manner for manner in MANNERS if pattern(f"asks_{manner}").search(read))


def tells(manner: str, line: str) -> bool:
    """True for a line that tells something in a manner or a particular: a rule, an attempt."""
    return bool(pattern(f"tells_{manner}").search(line))
