"""Limits of searches, and rounds of trials on threads: outcomes in the order of the trials."""

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
    for left, nodes in ((limits, 10), (limits.after(1.0, 10), 5), (limits.after(1.0, 20), 1)):
        left.check(0.0, nodes)
    assert reports == [10, 15, 21]


def rounds(threads=2, tick=lambda: None, **limits):
    return DeterministicPool(threads, Limits(**limits), tick)


def never(_outcome):
    return False


def stopped(limits):
    """A trial that runs until it is stopped."""
    while not limits.cancelled():
        time.sleep(0.001)
    return "stopped"


def sleep_then(event, value):
    """A trial that ends when an event is set."""

    def attempt(_limits):
        assert event.wait(300)
        return value

    return attempt


def test_outcomes_are_in_the_order_of_the_trials():
    ended, last_ended = [], Event()

    def end(outcome):
        ended.append(outcome)
        if outcome == "c":
            last_ended.set()

    with rounds(threads=3) as running:
        trials = [sleep_then(last_ended, "a"), lambda _limits: "b", lambda _limits: "c"]
        assert running.run(trials, None, end) == ["a", "b", "c"]
    assert ended[-1] == "a"


def test_first_sufficient_trial_ends_a_round():
    another_ended = Event()

    def good(outcome):
        if outcome == "good":
            another_ended.set()
        return outcome != "poor"

    trials = [
        lambda _limits: "poor",
        sleep_then(another_ended, "late, but good"),
        lambda _limits: "good",
    ]
    with rounds(threads=4) as running:
        # Trials before a sufficient one are completed, later ones are not.
        assert running.run([*trials, stopped], None, good) == ["poor", "late, but good"]
        assert running.run([lambda _limits: "good", stopped], None, good) == ["good"]


def test_limits_are_shared():
    seen = []
    with rounds(threads=4, memory_bytes=1_000, seconds=10_000.0) as running:
        running.run([seen.append] * 5, 100, never)
        running.run([seen.append], None, never)
    assert {limits.nodes for limits in seen[:5]} == {20}
    assert {limits.memory_bytes for limits in seen} == {250}
    assert all(0 < limits.seconds <= 10_000 for limits in seen)
    assert seen[5].nodes is None


def test_time_limit_stops_trials(monkeypatch):
    clock = SimpleNamespace(now=0.0)
    monkeypatch.setattr("tilework.core.search.deterministic_pool.search_clock", lambda: clock.now)

    def long(limits):
        assert limits.seconds == 10.0
        clock.now = 10.0
        return stopped(limits)

    with rounds(threads=1, seconds=10.0) as running:
        assert running.run([long, stopped], None, never) == ["stopped", None]
        assert running.seconds_left == 0


def test_cancellation_is_polled_once_and_stops_all_threads():
    begun = [Event(), Event()]

    def begins(number):
        def attempt(limits):
            begun[number].set()
            return stopped(limits)

        return attempt

    with rounds(cancelled=lambda: all(event.is_set() for event in begun)) as running:
        assert running.run([begins(0), begins(1)], None, never) == ["stopped"] * 2
        assert running.cancelled


def test_interrupt_stops_the_trials():
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), rounds(tick=interrupted) as running:
        running.run([stopped, stopped], None, never)
