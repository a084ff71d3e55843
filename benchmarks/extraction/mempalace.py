"""MemPalace's cases: entities and memory kinds, with our output mapped to their types."""

from pathlib import Path

from services.ingestion.learning.knowledge import Extractor


async def report_mempalace(extractor: Extractor, folder: Path) -> None:
    """Print the figures for the cases in a folder."""
