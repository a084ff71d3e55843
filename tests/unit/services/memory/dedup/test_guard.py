"""The guard objects where one token changes the lesson, and not where it is written otherwise."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anamnesis_memory.dedup.difference import Aspect
from anamnesis_memory.dedup.semantic_diff import differences

OBJECTED = [
    (Aspect.NUMBER, "Set the cache to 40 entries.", "Set the cache to 45 entries."),
    (Aspect.NUMBER, "Knead the dough for ten minutes.", "Knead the dough for twelve minutes."),
    (Aspect.NUMBER, "Soak the beans twice.", "Soak the beans three times."),
    (Aspect.NUMBER, "The limit is 1.5 million rows.", "The limit is 15 million rows."),
    (Aspect.NUMBER, "Meet the surveyor at half past three.", "Meet the surveyor at 4:30."),
    (Aspect.NUMBER, "线程池开 16 个线程。", "线程池开十二个线程。"),
    (Aspect.NUMBER, "药每天吃两次。", "药每天吃三次。"),
    (Aspect.NUMBER, "队列上限是三万条。", "队列上限是 3000 条。"),
    (Aspect.NUMBER, "The pool holds 8 connections.", "连接池有 9 个连接。"),
    (Aspect.VERSION, "Ruby 3.2 breaks the gem.", "Ruby 3.3 breaks the gem."),
    (Aspect.VERSION, "Stay on Django 4 for the portal.", "Stay on Django 5 for the portal."),
    (Aspect.VERSION, "The plugin fails since v2.10.1.", "The plugin fails since v2.1.1."),
    (Aspect.VERSION, "项目要用 Java 17 编译。", "项目要用 Java 21 编译。"),
    (Aspect.UNIT, "Poll the sensor every 20 ms.", "Poll the sensor every 20 s."),
    (Aspect.UNIT, "Wash the wool at 30 °C.", "Wash the wool at 30 °F."),
    (Aspect.UNIT, "The log is cut daily.", "The log is cut weekly."),
    (Aspect.UNIT, "面粉加 200 克。", "面粉加 200 毫升。"),
    (Aspect.NEGATION, "The mower starts when it is wet.", "The mower won't start when it is wet."),
    (Aspect.NEGATION, "Use foil in the oven.", "Never use foil in the oven."),
    (Aspect.NEGATION, "It is safe to drain the node.", "It is unsafe to drain the node."),
    (Aspect.NEGATION, "Mount it with a washer.", "Mount it without a washer."),
    (Aspect.NEGATION, "缓存会自动失效。", "缓存不会自动失效。"),
    (Aspect.NEGATION, "周末可以部署。", "周末禁止部署。"),
    (Aspect.NEGATION, "Never share the key.", "要共享密钥。"),
    (Aspect.NAME, "Ask Greta about the boiler.", "Ask Ulrike about the boiler."),
    (Aspect.NAME, "Call os.walk on the tree.", "Call os.scandir on the tree."),
    (Aspect.NAME, "Pass --dry-run to the tool.", "Pass --force to the tool."),
    (Aspect.NAME, "Vacuum the invoices table.", "Vacuum the invoice_lines table."),
    (Aspect.NAME, "RabbitMQ drops the oldest job.", "ActiveMQ drops the oldest job."),
    (Aspect.NAME, "合同先给李娜看。", "合同先给李楠看。"),
    (Aspect.NAME, "成都仓库周三盘点。", "重庆仓库周三盘点。"),
    (Aspect.DIRECTION, "Raise the heap when it swaps.", "Lower the heap when it swaps."),
    (Aspect.DIRECTION, "Wait for at least 5 s.", "Wait for at most 5 s."),
    (Aspect.DIRECTION, "Go from the den to the attic.", "Go from the attic to the den."),
    (Aspect.DIRECTION, "出问题就启用代理。", "出问题就停用代理。"),
    (Aspect.DIRECTION, "Disable the proxy.", "启用代理。"),
    (Aspect.NAME, "前端要缓存。", "后端要缓存。"),
    (Aspect.DIRECTION, "Sign in on Monday.", "Sign out on Monday."),
    (Aspect.DIRECTION, "Move it from Kafka.", "Move it to Kafka."),
    (Aspect.CONDITION, "Water the fern.", "Water the fern unless it rained."),
    (Aspect.CONDITION, "Skip the gate if the diff is empty.", "Skip the gate if Ann is here."),
    (Aspect.CONDITION, "Open the vent.", "Open the vent when the lamp is red."),
    (Aspect.CONDITION, "可以直接发布。", "可以直接发布，除非是周五。"),
    (Aspect.ENVIRONMENT, "Flags are frozen in staging.", "Flags are frozen in production."),
    (Aspect.ENVIRONMENT, "The font is missing on Debian.", "The font is missing on Alpine."),
    (Aspect.ENVIRONMENT, "Reset the counters.", "Reset the counters in production."),
    (Aspect.ENVIRONMENT, "生产环境的任务要手动触发。", "预发环境的任务要手动触发。"),
    (Aspect.ORDER, "Drain the pump, then cut the power.", "Cut the power, then drain the pump."),
    (Aspect.ORDER, "Warn Ada before Ben.", "Warn Ben before Ada."),
    (Aspect.ORDER, "先关阀门，再拆水管。", "先拆水管，再关阀门。"),
]  # fmt: skip
ONE_LESSON = [
    ("The disk has 3 GB left.", "The disk has 3072 MB left."),
    ("Wait for 90 seconds.", "Wait for 1.5 minutes."),
    ("Retry it three times.", "Retry it 3x."),
    ("Retry it four times.", "重试四次。"),
    ("The limit is ２０ rows.", "The limit is 20 rows."),
    ("The import takes 2,500 rows.", "The import takes 2500 rows."),
    ("At most twelve people fit in.", "At most 12 people fit in."),
    ("Standup is at quarter past ten.", "Standup is at 10:15."),
    ("Standup is at quarter to ten.", "Standup is at 9:45."),
    ("队列上限是两万条。", "队列上限是 20000 条。"),
    ("下午三点半开会。", "15:30 开会。"),
    ("The service runs on k8s.", "The service runs on Kubernetes."),
    ("Check the i18n files.", "Check the internationalization files."),
    ("Never forget to close the cursor.", "Remember to close the cursor."),
    ("Don't skip the dry run.", "Always do the dry run."),
    ("不要忘记关闭游标。", "要关闭游标。"),
    ("Wait no less than 5 s.", "Wait at least 5 s."),
    ("The gate takes no Ruby older than 3.2.", "Ruby 3.2 is the oldest that the gate takes."),
    ("When it rains, close the roof.", "Close the roof when it rains."),
    ("Lint the code before you push.", "Before you push, lint the code."),
    ("提交之前先格式化代码。", "先格式化代码，再提交。"),
    ("Rinse the rice.", "Rinse the rice. Last week 2 guests found it sticky."),
    ("Close the valve because it drips.", "Close the valve since it drips."),
    ("Use a queue and a worker.", "Use a worker and a queue."),
]


@pytest.mark.parametrize(("aspect", "a", "b"), OBJECTED)
def test_one_token_that_matters_is_named_from_both_sides(aspect: Aspect, a: str, b: str) -> None:
    there, back = differences(a, b), differences(b, a)
    assert aspect in {each.aspect for each in there}
    assert {each.turned() for each in back} == set(there)


@pytest.mark.parametrize(("a", "b"), ONE_LESSON)
def test_what_is_only_written_otherwise_is_let_through(a: str, b: str) -> None:
    assert differences(a, b) == ()
    assert differences(b, a) == ()


def test_both_sides_are_told() -> None:
    (difference,) = differences("Set the cache to 40 entries.", "Set the cache to 45 entries.")
    assert (difference.a, difference.b) == ("40", "45")


@given(st.text(max_size=200))
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert differences(text, text) == ()


_SAMPLE = """the cache never 2 GB 2048 MB 不 要 先 再 before after if production staging Ada
    order_items v1.2 1.2 enable disable
    , . ， 。 之前 之后 三 次 unless 重试 from to skip k8s kubernetes"""
_WORDS = st.sampled_from(_SAMPLE.split())
_TEXTS = st.one_of(
    st.text(max_size=60), st.lists(_WORDS, max_size=14).map(" ".join), st.lists(_WORDS).map("".join)
)


@given(_TEXTS, _TEXTS)
def test_it_says_the_same_of_both_sides(a: str, b: str) -> None:
    assert {each.turned() for each in differences(b, a)} == set(differences(a, b))


@pytest.mark.slow
@pytest.mark.parametrize("unit", ["1 ", "不要", "a,", "x before y "])
def test_time_is_linear_in_long_texts(unit: str) -> None:
    text = unit * (100_000 // len(unit))
    started = time.process_time()
    differences(f"{text} 1", f"2 {text}")
    assert time.process_time() - started < SPENT_S_MAX


SPENT_S_MAX = 60
"""Squared, 100 KB would take many minutes; linear it is a few seconds."""
