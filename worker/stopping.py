"""How a worker hears that it is to stop, whatever it does at that moment.

Python runs a signal's handler in the main thread, between two steps of Python: not while a kernel
is compiled or runs there, which may take longer than whoever stops the worker will wait. So a
thread of its own hears the signals, at once; and where the main thread has not come to its end
after some seconds, it ends the process. Nothing is lost by that: what was leased is done again from
where it began, and a file that is being written has its name only when it is whole.

Invariant: imports nothing but the standard library's smallest parts, so that signals are heard from
a worker's first line on.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from typing import Final

LONGEST_S: Final = 3.0
"""From a signal to the end of the process; ``tilework up`` kills what has not ended after four."""

_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Stopping:
    """Whether the process was asked to stop; searches look at it between two bursts."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._hears = False
        self._stop_warmly: Callable[[], object] | None = None

    def __call__(self) -> bool:
        return self._event.is_set()

    def ask(self) -> None:
        """Ask the process to stop."""
        with self._lock:
            self._event.set()
            if self._stop_warmly is not None:
                self._stop_warmly()

    def warmly(self, stop: Callable[[], object]) -> None:
        """From now on there is work to be brought to an end.

        Parameters
        ----------
        stop : callable
            Lets the main thread come to its end; called from another thread, now if the process
            was asked already.
        """
        with self._lock:
            self._stop_warmly = stop
            if self._event.is_set():
                stop()

    def hear_signals(self) -> None:
        """Let the signals that end a process ask from now on; call it in the main thread.

        Until there is work, they end the process at once, with exit code 0. After that it has
        `LONGEST_S` to come to its end.
        """
        if self._hears:
            return
        self._hears = True
        reader, writer = os.pipe()
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        threading.Thread(target=self._listen, args=(reader,), name="signals", daemon=True).start()
        for number in _SIGNALS:
            # Only to have the byte written.
            signal.signal(number, lambda *_: None)

    def _listen(self, reader: int) -> None:
        os.read(reader, 1)
        self.ask()
        if self._stop_warmly is not None:
            threading.Event().wait(LONGEST_S)
        os._exit(os.EX_OK)
