"""A chat model for tests of what would be asked; nothing is."""

from anamnesis_libs.models.chat import ChatAnswer, ChatRequest


class UnaskedChat:
    """Fails when it is asked."""

    name = "unasked"

    async def ask(self, request: ChatRequest) -> ChatAnswer:
        """Never."""
        raise AssertionError("nothing was to be asked")

    async def close(self) -> None:
        """There is nothing to let go of."""
