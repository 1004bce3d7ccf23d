"""A real worker process whose task notes in the broker what it was asked to do, and when."""

from __future__ import annotations

import sys
import time

from redis import Redis

from core.services.ports import NoTickets
from worker.celery_app import create_celery
from worker.lifecycle import consume
from worker.stopping import Stopping
from worker.tasks import register_task


def take_notes(url: str, socket_path: str, queues: str) -> None:
    stopping = Stopping()
    notes = Redis(unix_socket_path=socket_path)

    def serve(queue: str) -> bool:
        notes.rpush("notes", queue)
        deadline = time.monotonic() + (30.0 if notes.get("hold") else 0.0)
        while not stopping() and notes.get("hold") and time.monotonic() < deadline:
            time.sleep(0.01)
        if stopping():
            notes.rpush("notes", "stopped")
        return False

    app = create_celery(url)
    register_task(app, serve, NoTickets())
    sys.exit(consume(app, queues.split(","), stopping, lambda: notes.rpush("ready", "x") and None))
