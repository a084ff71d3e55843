"""Runs a Neo4j for a developer, in the foreground: `make neo4j`, or `python -m tools.neo4j`.

Tests run it too, with `--while-pid`: the server then ends with that process, however it ends.
"""

import argparse
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

from tools.neo4j.install import Neo4jUnavailable
from tools.neo4j.server import POLL_S, Neo4jServer

_HOW_TO = """\
{version} serves {uri} (no password, database neo4j); its data is in {home}.

Use it:     ANAMNESIS_STORAGE__BACKEND=neo4j ANAMNESIS_STORAGE__NEO4J_URI={uri} make serve
Test on it: ANAMNESIS_NEO4J_URI={uri} make test
Explore it: connect Neo4j Browser or Desktop to {uri}; docs/neo4j.md has queries to begin with
Stop it:    Ctrl-C
"""


def main() -> None:
    """Runs a server until it is told to stop."""
    options = _options()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    home = options.data_dir or Path(tempfile.mkdtemp(prefix="anamnesis-neo4j-"))
    for_tests = options.while_pid is not None
    server = Neo4jServer(home.resolve(), options.port, shared=for_tests)
    try:
        version = server.start()
        if options.uri_file:
            _write_whole(options.uri_file, server.uri)
        sys.stdout.write(_HOW_TO.format(version=version, uri=server.uri, home=home))
        sys.stdout.flush()
        _stay(server, options.while_pid)
    except Neo4jUnavailable as unavailable:
        sys.exit(f"neo4j: {unavailable}")
    except KeyboardInterrupt:
        with contextlib.suppress(KeyboardInterrupt):  # a second one does not want to wait
            server.stop()
    finally:
        server.kill()
        if options.data_dir is None:
            shutil.rmtree(home, ignore_errors=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.neo4j", description=__doc__)
    parser.add_argument("--data-dir", type=Path, help="keep the data here; else it is temporary")
    parser.add_argument("--port", type=int, help="Bolt port; else a free one")
    parser.add_argument("--while-pid", type=int, help="end when this process has ended")
    parser.add_argument("--uri-file", type=Path, help="write the URI here once it is ready")
    return parser.parse_args()


def _stay(server: Neo4jServer, owner: int | None) -> None:
    """Return when the server has ended, or whom it is for."""
    while server.running and (owner is None or _lives(owner)):
        time.sleep(POLL_S)


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _write_whole(path: Path, text: str) -> None:
    """Write so that a reader finds all of it or nothing."""
    half = path.with_suffix(".half")
    half.write_text(text, encoding="utf-8")
    half.rename(path)


if __name__ == "__main__":
    main()
