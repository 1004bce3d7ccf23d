"""Limits how long a worker takes to shut down, whatever it is doing at that moment.

Celery handles the signals in the main thread, between two bytecode instructions, so not while a
kernel or the compiler runs. A thread sees them at once, tells the search to stop, and exits the
process if it has not ended within a few seconds. Nothing is lost: leased work is repeated from its
last cursor.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any, Final

from celery.apps.worker import Worker

MAX_SHUTDOWN_S: Final = 3.0
"""Maximum time from a signal to the exit; ``tilework up`` kills it after four seconds."""

_SIGNALS: Final = {signal.SIGTERM, signal.SIGINT, signal.SIGQUIT, signal.SIGHUP}


class ShutdownSignal:
    """Whether the process was asked to stop; searches check it between two steps."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def __call__(self) -> bool:
        return self._event.is_set()

    def watch(self) -> None:
        """Watch for the signals that Celery handles; call it in the main thread."""
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=self._listen, args=(reader,), name="signals", daemon=True).start()

    def _listen(self, reader: int) -> None:
        while not _SIGNALS.intersection(os.read(reader, 1)):
            pass
        self._event.set()
        threading.Event().wait(MAX_SHUTDOWN_S)
        os._exit(os.EX_OK)


def exit_at_once(sender: Worker, **_details: Any) -> None:
    """End the process of a worker that has stopped.

    Shutting down an interpreter with compiled kernels takes half a second of processor time, or
    several seconds if all workers of a busy host stop together.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(int(sender.exitcode or os.EX_OK))
