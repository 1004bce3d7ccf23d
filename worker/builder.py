"""``python -m worker.builder``: build a host's missing pattern databases, then end.

A process of its own, so that it can stand back behind every search; it ends with the worker that
started it, however that ends: its standard input is a pipe whose other end the worker holds.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Final

import structlog

from core.logs import configure_logs
from core.pdb.budget import plan
from core.pdb.builder import build_missing
from core.pdb.files import bytes_of
from core.pdb.progress import forget_building

NICENESS: Final = 10
"""A tenth of a busy core: the sooner a database is there, the fewer nodes every search takes."""

_KILL_ME_FIRST: Final = 500
"""Out of a thousand: where memory ends, Linux is to end this process and no search."""

log = structlog.get_logger()


def main() -> None:
    """Build the default databases that are missing from a folder and fit a budget of bytes."""
    parser = argparse.ArgumentParser(prog="python -m worker.builder")
    parser.add_argument("folder", type=Path)
    parser.add_argument("budget", type=int)
    arguments = parser.parse_args()
    configure_logs("builder")
    _stand_back()
    _end_with_the_worker(arguments.folder)
    defaults = plan(arguments.folder, arguments.budget)
    for partition in defaults.over:
        log.warning(
            f"the databases {partition.title} do not fit TILEWORK_PDB_BUDGET and are not built",
            bytes=bytes_of(partition),
        )
    build_missing(defaults.within, arguments.folder)


def _stand_back() -> None:
    os.nice(NICENESS)
    score = Path("/proc/self/oom_score_adj")
    if score.exists():
        score.write_text(str(_KILL_ME_FIRST))


def _end_with_the_worker(folder: Path) -> None:
    # A signal to the worker's whole group is the worker's to heed.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)  # nothing is ever written: the pipe's end
        forget_building(folder)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main()
