"""Taking contributions out of the memories that took them in."""

from collections.abc import Sequence

from anamnesis_memory.erasure.batch import Erasing
from anamnesis_memory.erasure.erase_traces import EraseCopies, owners
from anamnesis_memory.erasure.planning import lines_of
from anamnesis_memory.erasure.working_memory import forget_in_documents
from anamnesis_memory.model.memory_versions import Copy
from anamnesis_memory.ports.life import ErasureSubject


async def unmerge(erasing: Erasing, copies: Sequence[Copy], subject: ErasureSubject) -> None:
    """Erase a subject's contributions; a memory whose text cannot be told apart goes too."""
    store, receipt = erasing.store, erasing.receipt
    merged = owners([copy for copy in copies if copy.merged])
    receipt.count(documents=await forget_in_documents(store, merged))
    held = await store.memories(owners(copies), None)
    lines = await lines_of(store, held)
    done = await erasing.commit(EraseCopies(owners(copies), subject, lines))
    receipt.kept.update(done.kept)
    receipt.count(copies=done.copies)
    if done.inseparable:
        receipt.derived.update(done.inseparable)
        await erasing.memories(done.inseparable)
