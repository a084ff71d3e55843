"""A Neo4j for a benchmark: one that runs already, or one of its own."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tools.neo4j.server import Neo4jServer


@contextmanager
def running_neo4j(uri: str = "") -> Iterator[tuple[str, str]]:
    """A server's URI, and its version as far as it is known; without a URI one is started.

    Raises:
        Neo4jUnavailable: it cannot be started.
    """
    if uri:
        yield uri, uri
        return
    with tempfile.TemporaryDirectory(prefix="anamnesis-neo4j-") as home:
        server = Neo4jServer(Path(home))
        version = server.start()
        try:
            yield server.uri, version
        finally:
            server.stop()
