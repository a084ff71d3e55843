"""What is used of the body of a chat completion; the official client itself checks nothing."""

from pydantic import BaseModel


class Message(BaseModel):
    """What the model wrote, or why it did not."""

    content: str | None = None
    refusal: str | None = None


class Choice(BaseModel):
    """One answer, and why it ends."""

    message: Message
    finish_reason: str | None = None


class Usage(BaseModel):
    """What the server counted."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Completion(BaseModel):
    """The body; servers answer 200 without a choice when one behind them failed."""

    choices: list[Choice] | None = None
    usage: Usage | None = None

    @property
    def written(self) -> str:
        """All that the model wrote."""
        return "".join(each.message.content or "" for each in self.choices or ())
