"""Who asks about themselves among several speakers is one of them."""

import pytest

from anamnesis_retrieval.as_asker import with_asker
from anamnesis_retrieval.model import Candidate, CandidateSet, ConversationKind, Mode, ScopeShape
from anamnesis_retrieval.ranking.rank import rank
from tests.support.small_memory import SmallMemory

PEOPLE = ScopeShape(kind=ConversationKind.PEOPLE, names=("Ann Lee", "Ann Ray", "Bo"))
LINES = tuple(Candidate(memory_id=name, name=name, role="user") for name in PEOPLE.names)


class Asking(SmallMemory):
    """A memory whose asker is Ann Ray on lines of a talk."""

    async def own_names(self, at_least_revision: str) -> list[str]:
        return ["Ann Ray"]


@pytest.mark.parametrize(
    ("query", "kind", "asker"),
    [
        ("When is my birthday?", ConversationKind.PEOPLE, "Ann Ray"),
        ("我什么时候生日？", ConversationKind.PEOPLE, "Ann Ray"),
        ("When is the dinner?", ConversationKind.PEOPLE, ""),
        ("What did Bo tell me?", ConversationKind.PEOPLE, ""),
        ("What did Ann tell me?", ConversationKind.PEOPLE, ""),
        ("When is my birthday?", ConversationKind.ROLES, ""),
    ],
)
async def test_who_asks_is_a_speaker(query: str, kind: ConversationKind, asker: str) -> None:
    scope = ScopeShape(kind=kind, names=PEOPLE.names)
    found = await with_asker(Asking(), query, CandidateSet(LINES, scope))
    assert found.asker == asker


def test_what_the_asker_said_goes_before_what_others_said() -> None:
    found = CandidateSet(LINES, PEOPLE, asker="Ann Ray")
    assert rank("When is my birthday?", found, Mode.AUTO)[0].candidate.name == "Ann Ray"
    assert rank("When is the birthday of Bo?", found, Mode.AUTO)[0].candidate.name == "Bo"
