"""A real worker process whose task records its tickets in the broker."""

import os
import sys
import time
from pathlib import Path

from redis import Redis

from tilework.core.logs import configure_logs
from tilework.core.services.tickets import NoTickets
from tilework.worker.celery_app import create_celery
from tilework.worker.lifecycle import consume, register_task
from tilework.worker.message_validation import RejectionLog
from tilework.worker.shutdown import ShutdownSignal


def run_recording_worker(url: str, socket_path: str, queues: str, log: Path | None = None) -> None:
    if log is not None:
        with log.open("wb") as errors:
            os.dup2(errors.fileno(), sys.stderr.fileno())
    configure_logs("worker")
    rejections = RejectionLog()
    should_stop = ShutdownSignal()
    notes = Redis(unix_socket_path=socket_path)

    def serve(queue: str) -> bool:
        notes.rpush("notes", queue)
        while not should_stop() and notes.get("block"):
            time.sleep(0.01)
        if should_stop():
            notes.rpush("notes", "stopped")
        return False

    def reject(queue: str, reason: str, size: int) -> None:
        rejections(queue, reason, size)
        notes.incr("rejected")

    app = create_celery(url, reject)
    register_task(app, serve, NoTickets())
    sys.exit(
        consume(app, queues.split(","), should_stop, lambda: notes.rpush("ready", "x") and None)
    )
