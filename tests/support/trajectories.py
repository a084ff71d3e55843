"""Trajectories with what a person said of each: how it went, and of what type the task is."""

from dataclasses import dataclass

from anamnesis_ingestion.ledger import LedgerEvent
from anamnesis_ingestion.trajectory.measures import TaskType
from tests.support.ledger_events import conversation


@dataclass(frozen=True)
class Labelled:
    """`verdict` is good, recovered, corrected, looping, bad, abandoned or untold: nobody says."""

    name: str
    verdict: str
    task_type: TaskType
    events: tuple[LedgerEvent, ...]


TRAJECTORIES = [
    Labelled(
        "function written, tested and thanked for",
        "good",
        TaskType.CODING,
        conversation(
            "user: Write a Python function that parses ISO dates, with unit tests.",
            'call: write {"path":"dates.py"}',
            "tool: ok",
            'call: bash {"command":"pytest"}',
            "tool: 12 passed, 0 failed",
            "assistant: Done: dates.py with 12 passing tests.",
            "user: Perfect, thanks!",
        ),
    ),
    Labelled(
        "data question answered in Chinese",
        "good",
        TaskType.DATA,
        conversation(
            "user: 帮我统计一下上个月每个城市的订单数据，按均值排序",
            'call: sql {"query":"select city, avg(n)"}',
            "tool: 上海 320\n北京 290",
            "assistant: 上海 320，北京 290，已按均值排序。",
            "user: 很好，谢谢",
        ),
    ),
    Labelled(
        "plain advice, nobody comments",
        "untold",
        TaskType.WRITING,
        conversation(
            "user: Draft a short email that declines the invitation.",
            "assistant: Dear Ms Low, thank you for the invitation. Sadly I cannot come.",
            "user: And a warmer closing line?",
            "assistant: I hope we meet in spring. Warmly, Ann",
        ),
    ),
    Labelled(
        "talk in Chinese",
        "untold",
        TaskType.CONVERSATION,
        conversation(
            "user: 今天心情不错，周末想和朋友去看电影",
            "assistant: 听起来很棒，想看什么类型的？",
            "user: 喜欢老片子",
            "assistant: 可以看看《城南旧事》。",
        ),
    ),
    Labelled(
        "deployment after one failed try",
        "recovered",
        TaskType.OPERATIONS,
        conversation(
            "user: Deploy the new docker image to the staging server.",
            'call: bash {"command":"docker pull app:1.2"}',
            "tool: Error response from daemon: manifest unknown",
            'call: bash {"command":"docker pull app:1.2.0"}',
            "tool: Status: Downloaded newer image",
            'call: bash {"command":"docker compose up -d"}',
            "tool: Container app Started",
            "assistant: Deployed 1.2.0 to staging; the tag had a third digit.",
        ),
    ),
    Labelled(
        "bug found after a failing test, in Chinese",
        "recovered",
        TaskType.DEBUGGING,
        conversation(
            "user: 单测报错了，帮我修复一下这个异常",
            'call: bash {"command":"pytest"}',
            "tool: FAILED test_cart.py::test_total\n1 failed, 7 passed",
            'call: edit {"path":"cart.py"}',
            "tool: ok",
            'call: bash {"command":"pytest -x"}',
            "tool: 8 passed",
            "assistant: 修好了，少加了运费，8 个测试全部通过。",
            "user: 搞定，谢谢",
        ),
    ),
    Labelled(
        "plan corrected twice, then accepted without a word",
        "corrected",
        TaskType.PLANNING,
        conversation(
            "user: Plan a three day trip to Rome, with a budget.",
            "assistant: Day 1: Colosseum. Day 2: Vatican. Day 3: Naples.",
            "user: No, I said three days in Rome, not in Naples.",
            "assistant: Day 3: Trastevere and the Borghese gallery.",
            "user: That's not right either, you forgot the budget.",
            "assistant: With tickets and meals it comes to 420 euros.",
        ),
    ),
    Labelled(
        "translation corrected in Chinese",
        "corrected",
        TaskType.WRITING,
        conversation(
            "user: 把这封邮件翻译成英文，语气正式一点",
            "assistant: Hey there, what's up with the order?",
            "user: 不对，我要的是正式的语气",
            "assistant: Dear Sir, may I enquire about our order?",
            "user: 又错了，收件人是女士",
            "assistant: Dear Madam, may I enquire about our order?",
        ),
    ),
    Labelled(
        "the same command again and again",
        "looping",
        TaskType.DEBUGGING,
        conversation(
            "user: Fix the failing build.",
            *('call: bash {"command":"make"}', "tool: make: *** [all] Error 2\nexit code 2") * 5,
            "assistant: I could not fix the build, it keeps failing.",
        ),
    ),
    Labelled(
        "the same answer again and again, in Chinese",
        "looping",
        TaskType.DEBUGGING,
        conversation(
            "user: 打印机连不上，怎么办",
            "assistant: 请重启打印机。",
            "user: 重启了，还是不行",
            "assistant: 请重启打印机。",
            "user: 没用，还是连不上",
            "assistant: 请重启打印机。",
            "user: 还是一样",
            "assistant: 请重启打印机。",
        ),
    ),
    Labelled(
        "wrong to the end",
        "bad",
        TaskType.DATA,
        conversation(
            "user: Compute the median of the price column in this csv.",
            'call: python {"code":"df.median()"}',
            "tool: Traceback (most recent call last):\nKeyError: 'price'",
            "assistant: The median is 4.",
            "user: That's wrong, it still fails with the same error.",
            'call: python {"code":"df.price.median()"}',
            "tool: AttributeError: 'DataFrame' object has no attribute 'price'",
            "assistant: Unfortunately I could not compute it.",
        ),
    ),
    Labelled(
        "server never reached, in Chinese",
        "bad",
        TaskType.OPERATIONS,
        conversation(
            "user: 把服务部署到生产服务器并重启容器",
            'call: ssh {"host":"prod"}',
            "tool: ssh: connect to host prod port 22: Connection refused",
            'call: ssh {"host":"prod2"}',
            "tool: 连接超时",
            "assistant: 抱歉，我无法完成部署，服务器无法连接。",
        ),
    ),
    Labelled(
        "given up by the person",
        "abandoned",
        TaskType.CODING,
        conversation(
            "user: Refactor the payment module into smaller classes.",
            'call: edit {"path":"pay.py"}',
            "tool: Error: file has changed on disk",
            "assistant: The edit failed. Shall I try again?",
            "user: Never mind, I'll do it myself.",
        ),
    ),
    Labelled(
        "left without an answer, in Chinese",
        "abandoned",
        TaskType.RESEARCH,
        conversation(
            "user: 调研一下向量数据库，对比优缺点",
            'call: search {"q":"vector database"}',
            "tool: 超时",
            'call: search {"q":"vector db comparison"}',
        ),
    ),
    Labelled(
        "question that was never answered",
        "abandoned",
        TaskType.RESEARCH,
        conversation(
            "user: Explain the difference between TCP and UDP.",
            "assistant: Which aspect interests you?",
            "user: The handshake, please compare both.",
        ),
    ),
]
