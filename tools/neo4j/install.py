"""Puts Neo4j Community into a cache directory, once: Maven fetches what `pom.xml` names.

The directory is `ANAMNESIS_NEO4J_CACHE_DIR`, else `anamnesis` under the user's cache directory.
"""

import fcntl
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

POM = Path(__file__).with_name("pom.xml")
JAVA_MIN = 17
FETCH_S_MAX = 900.0


class Neo4jUnavailable(Exception):
    """Neo4j cannot be had here; the message says what is missing."""


def missing_tools() -> str:
    """The sentence that says which tools are missing; empty if none is."""
    absent = [name for name in ("java", "mvn") if shutil.which(name) is None]
    if absent:
        return (
            f"{' and '.join(absent)} not found: install Java {JAVA_MIN} and Maven (on Debian: "
            f"apt-get install openjdk-{JAVA_MIN}-jre-headless maven), or name a running server "
            "in ANAMNESIS_NEO4J_URI"
        )
    told = subprocess.run(["java", "-version"], capture_output=True, text=True, check=False)  # noqa: S607
    found = re.search(r'version "(\d+)', told.stderr)
    if found is None or int(found[1]) < JAVA_MIN:
        told_version = found[1] if found else "of unknown version"
        return f"java is {told_version}, Neo4j needs {JAVA_MIN} or later"
    return ""


def version() -> str:
    """The version that `pom.xml` names."""
    found = re.search(r"<neo4j\.version>([^<]+)<", POM.read_text(encoding="utf-8"))
    assert found, "pom.xml names a version"
    return found[1]


def cache_directory() -> Path:
    """The directory in which servers are kept between runs."""
    named = os.environ.get("ANAMNESIS_NEO4J_CACHE_DIR")
    if named:
        return Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "anamnesis"


def installed() -> Path:
    """The directory of the server's jars, fetched if they are not there.

    Raises:
        Neo4jUnavailable: Java or Maven are missing, or Maven failed.
    """
    target = cache_directory() / f"neo4j-{version()}"
    if target.is_dir():
        return target
    if missing := missing_tools():
        raise Neo4jUnavailable(missing)
    target.parent.mkdir(parents=True, exist_ok=True)
    with _alone(target.with_suffix(".lock")):
        if not target.is_dir():
            _fetch(target)
    return target


def _fetch(target: Path) -> None:
    """Fetch beside the target and move it there whole, so that half a server is never used."""
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".neo4j-") as directory:
        jars = Path(directory) / "lib"
        command = ["mvn", "-B", "-q", "-f", str(POM), "dependency:copy-dependencies"]
        command += [f"-DoutputDirectory={jars}", "-DincludeScope=runtime"]
        try:
            subprocess.run(  # noqa: S603  # our own command
                command, capture_output=True, text=True, check=True, timeout=FETCH_S_MAX
            )
        except subprocess.CalledProcessError as error:
            told = (error.stdout + error.stderr)[-2000:]
            raise Neo4jUnavailable(f"Maven could not fetch Neo4j {version()}:\n{told}") from error
        except subprocess.TimeoutExpired as error:
            raise Neo4jUnavailable(f"Maven took over {FETCH_S_MAX:.0f} s") from error
        jars.rename(target)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """Hold a lock that other processes respect."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
