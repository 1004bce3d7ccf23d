"""How a worker takes messages, answers Celery's tools and ends: Celery's own classes, adapted."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from typing import Any, Final

from celery import bootsteps
from celery.apps.worker import Worker
from celery.worker import consumer, pidbox, state
from celery.worker.request import Request
from kombu import Connection

from tilework.core.logs import FailureLog

_RETRIES: Final = {"interval_start": 1, "interval_step": 1, "interval_max": 5}
"""Pauses between attempts to reach a broker (seconds).

Celery's own pauses grow to half a minute, which would delay work after the broker is back.
"""

_CONTROL_PAUSE_S: Final = 1.0

_connecting = FailureLog("connecting to the broker")
_answering = FailureLog("answering remote control")


class Consumer(consumer.Consumer):  # type: ignore[misc]
    class Blueprint(consumer.Consumer.Blueprint):  # type: ignore[misc]
        default_steps = (*consumer.Consumer.Blueprint.default_steps, f"{__name__}:ControlThread")

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        # What kombu raises for a message that is not JSON, or not Celery's. The message is gone;
        # connecting again restores the consumer's state.
        self.channel_errors += (ValueError, TypeError, AttributeError, RecursionError)

    def ensure_connected(self, conn: Connection) -> Connection:
        """Wait for the broker indefinitely."""
        conn.ensure_connection(
            lambda error, _pause_s: _connecting.fail(f"{conn.as_uri()}: {error}"),
            callback=state.maybe_shutdown,
            **_RETRIES,
        )
        _connecting.succeed()
        return conn


class ControlThread(bootsteps.StartStopStep):  # type: ignore[misc]
    """Answers ``celery inspect`` and ``celery control`` in a thread.

    In a solo pool, Celery itself answers only between two tasks, when none is active.
    """

    requires = ("celery.worker.consumer.tasks:Tasks",)

    def __init__(self, consumer: Consumer, **options: Any) -> None:
        super().__init__(consumer, **options)
        self._box = _ThreadPidbox(consumer)

    def start(self, consumer: Consumer) -> None:
        self._box.start(consumer)

    def stop(self, consumer: Consumer) -> None:
        self._box.on_stop()

    shutdown = stop


class _ThreadPidbox(pidbox.gPidbox):  # type: ignore[misc]
    def start(self, consumer: Consumer) -> None:
        threading.Thread(target=self._run, args=(consumer,), name="control", daemon=True).start()

    def _run(self, consumer: Consumer) -> None:
        # Once the consumer has another connection, it has started another thread.
        connection = consumer.connection
        while connection is not None and consumer.connection is connection:
            try:
                self.loop(consumer)
                return
            except SystemExit:  # `celery control shutdown`
                os.kill(os.getpid(), signal.SIGTERM)
                return
            except Exception as error:
                _answering.fail(str(error))
                time.sleep(_CONTROL_PAUSE_S)


class WorkRequest(Request):  # type: ignore[misc]
    """A request whose keyword arguments, once work is claimed, are its solves and jobs."""

    def info(self, safe: bool = False) -> dict[str, Any]:
        return {**super().info(safe), "kwargs": self.task.claimed()}


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
