"""A Neo4j Community server as a child process: started, stopped, killed, started again.

For tests and for developers. It listens on loopback only, without a password, keeps its data
under one directory and its memory small.
"""

import contextlib
import socket
import subprocess
import time
from pathlib import Path

from neo4j import GraphDatabase
from neo4j.exceptions import DriverError, Neo4jError

from tools.neo4j.install import Neo4jUnavailable, installed

READY_S_MAX = 60.0
STOP_S_MAX = 15.0
POLL_S = 0.25

_JVM = (
    "-Xms64m",
    "-Xmx512m",
    # a small machine that starts servers often: the plain collector, known classes not verified
    "-XX:+UseSerialGC",
    "-XX:+UnlockDiagnosticVMOptions",
    "-XX:-BytecodeVerificationRemote",
    "-XX:-OmitStackTraceInFastThrow",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dfile.encoding=UTF-8",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
)

# who starts it to kill it soon wants the quick compiler alone
_SHORT_LIVED = "-XX:TieredStopAtLevel=1"

# graphs of tests are small and many: a plan made for one of them is good for the next
_PLANS_KEPT = """\
dbms.cypher.min_replan_interval=1h
dbms.cypher.statistics_divergence_threshold=1.0
"""

_CONF = """\
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{port}
server.bolt.advertised_address=127.0.0.1:{port}
server.http.enabled=false
server.https.enabled=false
server.memory.pagecache.size=64m
server.directories.data={home}/data
server.directories.logs={home}/logs
dbms.security.auth_enabled=false
dbms.usage_report.enabled=false
db.transaction.timeout=30s
db.tx_log.preallocate=false
db.tx_log.rotation.size=16m
db.tx_log.rotation.retention_policy=keep_none
"""


class Neo4jServer:
    """One server; its data is in `home` and outlives it.

    One that is `shared` by many tests lives longer than others, and keeps its query plans.
    """

    def __init__(self, home: Path, port: int | None = None, *, shared: bool = False) -> None:
        self.home = home
        self.port = port or _free_port()
        self._shared = shared
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def uri(self) -> str:
        """The address for drivers, the same after each start."""
        return f"bolt://127.0.0.1:{self.port}"

    @property
    def running(self) -> bool:
        """True if the server's process lives."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The id of the server's process, while it runs."""
        assert self._process is not None
        return self._process.pid

    def start(self) -> str:
        """Start and wait until a driver is served.

        Returns:
            The server's version, as it tells the driver.

        Raises:
            Neo4jUnavailable: it cannot be fetched, or did not start.
        """
        jars = installed()
        self._configure()
        with (self.home / "console.log").open("ab") as console:
            self._process = subprocess.Popen(  # noqa: S603  # our own command
                self._command(jars),
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # Ctrl-C in a terminal is for us to pass on
            )
        return self._wait_until_ready()

    def stop(self) -> None:
        """Ask it to stop; after a while, make it."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_S_MAX)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it as a power loss would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _command(self, jars: Path) -> list[str]:
        entry = "org.neo4j.server.CommunityEntryPoint"
        places = [f"--home-dir={self.home}", f"--config-dir={self.home / 'conf'}"]
        compiler = () if self._shared else (_SHORT_LIVED,)
        return ["java", *_JVM, *compiler, "-cp", f"{jars}/*", entry, *places, "--console-mode"]

    def _configure(self) -> None:
        (self.home / "conf").mkdir(parents=True, exist_ok=True)
        conf = _CONF.format(port=self.port, home=self.home)
        if self._shared:
            conf += _PLANS_KEPT
        (self.home / "conf" / "neo4j.conf").write_text(conf, encoding="utf-8")

    def _wait_until_ready(self) -> str:
        give_up_s = time.monotonic() + READY_S_MAX
        with GraphDatabase.driver(self.uri) as driver:
            while time.monotonic() < give_up_s and self.running:
                with contextlib.suppress(DriverError, Neo4jError):
                    driver.verify_connectivity()
                    return driver.get_server_info().agent
                time.sleep(POLL_S)
        failed = "did not answer in time" if self.running else "ended at its start"
        self.kill()
        told = (self.home / "console.log").read_text(encoding="utf-8", errors="replace")
        raise Neo4jUnavailable(f"Neo4j in {self.home} {failed}:\n{told[-2000:]}")


def _free_port() -> int:
    """A port that nobody has now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
