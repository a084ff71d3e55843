"""Chroma with the same texts and the same vectors, as its own client asks it in this process."""

import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from anamnesis_libs.models.ports import Matrix
from benchmarks.speed.timing import Timed, timed

TOP = 10
BATCH = 20


def chroma(texts: list[str], vectors: Matrix, questions: Matrix) -> Iterator[Timed]:
    """A search for the ten nearest, and the storing of batches, where chromadb is installed."""
    import chromadb

    with tempfile.TemporaryDirectory(prefix="anamnesis-bench-") as folder:
        client = chromadb.PersistentClient(str(Path(folder) / "chroma"))
        kept = client.create_collection("speed")
        places = iter(range(len(texts)))
        batches = list(iter(lambda: list(islice(places, BATCH)), []))

        def add(batch: list[int]) -> None:
            kept.add(
                ids=[str(place) for place in batch],
                documents=[texts[place] for place in batch],
                embeddings=vectors[batch],
            )

        yield timed(f"Chroma, append of {BATCH}", len(texts), batches, add)
        time.sleep(1)
        rows = [row.reshape(1, -1) for row in questions]
        yield timed(
            "Chroma, search",
            len(texts),
            rows,
            lambda row: kept.query(query_embeddings=row, n_results=TOP),
        )
