"""Tests of labels.py: the words that set topics apart, in English and Chinese."""

import random

from anamnesis_cluster.clusters.labels import labels
from anamnesis_cluster.model import Lesson

PROBES = (
    "The liveness probe called the database and restarted every pod.",
    "Readiness probes must turn false before the server stops.",
    "A slow pod needs a startup probe; its liveness check killed it.",
    "Pods stayed unready as the probe hit another port.",
)
INVOICES = (
    "Book the invoice in the month of delivery.",
    "Check the tax number before an invoice is sent.",
    "Duplicate invoices: match on supplier, tax number and amount.",
)
REFUNDS = (
    "客户要求退款时先查订单状态。",
    "退款超过五百元需要主管审批，不要向客户承诺时间。",
    "跨境订单的退款按付款当天的汇率。",
)


def lessons(*texts: str) -> list[Lesson]:
    return [Lesson(f"{place}-{text[:9]}", "shared", text) for place, text in enumerate(texts)]


TOPICS = {"p": lessons(*PROBES), "i": lessons(*INVOICES), "r": lessons(*REFUNDS)}


def test_words_that_several_members_and_no_others_say() -> None:
    found = labels(TOPICS, TOPICS)
    assert found["p"] == "probe, pod, liveness"
    assert found["i"] == "invoice, number, tax"
    assert found["r"] == "退款, 客户, 订单"


def test_the_order_of_lessons_does_not_matter() -> None:
    for seed in range(5):
        shuffled = {
            topic_id: random.Random(seed).sample(each, len(each))
            for topic_id, each in TOPICS.items()
        }
        assert labels(shuffled, {"p", "r"}) == {
            topic_id: label for topic_id, label in labels(TOPICS, TOPICS).items() if topic_id != "i"
        }


def test_what_one_lesson_says_alone_is_in_no_label_of_several() -> None:
    found = labels({"p": lessons("a probe called zanzibar", *PROBES), "i": TOPICS["i"]}, {"p"})
    assert "zanzibar" not in found["p"]


def test_where_nothing_sets_a_topic_apart_it_is_named_after_its_oldest_lesson() -> None:
    alone = Lesson("0", "shared", "text", title="Turn on WAL")
    assert labels({"a": [alone], "p": TOPICS["p"]}, {"a"}) == {"a": "Turn on WAL"}
    apart = [alone, Lesson("1", "shared", "something else")]
    assert labels({"a": apart}, {"a"}) == {"a": "Turn on WAL"}


def test_tools_and_their_fields_name_no_topic() -> None:
    pushes = lessons(
        *(
            f"fatal: {name} has no upstream branch\ncommand=git push, description=Run push\n"
            f"Bash: command=git push -u origin {name}, timeout=9"
            for name in ("kiln", "loom", "vane")
        )
    )
    words = labels({"g": pushes, "p": TOPICS["p"]}, {"g"})["g"].split(", ")
    assert {"push", "branch"} < {*words}
    assert not {"bash", "command", "fatal", "run", "timeout"} & {*words}


def test_the_folders_in_which_files_lie_name_no_topic() -> None:
    edits = lessons(
        "In `/srv/mara/berthplan/src/tides.py` inject the clock.",
        "Edit: /srv/mara/berthplan/tests/test_tides.py with a clock of its own",
        "In `C:\\mara\\berthplan\\src\\tides.py` read the clock once.",
    )
    label = labels({"e": edits, "i": TOPICS["i"]}, {"e"})["e"]
    assert "clock" in label
    assert "tides.py" in label
    assert not any(folder in label for folder in ("srv", "mara", "berthplan"))
