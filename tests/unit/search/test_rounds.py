"""Rounds of tries on threads: outcomes in the order of the tries, whichever ends first."""

from __future__ import annotations

import time

import pytest

from tilework.core.search.limits import Limits
from tilework.core.search.rounds import Rounds


def never(_outcome):
    return False


def waiting(seconds, value):
    def attempt(limits):
        began = time.perf_counter()
        while time.perf_counter() - began < seconds:
            if limits.reached(time.perf_counter() - began) is not None:
                return "stopped"
            time.sleep(0.005)
        return value

    return attempt


def rounds(threads=2, tick=lambda: None, **limits):
    return Rounds(threads, Limits(**limits), tick)


def test_outcomes_are_in_the_order_of_the_tries():
    ended = []
    with rounds(threads=3) as running:
        tries = [waiting(0.15, "a"), waiting(0.05, "b"), waiting(0.1, "c"), waiting(0.0, "d")]
        outcomes = running.run(tries, None, ended.append)
    assert outcomes == ["a", "b", "c", "d"]
    assert ended != outcomes


@pytest.mark.parametrize("first_s", [0.0, 0.2])
def test_the_first_in_the_list_that_is_good_enough_ends_a_round(first_s):
    with rounds(threads=4) as running:
        tries = [
            waiting(0.1, "poor"),
            waiting(first_s, "good"),
            waiting(0.05, "good"),
            waiting(30, "endless"),
        ]
        began = time.perf_counter()
        assert running.run(tries, None, lambda one: one == "good") == ["poor", "good"]
        assert time.perf_counter() - began < 2


def test_limits_are_shared():
    seen = []
    with rounds(threads=4, memory_bytes=1_000, seconds=10.0) as running:
        running.run([seen.append] * 5, 100, never)
        running.run([seen.append], None, never)
    assert {limits.nodes for limits in seen[:5]} == {20}
    assert {limits.memory_bytes for limits in seen} == {250}
    assert all(9 < limits.seconds <= 10 for limits in seen)
    assert seen[5].nodes is None


def test_what_time_keeps_from_beginning_has_no_outcome():
    with rounds(threads=1, seconds=0.1) as running:
        assert running.run([waiting(5, "late"), waiting(0, "later")], None, never) == [
            "stopped",
            None,
        ]
        assert running.seconds_left == 0


def test_a_cancel_is_asked_in_the_calling_thread_and_heard_by_all():
    asked = []

    def cancelled():
        asked.append(time.perf_counter())
        return len(asked) > 3

    with rounds(cancelled=cancelled) as running:
        began = time.perf_counter()
        assert running.run([waiting(9, ""), waiting(9, "")], None, never) == ["stopped"] * 2
        assert time.perf_counter() - began < 1
        assert running.cancelled


def test_an_interrupt_in_the_calling_thread_ends_the_tries():
    def interrupted():
        raise KeyboardInterrupt

    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt), rounds(tick=interrupted) as running:
        running.run([waiting(9, ""), waiting(9, "")], None, never)
    assert time.perf_counter() - began < 1
