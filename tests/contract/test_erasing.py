"""What an erasure asks of every store, and a whole erasure on each of them."""

from dataclasses import replace

from anamnesis_memory.erasure.batch import Erasing
from anamnesis_memory.erasure.erase_subject import SubjectErasure
from anamnesis_memory.knowledge.write_outcome import Created
from anamnesis_memory.memories.create import CreateMemories
from anamnesis_memory.memories.topics import Assignment, AssignTopicMembers
from anamnesis_memory.model.documents import Collection, Document
from anamnesis_memory.model.edges import derived_from
from anamnesis_memory.model.memory import Caller, Memory, Visibility
from anamnesis_memory.model.memory_details import Lesson
from anamnesis_memory.model.memory_versions import Copy, CopyRole
from anamnesis_memory.ports import (
    CommitStamp,
    Decision,
    IdempotentAnswer,
    NamespaceStore,
    ReadSet,
    ReadView,
    RequestKey,
    TopicLabel,
    WriteSet,
)
from anamnesis_memory.ports.life import ErasureSubject
from tests.support.records import BASE_US, append, lesson, rows

WORD = "quokkaflute"
ADA = ErasureSubject(user_id="ada")


class Put:
    """A write of tests: puts what it is given."""

    def __init__(self, edits: WriteSet) -> None:
        self._edits = edits

    def wanted(self) -> ReadSet:
        """Nothing."""
        return ReadSet()

    def decide(self, seen: ReadView, stamp: CommitStamp) -> Decision[None]:
        """As given."""
        return Decision(None, self._edits)


async def create(store: NamespaceStore, *memories: Memory) -> list[Memory]:
    made = await store.commit(CreateMemories(memories, [rows(1.0) for _ in memories]))
    assert made.result is not None
    return [one.memory for one in made.result]


async def places(store: NamespaceStore, word: str) -> list[str]:
    """Where a word is, files included."""
    await store.scrub()
    found, _ = await store.occurrences([word])
    return [one.place for one in found]


async def test_topics_are_told_by_member_and_named_anew(store: NamespaceStore) -> None:
    one, two = await create(store, lesson("one"), lesson("two"))
    revision, _ = await store.topic_progress()
    assign = AssignTopicMembers([Assignment(one.memory_id, "t", "old")], revision, None)
    await store.commit(assign)
    assert await store.topics_of([one.memory_id, two.memory_id, "no"]) == {one.memory_id: "t"}
    done = await store.commit(
        Put(WriteSet(memories=(two,), topic_labels={"t": TopicLabel("new"), "no": TopicLabel("x")}))
    )
    topics = (await store.topics("", None, "", 9)).items
    assert [(topic.topic_id, topic.label, topic.member_count) for topic in topics] == [
        ("t", "new", 1)
    ]
    assert (await store.topic_progress())[0] == done.revision


async def test_all_sessions_are_listed_for_nobody_in_particular(store: NamespaceStore) -> None:
    hidden = replace(append("x", session_id="p"), visibility=Visibility.PRIVATE_TO_AGENT)
    await store.commit(hidden)
    seen = await store.list_sessions(Caller(user_id="ada"), "", "ada", "", 9)
    assert not seen.items
    everything = await store.list_sessions(None, "", "ada", "", 9)
    assert [one.session_id for one in everything.items] == ["p"]


async def test_an_answer_is_forgotten_with_what_it_mentions_though_that_stays(
    store: NamespaceStore,
) -> None:
    key = RequestKey("method", "request", b"digest")
    remember: IdempotentAnswer[tuple[Created, ...]] = IdempotentAnswer(
        key, lambda *_: WORD.encode()
    )
    made = await store.commit(CreateMemories([lesson("one")], [None]), remember)
    assert made.result is not None
    await store.commit(Put(WriteSet(forgotten_answers=(made.result[0].memory.memory_id,))))
    assert await store.memories([made.result[0].memory.memory_id], None)
    assert not await places(store, WORD)


async def test_a_memory_that_goes_on_as_anothers_is_found_by_its_new_owner(
    store: NamespaceStore,
) -> None:
    (hers,) = await create(store, lesson(f"the {WORD} way", user_id="ada", tags=(WORD,)))
    his = replace(lesson("his way", user_id="bob"), part=Lesson(title="his"))
    copy = Copy("c", hers.memory_id, CopyRole.CONTRIBUTION, his, BASE_US, 0.9)
    await store.commit(Put(WriteSet(copies=(copy,))))
    erasing = Erasing(store, ADA)
    await erasing.memories([hers.memory_id])
    (after,) = await store.memories([hers.memory_id], None)
    assert (after.content, after.user_id, after.needs_review) == ("his way", "bob", True)
    assert await store.pending_embeddings(9) == [hers.memory_id]
    assert not await places(store, WORD)


async def test_a_subject_goes_from_every_record(store: NamespaceStore) -> None:
    await store.commit(append(f"a {WORD}", "more", session_id="s-1"))
    await store.commit(append("other", session_id="s-2"))
    kept = replace(append("bob says", session_id="s-3"), user_id="bob")
    await store.commit(kept)
    working = Document(Collection.WORKING_MEMORY, "s-1", f'["{WORD}"]', 1, user_id="ada")
    (bobs,) = await create(store, lesson("bob knows", user_id="bob"))
    copy = Copy("c", bobs.memory_id, CopyRole.CONTRIBUTION, lesson(WORD, user_id="ada"), 1)
    await store.commit(Put(WriteSet(documents=(working,), copies=(copy,))))
    erasure = SubjectErasure(store, ADA)
    await erasure.run()
    records = erasure.erasing.receipt.records
    assert (records["memories"], records["sessions"], records["events"]) == (3, 2, 3)
    assert (records["documents"], records["copies"], records["wings"]) == (1, 1, 1)
    assert not await places(store, WORD)
    (after,) = await store.memories([bobs.memory_id], None)
    assert (after.content, after.needs_review) == ("bob knows", True)
    left = await store.list_sessions(None, "", "", "", 9)
    assert [one.session_id for one in left.items] == ["s-3"]
    again = SubjectErasure(store, ADA)
    await again.run()
    assert again.erasing.receipt.empty
    await store.commit(append("back", session_id="s-9"))
    session = await store.session("s-9")
    assert session is not None
    assert session.wing == 3


async def test_a_working_memory_of_another_forgets_what_it_cites(store: NamespaceStore) -> None:
    (hers,) = await create(store, lesson("hers", user_id="ada"))
    body = f'{{"items": [{{"id": "{hers.memory_id}", "text": "{WORD}"}}, {{"text": "else"}}]}}'
    await store.commit(
        Put(WriteSet(documents=(Document(Collection.WORKING_MEMORY, "b", body, 1),)))
    )
    await SubjectErasure(store, ADA).run()
    (after,) = await store.documents(Collection.WORKING_MEMORY, "", 9)
    assert after.body == '{"items": [{"text": "else"}]}'


async def test_what_others_derived_from_both_stays_and_says_so(store: NamespaceStore) -> None:
    hers, his = await create(store, lesson("a", user_id="ada"), lesson("b", user_id="bob"))
    both = replace(
        lesson("c", user_id="bob"),
        part=Lesson(evidence_memory_ids=(hers.memory_id, his.memory_id)),
    )
    (made,) = await create(store, both)
    assert len(await store.edges_of([made.memory_id], (), 9)) == len(derived_from(made, 0)) == 2
    await SubjectErasure(store, ADA).run()
    (after,) = await store.memories([made.memory_id], None)
    assert after.needs_review
    assert after.part == Lesson(evidence_memory_ids=(his.memory_id,))
