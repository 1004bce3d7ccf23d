"""Limits of searches, and tasks on threads whose outcomes are in their order."""

import time
from threading import Event
from types import SimpleNamespace

import pytest

from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.optimal.subtrees import run_in_order


def test_limits_are_distinguished():
    for limits, reason in (
        (Limits(), None),
        (Limits(seconds=2.01, nodes=101, memory_bytes=1000), None),
        (Limits(seconds=2.0), StopReason.TIME),
        (Limits(nodes=100), StopReason.NODES),
        (Limits(memory_bytes=999), StopReason.MEMORY),
        (Limits(cancelled=lambda: True, nodes=0), StopReason.CANCELLED),
        # The first limit is reproducible, the second depends on the machine.
        (Limits(seconds=1, nodes=10), StopReason.NODES),
    ):
        assert limits.check(seconds=2.0, nodes=100, memory_bytes=1000) is reason
    # A limit on something that a search does not count only stops it if it is 0.
    assert Limits(nodes=1, memory_bytes=0).check(0.0) is None
    assert Limits(nodes=0).check(0.0) is StopReason.NODES
    reports: list[int] = []
    limits = Limits(nodes=100, report=reports.append)
    for remaining, nodes in ((limits, 10), (limits.after(1.0, 10), 5), (limits.after(1.0, 20), 1)):
        remaining.check(0.0, nodes)
    assert reports == [10, 15, 21]


def run(tasks, is_final=lambda _outcome: False, threads=2, tick=lambda: None, **limits):
    return run_in_order(tasks, threads, Limits(**limits), tick, is_final)


def wait_for_stop(is_over):
    """A task that runs until it is stopped."""
    while not is_over():
        time.sleep(0.001)
    return "stopped"


def sleep_then(event, value):
    """Return a task that waits for an event, then returns a value."""

    def attempt(_is_over):
        assert event.wait(300)
        return value

    return attempt


def test_outcomes_are_in_the_order_of_the_tasks():
    outcomes, last_ended = [], Event()

    def record_outcome(outcome):
        outcomes.append(outcome)
        if outcome == "c":
            last_ended.set()

    tasks = [sleep_then(last_ended, "a"), lambda _is_over: "b", lambda _is_over: "c"]
    assert run(tasks, record_outcome, threads=3) == ["a", "b", "c"]
    assert outcomes[-1] == "a"


def test_first_sufficient_task_ends_the_run():
    good_ended = Event()

    def is_good(outcome):
        if outcome == "good":
            good_ended.set()
        return outcome != "poor"

    late = sleep_then(good_ended, "late, but good")
    tasks = [lambda _is_over: "poor", late, lambda _is_over: "good", wait_for_stop]
    # Tasks before the first sufficient one are completed; later ones are not.
    assert run(tasks, is_good, threads=4) == ["poor", "late, but good"]
    assert run([lambda _is_over: "good", wait_for_stop], is_good, threads=4) == ["good"]


def test_time_limit_stops_tasks(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr("tilework.core.solver.optimal.subtrees.search_clock", lambda: clock.now)

    def use_all_time(is_over):
        clock.now = 10.0
        return wait_for_stop(is_over)

    assert run([use_all_time, wait_for_stop], threads=1, seconds=10.0) == ["stopped", None]


def test_cancellation_stops_all_threads():
    started = [Event(), Event()]

    def make_task(number):
        def attempt(is_over):
            started[number].set()
            return wait_for_stop(is_over)

        return attempt

    def cancelled():
        return all(event.is_set() for event in started)

    assert run([make_task(0), make_task(1)], cancelled=cancelled) == ["stopped"] * 2


def test_interrupt_stops_the_tasks():
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run([wait_for_stop, wait_for_stop], tick=interrupt)
