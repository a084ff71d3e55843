"""Contexts of young memories, over real processes: told, the newer first, and silent."""

from google.protobuf.timestamp_pb2 import Timestamp

from anamnesis.common.v1.caller_pb2 import Caller
from anamnesis.memory.v1 import event_pb2, ledger_service_pb2
from anamnesis.retrieval.v1 import retrieval_pb2
from anamnesis.retrieval.v1 import retrieval_service_pb2 as pb
from anamnesis_libs.tokens import load_counter
from tests.support.clients import Clients

Chats = dict[str, list[str]]

JOINER: Chats = {
    "2026-01-12": [
        "user: Hello! I live in Ghent, above a bakery, and I work as a joiner.",
        "assistant: Nice to meet you! Wood it is.",
        "user: I'm allergic to walnuts, even the sawdust.",
        "assistant: Noted.",
    ],
    "2026-02-20": [
        "user: From now on, give lengths in millimetres, never inches.",
        "assistant: Got it.",
        "user: My dog is called Pavlova.",
        "assistant: What a lovely name!",
    ],
    "2026-04-02": [
        "user: We moved to Bruges last week, the flat is tiny.",
        "assistant: Good luck with the boxes!",
    ],
}
TEACHER: Chats = {
    "2026-01-08": [
        "user: 我住在苏州，在一所中学教物理。",
        "assistant: 好的，记住了。",
        "user: 我对虾过敏，别推荐有虾的菜。",
        "assistant: 收到。",
    ],
    "2026-03-15": [
        "user: 我养了一只乌龟，叫石头。",
        "assistant: 真可爱！",
        "user: 上周我搬到了无锡，换了新家。",
        "assistant: 恭喜！",
    ],
}


async def live(clients: Clients, namespace: str, chats: Chats) -> str:
    """Append the chats; gives the revision."""
    revision = ""
    for day, lines in chats.items():
        moment = Timestamp()
        moment.FromJsonString(f"{day}T10:00:00Z")
        events = []
        for line in lines:
            role, content = line.split(": ", 1)
            number = event_pb2.Role.Value(f"ROLE_{role.upper()}")
            events.append(event_pb2.Event(role=number, content=content, event_time=moment))
        request = ledger_service_pb2.AppendEventsRequest(
            namespace=namespace, session_id=day, user_id="u", events=events, end_session=True
        )
        revision = (await clients.ledger.AppendEvents(request)).revision
    return revision


async def asked(
    clients: Clients, namespace: str, revision: str, query: str, budget: int = 300
) -> pb.BuildContextResponse:
    request = pb.BuildContextRequest(
        namespace=namespace,
        query=query,
        token_budget=budget,
        at_least_revision=revision,
        caller=Caller(user_id="u"),
    )
    answer = await clients.retrieval.BuildContext(request)
    assert not answer.degraded
    assert answer.token_count == load_counter("o200k_base").count(answer.text) <= budget
    return answer


async def test_a_young_memory_tells_what_was_asked_for(clients: Clients) -> None:
    at = await live(clients, "joiner", JOINER)
    home = (await asked(clients, "joiner", at, "Where do I live?")).text
    assert home.index("Bruges") < home.index("Ghent"), "the newer first"
    assert "Pavlova" in (await asked(clients, "joiner", at, "What is my dog's name?")).text
    assert "joiner" in (await asked(clients, "joiner", at, "What is my job?")).text

    cake = await asked(clients, "joiner", at, "Suggest a dessert for tonight.")
    assert "walnuts" in cake.text
    assert cake.citations[0].reason == retrieval_pb2.CITATION_REASON_STANDING
    for text in (home, cake.text):
        assert "Noted." not in text
        assert "Got it." not in text


async def test_a_chinese_one_too(clients: Clients) -> None:
    at = await live(clients, "teacher", TEACHER)
    home = (await asked(clients, "teacher", at, "我住在哪里？")).text
    assert home.index("无锡") < home.index("苏州")
    assert "石头" in (await asked(clients, "teacher", at, "我的乌龟叫什么名字")).text
    assert "虾" in (await asked(clients, "teacher", at, "推荐几道晚餐的菜")).text
    assert "收到" not in home


async def test_strangers_and_small_talk_hear_nothing_and_why(clients: Clients) -> None:
    for namespace, chats in (("quiet-joiner", JOINER), ("quiet-teacher", TEACHER)):
        at = await live(clients, namespace, chats)
        for prompt in (
            "Thanks!",
            "好的，谢谢",
            "What is the boiling point of nitrogen?",
            "珠穆朗玛峰有多高？",
        ):
            answer = await asked(clients, namespace, at, prompt)
            assert answer.text == "", prompt
            assert answer.empty_reason == pb.EMPTY_REASON_NOTHING_RELEVANT
    at = await live(clients, "tight-joiner", JOINER)
    tight = await asked(clients, "tight-joiner", at, "Where do I live?", 11)
    assert (tight.empty_reason, tight.text) == (pb.EMPTY_REASON_BUDGET_TOO_SMALL, "")
    assert tight.left_out > 0
