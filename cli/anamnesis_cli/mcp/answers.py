"""The answers of the tools: the structure that clients read, and the text that models read."""

from pydantic import BaseModel, Field


class Answer(BaseModel):
    """An answer, told to a model as JSON without what is empty."""

    def told(self) -> str:
        """The text of the answer."""
        return self.model_dump_json(exclude_defaults=True)


class Source(BaseModel):
    """A memory that a context cites."""

    id: str
    pointer: str = ""


class Recalled(Answer):
    """A context."""

    context: str = Field(description="Empty where nothing is relevant")
    token_count: int = 0
    left_out: int = Field(0, description="Relevant memories beyond the budget")
    sources: list[Source] = []
    note: str = ""

    def told(self) -> str:
        """The block itself, or why there is none."""
        more = f"({self.left_out} more beyond the budget)" if self.left_out else ""
        return "\n".join(filter(None, (self.context, self.note, more)))


class Remembered(Answer):
    """A memory that was stored."""

    id: str
    pointer: str = ""


class Fact(Answer):
    """A fact and the time in which it holds."""

    id: str
    text: str
    subject: str = ""
    predicate: str = ""
    object: str = ""
    since: str = ""
    until: str = ""
    confidence: float = 0.0
    flags: list[str] = []


class Profile(Answer):
    """Facts about one subject."""

    subject: str
    facts: list[Fact]
    more: bool = False


class Moment(BaseModel):
    """Something that happened or began to hold."""

    time: str
    text: str
    id: str
    until: str = ""


class Timeline(Answer):
    """Moments, the oldest first."""

    moments: list[Moment]
    more: bool = False


class Memory(Answer):
    """A memory."""

    id: str
    text: str
    kind: str = ""
    time: str = ""
    pointer: str = ""
    session: str = ""
    tags: list[str] = []


class Memories(Answer):
    """Memories in the order asked for."""

    memories: list[Memory]
    missing: list[str] = []


class Message(BaseModel):
    """A message of a session."""

    index: int
    role: str
    text: str
    name: str = ""
    time: str = ""


class Conversation(Answer):
    """Messages of a session in order."""

    messages: list[Message]
    more: bool = False


class Forgotten(Answer):
    """Memories that were erased, or would be."""

    dry_run: bool
    memories: list[Memory]
    missing: list[str] = []
    note: str = ""


class Found(BaseModel):
    """A result of a search, as OpenAI's clients read it."""

    id: str
    title: str
    url: str


class Results(Answer):
    """Results of a search, as OpenAI's clients read them."""

    results: list[Found]

    def told(self) -> str:
        """All of it: its readers expect each key."""
        return self.model_dump_json()


class Document(Answer):
    """A memory in full, as OpenAI's clients read it."""

    id: str
    title: str
    text: str
    url: str
    metadata: dict[str, str]

    def told(self) -> str:
        """All of it: its readers expect each key."""
        return self.model_dump_json()
