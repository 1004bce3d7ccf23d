"""A real worker of Celery whose task records its messages in the broker."""

import os
import sys
import time
from pathlib import Path
from typing import Any

from celery import bootsteps, signals
from redis import Redis

from tilework.worker.app import app, work
from tilework.worker.consumer import ShutdownSignal


def run_recording_worker(url: str, socket_path: str, queues: str, log: Path | None = None) -> None:
    if log is not None:
        with log.open("wb") as errors:
            os.dup2(errors.fileno(), sys.stderr.fileno())
    should_stop = ShutdownSignal()
    notes = Redis(unix_socket_path=socket_path)

    def serve(queue: str) -> None:
        notes.rpush("notes", queue)
        while not should_stop() and notes.get("block"):
            time.sleep(0.01)
        if should_stop():
            notes.rpush("notes", "stopped")

    class Recorder(bootsteps.StartStopStep):
        def start(self, _worker: Any) -> None:
            should_stop.watch()
            work.serve, work.claimed = serve, lambda: {"solves": ["s"], "jobs": ["j"]}

    def report_ready(**_details: Any) -> None:
        notes.rpush("ready", "x")

    signals.worker_ready.connect(report_ready, weak=False)
    app.steps["worker"] = {Recorder}
    os.environ["TILEWORK_BROKER_URL"] = url
    # As an engineer starts it who knows only Celery; `tilework worker` adds options.
    sys.exit(app.start(["--quiet", "worker", "--hostname", "w@h", "--queues", queues]) or 0)
