"""OpenAI Agents: its `Session`, kept by the suite, where what was said is memory as well.

Items are kept as documents and come back as they were given: calls of tools, reasoning and kinds of
items that are not known yet too. Where the namespace's policy redacts, what was secret in an item
is gone from it. What people and assistants said is remembered as the events of a session of the
same name, searched and learned from; calls of tools and their answers are not, since what a tool
recalled is among them. An item that is taken back is forgotten, with what was learned from it
alone.

Unlike the adapters that only recall, a session raises where the memory does not answer: what an
agent takes for its conversation must not seem to be empty.
"""

from collections.abc import Mapping, Sequence
from typing import cast
from uuid import uuid4

from agents.items import TResponseInputItem
from agents.memory import SessionSettings
from agents.memory.session_settings import resolve_session_limit

from anamnesis_client.aio import AsyncAnamnesis
from anamnesis_client.answers import Event
from anamnesis_client.errors import NotFound
from anamnesis_client.json_documents import Document, DocumentPut

_KIND = "openai-agents"
_SPOKEN = ("user", "assistant")


class AnamnesisSession:
    """The session of a conversation; `Runner.run(agent, "...", session=AnamnesisSession(...))`."""

    def __init__(
        self,
        session_id: str,
        memory: AsyncAnamnesis,
        session_settings: SessionSettings | None = None,
    ) -> None:
        """Nothing is called yet.

        Args:
            session_id: of the conversation; the same one goes on with it. Nothing else writes to a
                session of this name.
            memory: the client, whose user or agent the conversation belongs to.
            session_settings: how many items are handed to a run, where it does not say.
        """
        self.session_id = session_id
        self.session_settings = session_settings or SessionSettings()
        self._memory = memory
        self._path = (_KIND, session_id)

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """The items in the order in which they were added; with a limit the last ones."""
        most = resolve_session_limit(limit, self.session_settings)
        items = [_item_of(document) for document in await self._documents()]
        return items if most is None else items[max(len(items) - most, 0) :]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        """Adds items behind the last."""
        puts = [
            DocumentPut(self._path, uuid4().hex, cast(Mapping[str, object], item), search=())
            for item in items
        ]
        if puts:
            await self._memory.put_documents(puts)
        told = [message for item in items if (message := message_of(item)) is not None]
        if told:
            await self._memory.add(told, session=self.session_id)

    async def pop_item(self) -> TResponseInputItem | None:
        """Takes the last item back, and forgets it; None where there is none."""
        documents = await self._documents()
        if not documents:
            return None
        await self._delete(documents[-1:])
        item = _item_of(documents[-1])
        events = await self._memory.events(self.session_id)
        if events and _told_by(item, events[-1]):
            await self._memory.truncate(events[-1].index, self.session_id)
        return item

    async def clear_session(self) -> None:
        """Takes all items back, and forgets them."""
        await self._delete(await self._documents())
        try:
            await self._memory.truncate(0, self.session_id)
        except NotFound:
            return

    async def _documents(self) -> Sequence[Document]:
        listed: Sequence[Document] = await self._memory.list_documents(self._path, limit=None)
        return listed

    async def _delete(self, documents: Sequence[Document]) -> None:
        if documents:
            gone = [DocumentPut(self._path, document.key, None) for document in documents]
            await self._memory.put_documents(gone)


def message_of(item: TResponseInputItem) -> dict[str, object] | None:
    """The message that an item tells; None where it says nothing."""
    given = cast(Mapping[str, object], item)
    role, text = given.get("role"), _text_of(given.get("content"))
    if given.get("type", "message") != "message" or role not in _SPOKEN or not text.strip():
        return None
    return {"role": role, "content": text}


def _text_of(content: object) -> str:
    """The texts of a content; pictures, sounds and files say nothing."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    texts = (part.get("text") for part in parts if isinstance(part, Mapping))
    return "\n".join(text for text in texts if isinstance(text, str))


def _item_of(document: Document) -> TResponseInputItem:
    return cast(TResponseInputItem, dict(document.value))


def _told_by(item: TResponseInputItem, event: Event) -> bool:
    """True if the item told the event."""
    return message_of(item) == {"role": event.role, "content": event.content}
