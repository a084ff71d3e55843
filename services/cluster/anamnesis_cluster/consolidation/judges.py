"""The judge of a namespace: a chat model within its budget, or none."""

from anamnesis_cluster.consolidation.wording import Judge, ModelJudge
from anamnesis_libs.models.budget import NamespaceBudgets


class Judges:
    """Gives each run a judge of its own, which counts what the run costs."""

    def __init__(self, chats: NamespaceBudgets | None) -> None:
        self._chats = chats

    async def of(self, namespace: str) -> Judge | None:
        """The judge of a run in a namespace; None where no chat model is configured."""
        return None if self._chats is None else ModelJudge(await self._chats.of(namespace))
