"""``python -m worker``: one worker process."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable

from core.errors import TileworkError
from core.logs import configure_logs
from core.settings import get_settings
from worker.celery_app import QUEUES


def main() -> int:
    """Run a worker as the arguments say; the exit code is 2 for arguments that cannot work."""
    arguments = _parser().parse_args()
    configure_logs(arguments.name)
    from worker.app import run_worker

    try:
        return run_worker(
            get_settings(), arguments.queues.split(","), _announcer(arguments.ready_fd)
        )
    except TileworkError as error:
        print(f"tilework worker: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m worker", description="Take work and do it.")
    parser.add_argument(
        "--queues",
        default=",".join(QUEUES),
        metavar="NAMES",
        help=f"comma-separated, of {', '.join(QUEUES)} (all)",
    )
    parser.add_argument("--name", default="worker", help="head of this process's log lines")
    parser.add_argument(
        "--ready-fd",
        type=int,
        metavar="N",
        help="open file descriptor that gets one byte when the worker has loaded what it needs",
    )
    return parser


def _announcer(descriptor: int | None) -> Callable[[], None]:
    def announce() -> None:
        if descriptor is not None:
            os.write(descriptor, b"\n")
            os.close(descriptor)

    return announce


if __name__ == "__main__":
    sys.exit(main())
