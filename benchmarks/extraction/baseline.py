"""The trivial extractor that ours is held against: every sentence a person writes is a fact."""

import re

from anamnesis_ingestion.learning.knowledge import ExtractionInput, FactKind, Knowledge, LearnedFact
from anamnesis_ingestion.model import Role

_ENDS = re.compile(r"[.!?。！？\n]+")


class SentenceExtractor:
    """An Extractor that keeps every sentence of a user, as an experience of the speaker's."""

    @property
    def name(self) -> str:
        """The name of the extractor in tables."""
        return "every sentence"

    @property
    def reads_held(self) -> bool:
        """False: it reads what is said alone."""
        return False

    async def learn(self, lecture: ExtractionInput) -> Knowledge:
        """Return one fact a sentence."""
        facts = [
            LearnedFact(
                statement=sentence.strip(),
                subject=event.name or "user",
                predicate="did",
                object=sentence.strip(),
                kind=FactKind.EXPERIENCE,
                sources=(event.index or 0,),
            )
            for event in lecture.events
            if event.role is Role.USER
            for sentence in _ENDS.split(event.content)
            if sentence.strip()
        ]
        return Knowledge(facts=tuple(facts))
