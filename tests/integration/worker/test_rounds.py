from __future__ import annotations

import threading
from itertools import count

import structlog.testing

from tilework.worker.rounds import Rounds


def test_it_goes_on_after_errors_and_tells_once() -> None:
    rounds = count(1)
    enough = threading.Event()
    successes: list[int] = []

    def run_once() -> None:
        number = next(rounds)
        if number <= 3:
            raise ConnectionError("database is away")
        if number == 6:
            enough.set()

    rounds_of = Rounds("reconciler", run_once, 0.001, lambda: successes.append(1))
    with structlog.testing.capture_logs() as lines:
        rounds_of.start()
        assert enough.wait(10)
        rounds_of.stop()
    assert not rounds_of.is_alive()
    assert len(successes) >= 3
    assert [line["log_level"] for line in lines] == ["error", "info"]


def test_stopping_before_the_start_is_fine() -> None:
    Rounds("reconciler", lambda: None, 1.0).stop()
