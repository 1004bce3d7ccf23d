import os
import tempfile
import threading
import time
from pathlib import Path

import pytest
import structlog.testing
from kombu.exceptions import OperationalError

from tilework.core.errors import UnavailableError
from tilework.core.periodic_thread import PeriodicThread
from tilework.worker.celery_app import create_celery
from tilework.worker.heartbeat import (
    STALE_AFTER_S,
    heartbeat_file,
    is_beating,
    touch_heartbeat_file,
)
from tilework.worker.shutdown import ShutdownSignal


def test_thread_continues_after_errors_which_are_logged_once() -> None:
    finished = threading.Event()
    alive_rounds: list[int] = []
    number = 0

    def run_once() -> None:
        nonlocal number
        number += 1
        if number <= 2:
            raise ConnectionError("no database")
        if number == 3:
            raise UnavailableError("database-unavailable", "no database")
        if number == 6:
            finished.set()

    thread = PeriodicThread("reconciler", run_once, 0.001, lambda: alive_rounds.append(number))
    with structlog.testing.capture_logs() as lines:
        thread.start()
        assert finished.wait(60)
        thread.stop()
        thread.join()
    assert alive_rounds[:4] == [3, 4, 5, 6]
    assert [line["log_level"] for line in lines] == ["error", "info"]
    PeriodicThread("never started", lambda: None, 1.0).stop()


def test_only_a_recent_heartbeat_is_alive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    touch_heartbeat_file()  # works without a file
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    file = heartbeat_file()
    assert str(os.getuid()) in file.name  # each user has their own
    assert not is_beating(file)
    touch_heartbeat_file()
    assert is_beating(file)
    expired = time.time() - STALE_AFTER_S - 1
    os.utime(file, (expired, expired))
    assert not is_beating(file)


def test_callback_registered_after_the_signal_runs_immediately() -> None:
    calls = []
    should_stop = ShutdownSignal()
    assert not should_stop()
    should_stop.request()
    should_stop.on_shutdown(lambda: calls.append("stop"))
    assert should_stop()
    assert calls == ["stop"]


def test_worker_reconnects_to_its_broker_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kombu.utils.functional.sleep", lambda _: None)
    pauses: list[float] = []
    app = create_celery("redis://127.0.0.1:1/0", lambda *_: None)
    with app.connection_for_read() as connection, pytest.raises(OperationalError):
        connection.ensure_connection(lambda _error, pause: pauses.append(pause), max_retries=20)
    assert len(pauses) == 20
    assert max(pauses) <= 5
