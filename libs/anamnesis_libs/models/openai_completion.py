"""The used part of a chat completion's body; the official client itself checks nothing."""

from pydantic import BaseModel


class Message(BaseModel):
    """The model's text, or its refusal."""

    content: str | None = None
    refusal: str | None = None


class Choice(BaseModel):
    """One answer, and why it ends."""

    message: Message
    finish_reason: str | None = None


class Usage(BaseModel):
    """The tokens that the server counted."""

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
