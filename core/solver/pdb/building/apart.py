"""Build pattern databases in a separate process.

``python -m tilework.core.solver.pdb.building.apart`` ends with the process that started it, however
that ends: its standard input is a pipe whose other end that process holds. See
`tilework.core.solver.pdb.building.process`.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Final

from tilework.core.logs import configure_logs
from tilework.core.solver.kits import ALL_KITS, compile_kit
from tilework.core.solver.pdb.building.builder import abandon, build_missing
from tilework.core.solver.pdb.patterns import partition_titled

NICENESS: Final = 10
"""A tenth of a busy core: the sooner it is ready, the fewer nodes every search takes."""

_KILL_ME_FIRST: Final = 500
"""Out of a thousand: if memory runs out, Linux is to kill this process and not a search."""


def main() -> None:
    """Build those of the named partitions that a folder lacks."""
    parser = argparse.ArgumentParser(prog="python -m tilework.core.solver.pdb.building.apart")
    parser.add_argument("folder", type=Path)
    parser.add_argument("titles", nargs="+", help="as in “5x5 6-6-6-6”")
    parser.add_argument("--behind", action="store_true", help="stand back behind every search")
    parser.add_argument("--quiet", action="store_true", help="tell of nothing but failures")
    parser.add_argument("--kernels", action="store_true", help="compile all of them first")
    arguments = parser.parse_args()
    _end_with_the_starter(arguments.folder)
    configure_logs("builder", logging.WARNING if arguments.quiet else logging.INFO)
    if arguments.behind:
        os.nice(NICENESS)
    _be_the_first_to_be_killed()
    if arguments.kernels:
        for kit in ALL_KITS:
            compile_kit(kit)
    build_missing(map(partition_titled, arguments.titles), arguments.folder)


def _be_the_first_to_be_killed() -> None:
    score = Path("/proc/self/oom_score_adj")
    if score.exists():
        score.write_text(str(_KILL_ME_FIRST))


def _end_with_the_starter(folder: Path) -> None:
    # A signal to the whole group is handled by the process that started this one.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)

    def watch() -> None:
        os.read(sys.stdin.fileno(), 1)  # nothing is ever written: the pipe's end
        abandon(folder)
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()


if __name__ == "__main__":
    main()
