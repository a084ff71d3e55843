"""What a namespace keeps by name, on every backend."""

from dataclasses import replace

from anamnesis_memory.memories.policy import POLICY_KEY, ChangePolicy, Policy, policy_of
from anamnesis_memory.model.documents import Collection, Document, DocumentKey
from anamnesis_memory.model.memory import Visibility
from anamnesis_memory.ports import NamespaceStore, ReadSet, WriteSet
from anamnesis_memory.ports.life import ErasureSubject
from tests.support.life import document, look, put

WORKING = Collection.WORKING_MEMORY


async def test_documents_are_kept_by_name_and_take_no_revision(store: NamespaceStore) -> None:
    held = [document(name, f'{{"name": "{name}"}}') for name in ("b", "a", "c")]
    assert await put(store, WriteSet(documents=tuple(held))) == store.revision == 0
    assert list(await store.documents(WORKING, "", 2)) == [held[1], held[0]]
    assert list(await store.documents(WORKING, "b", 2)) == [held[2]]
    assert not await store.documents(Collection.RUN, "", 2)


async def test_a_document_put_again_is_what_it_says_now(store: NamespaceStore) -> None:
    await put(store, WriteSet(documents=(document("a", session_id="s-1"),)))
    again = Document(WORKING, "a", '{"now": "é\\n\\u00e9"}', 7, "robot", "ada", "s-2")
    await put(store, WriteSet(documents=(again,)))
    assert list(await store.documents(WORKING, "", 9)) == [again]
    assert not await store.documents_of(ErasureSubject(session_id="s-1"), 9)


async def test_documents_are_removed_before_others_are_put(store: NamespaceStore) -> None:
    one, two = document("a"), document("b")
    await put(store, WriteSet(documents=(one, two)))
    again = replace(one, body="[]")
    keys = (one.key, two.key, DocumentKey(Collection.RUN, "a"))
    await put(store, WriteSet(removed_documents=keys, documents=(again,)))
    assert list(await store.documents(WORKING, "", 9)) == [again]


async def test_a_write_sees_documents(store: NamespaceStore) -> None:
    one, two = document("a"), document("b")
    await put(store, WriteSet(documents=(one, two)))
    gone = DocumentKey(Collection.RUN, "b")
    seen = await look(store, ReadSet(documents=(two.key, gone)))
    assert seen.documents == {two.key: two}


async def test_documents_of_a_subject_are_found(store: NamespaceStore) -> None:
    held = (
        document("b", session_id="s-1", user_id="ada"),
        document("a", session_id="s-1", user_id="bob"),
        replace(document("a", user_id="ada"), collection=Collection.RUN),
        replace(document("c"), agent_id="robot"),
        document("d"),
    )
    await put(store, WriteSet(documents=held))

    async def names(subject: ErasureSubject, limit: int = 9) -> list[str]:
        found = await store.documents_of(subject, limit)
        return [f"{one.collection.value} {one.name}" for one in found]

    assert await names(ErasureSubject(session_id="s-1")) == ["working_memory a", "working_memory b"]
    assert await names(ErasureSubject(session_id="s-1"), 1) == ["working_memory a"]
    assert await names(ErasureSubject(user_id="ada")) == ["run a", "working_memory b"]
    assert await names(ErasureSubject(agent_id="robot")) == ["working_memory c"]
    assert await names(ErasureSubject(user_id="eve")) == []


async def test_the_policy_is_one_whose_name_is_empty(store: NamespaceStore) -> None:
    changed = ChangePolicy(lambda policy: replace(policy, visibility=Visibility.PRIVATE_TO_USER))
    made = (await store.commit(changed)).result
    (kept,) = await store.documents(Collection.POLICY, "", 9)
    assert kept.key == POLICY_KEY
    assert policy_of(kept) == made
    again = (await store.commit(ChangePolicy(lambda policy: policy))).result
    assert again == made != Policy()
