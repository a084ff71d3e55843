"""Claims of what one person says in English, for tests of the reader: Mara, on a Wednesday."""

from collections.abc import Sequence
from datetime import UTC, datetime

from anamnesis_ingestion.learning.english.claims import Claim, Turn
from anamnesis_ingestion.learning.english.reader import read

TOLD_AT = datetime(2024, 5, 15, 12, tzinfo=UTC)


def claims_of(
    sentences: Sequence[str], *, to_agent: bool = True, listener: str = ""
) -> list[Claim]:
    """The claims of one turn of Mara's, whose sentences are given as the reader takes them."""
    turn = Turn(
        sentences=sentences,
        subject="Mara",
        shown="Mara",
        said_at=TOLD_AT,
        to_agent=to_agent,
        listener=listener,
    )
    return read([turn])[0]
