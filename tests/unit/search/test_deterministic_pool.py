"""Limits of searches, and a thread pool that returns outcomes in the order of the trials."""

import time
from threading import Event
from types import SimpleNamespace

import pytest

from tilework.core.search.deterministic_pool import DeterministicPool
from tilework.core.search.limits import Limits, StopReason


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


def make_pool(threads=2, tick=lambda: None, **limits):
    return DeterministicPool(threads, Limits(**limits), tick)


def reject_all(_outcome):
    return False


def wait_for_stop(limits):
    """A trial that runs until it is stopped."""
    while not limits.cancelled():
        time.sleep(0.001)
    return "stopped"


def sleep_then(event, value):
    """Return a trial that waits for an event, then returns a value."""

    def attempt(_limits):
        assert event.wait(300)
        return value

    return attempt


def test_outcomes_are_in_the_order_of_the_trials():
    outcomes, last_ended = [], Event()

    def record_outcome(outcome):
        outcomes.append(outcome)
        if outcome == "c":
            last_ended.set()

    with make_pool(threads=3) as pool:
        trials = [sleep_then(last_ended, "a"), lambda _limits: "b", lambda _limits: "c"]
        assert pool.run(trials, None, record_outcome) == ["a", "b", "c"]
    assert outcomes[-1] == "a"


def test_first_sufficient_trial_ends_the_run():
    good_ended = Event()

    def is_good(outcome):
        if outcome == "good":
            good_ended.set()
        return outcome != "poor"

    late = sleep_then(good_ended, "late, but good")
    trials = [lambda _limits: "poor", late, lambda _limits: "good"]
    with make_pool(threads=4) as pool:
        # Trials before the first sufficient one are completed; later ones are not.
        assert pool.run([*trials, wait_for_stop], None, is_good) == ["poor", "late, but good"]
        assert pool.run([lambda _limits: "good", wait_for_stop], None, is_good) == ["good"]


def test_limits_are_shared():
    received = []
    with make_pool(threads=4, memory_bytes=1_000, seconds=10_000.0) as pool:
        pool.run([received.append] * 5, 100, reject_all)
        pool.run([received.append], None, reject_all)
    assert {limits.nodes for limits in received[:5]} == {20}
    assert {limits.memory_bytes for limits in received} == {250}
    assert all(0 < limits.seconds <= 10_000 for limits in received)
    assert received[5].nodes is None


def test_time_limit_stops_trials(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr("tilework.core.search.deterministic_pool.search_clock", lambda: clock.now)

    def use_all_time(limits):
        assert limits.seconds == 10.0
        clock.now = 10.0
        return wait_for_stop(limits)

    with make_pool(threads=1, seconds=10.0) as pool:
        assert pool.run([use_all_time, wait_for_stop], None, reject_all) == ["stopped", None]
        assert pool.seconds_left == 0


def test_cancellation_is_polled_once_and_stops_all_threads():
    started = [Event(), Event()]

    def make_trial(number):
        def attempt(limits):
            started[number].set()
            return wait_for_stop(limits)

        return attempt

    with make_pool(cancelled=lambda: all(event.is_set() for event in started)) as pool:
        assert pool.run([make_trial(0), make_trial(1)], None, reject_all) == ["stopped"] * 2
        assert pool.cancelled


def test_interrupt_stops_the_trials():
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), make_pool(tick=interrupt) as pool:
        pool.run([wait_for_stop, wait_for_stop], None, reject_all)
