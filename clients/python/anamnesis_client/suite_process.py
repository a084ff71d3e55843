"""The process of an embedded suite: `python -m anamnesis_client.suite_process DIRECTORY LISTEN`.

Serves until its standard input ends, which is when its owner does.
The suite is run as a program and not imported: the client knows its contracts only.
"""

import os
import runpy
import signal
import sys
import threading
import time

STOP_S_MAX = 30.0


def main(directory: str, listen: str) -> None:
    """Runs the suite until the owner is gone."""
    threading.Thread(target=_end_with_owner, daemon=True).start()
    sys.argv = ["anamnesis", "serve", "--listen", listen, "--data-dir", directory]
    runpy.run_module("anamnesis_cli.main", run_name="__main__")


def _end_with_owner() -> None:
    while os.read(0, 1024):  # not sys.stdin, whose lock an interpreter that ends would wait for
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOP_S_MAX)
    os._exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
