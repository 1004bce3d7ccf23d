"""``python -m tilework.worker``: one worker process."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from tilework.worker.shutdown import ShutdownSignal


def main() -> int:
    """Run a worker; return the exit code, which is 2 for invalid arguments."""
    should_stop = ShutdownSignal()
    should_stop.handle_signals()
    # Imported after that, because loading these modules takes a second.
    from tilework.core.errors import TileworkError
    from tilework.core.logs import configure_logs
    from tilework.core.settings import get_settings
    from tilework.worker.celery_app import QUEUES

    arguments = _make_parser(QUEUES).parse_args()
    configure_logs(arguments.name)
    from tilework.worker.app import run_worker

    try:
        return run_worker(
            get_settings(),
            arguments.queues.split(","),
            _make_announcer(arguments.ready_fd),
            should_stop,
        )
    except TileworkError as error:
        print(f"tilework worker: {error}", file=sys.stderr)
        return 2


def _make_parser(queues: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tilework.worker", description="Run one worker process."
    )
    parser.add_argument(
        "--queues",
        default=",".join(queues),
        metavar="NAMES",
        help=f"queues to work on, separated by commas: {', '.join(queues)} (default: all)",
    )
    parser.add_argument("--name", default="worker", help="prefix of this process's log lines")
    parser.add_argument(
        "--ready-fd",
        type=int,
        metavar="N",
        help="open file descriptor to which the worker writes a byte when it is ready",
    )
    return parser


def _make_announcer(descriptor: int | None) -> Callable[[], None]:
    def announce() -> None:
        if descriptor is not None:
            os.write(descriptor, b"\n")
            os.close(descriptor)

    return announce


if __name__ == "__main__":
    code = main()
    # Shutting down an interpreter with compiled kernels takes half a second of processor time, or
    # several seconds if all workers of a busy host stop together.
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
