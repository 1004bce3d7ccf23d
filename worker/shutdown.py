"""Shuts a worker down, whatever it is doing at that moment.

Python runs signal handlers only between two bytecode instructions, not while a kernel runs. So a
thread receives the signals, and exits the process if the main thread has not done so within a few
seconds. Nothing is lost: leased work is repeated from its last cursor.

Invariant: this module imports only small parts of the standard library, so that signals are handled
from a worker's first line on.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Final

MAX_SHUTDOWN_S: Final = 3.0
"""Maximum time from a signal to the exit; ``tilework up`` kills it after four seconds."""

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class ShutdownSignal:
    """Whether the process was asked to stop; searches check it between two steps."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._is_handling = False
        self._on_shutdown: Callable[[], object] | None = None

    def __call__(self) -> bool:
        return self._event.is_set()

    def request(self) -> None:
        with self._lock:
            self._event.set()
            if self._on_shutdown is not None:
                self._on_shutdown()

    def on_shutdown(self, stop: Callable[[], object]) -> None:
        """Register a function that stops the work; if shutdown was requested, call it now.

        It is called in another thread.
        """
        with self._lock:
            self._on_shutdown = stop
            if self._event.is_set():
                stop()

    def handle_signals(self) -> None:
        """Handle the signals that end a process; call it in the main thread.

        Before work starts, they end the process immediately with code 0; after that, within
        `MAX_SHUTDOWN_S`.
        """
        if self._is_handling:
            return
        self._is_handling = True
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=self._listen, args=(reader,), name="signals", daemon=True).start()
        for number in _SIGNALS:
            # Needed so that the signal's number is written to the pipe.
            signal.signal(number, lambda *_: None)

    def _listen(self, reader: int) -> None:
        os.read(reader, 1)
        self.request()
        if self._on_shutdown is not None:
            threading.Event().wait(MAX_SHUTDOWN_S)
        os._exit(os.EX_OK)
