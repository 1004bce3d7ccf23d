"""Work on several threads, told in order."""

from __future__ import annotations

import threading

import pytest

from tilework.core.cli.solve.side_by_side import SideBySide


def test_results_are_told_in_the_order_in_which_work_was_given() -> None:
    told: list[int] = []
    second_done = threading.Event()
    with SideBySide(2, told.append) as threads:

        def first() -> int:
            assert second_done.wait(30)
            return 1

        def second() -> int:
            second_done.set()
            return 2

        threads.give(first)
        threads.give(second)
        threads.wait()
        assert told == [1, 2]
        assert not threads.busy


def test_a_result_is_told_while_nothing_more_is_given() -> None:
    came = threading.Event()
    with SideBySide[int](1, lambda _: came.set()) as threads:
        threads.give(lambda: 1)
        assert came.wait(30)


def test_no_more_is_taken_than_is_soon_done() -> None:
    go_on, given = threading.Event(), []

    def work() -> None:
        assert go_on.wait(30)

    def give_many() -> None:
        for number in range(20):
            threads.give(work)
            given.append(number)

    with SideBySide[None](2, lambda _: None) as threads:
        giver = threading.Thread(target=give_many)
        giver.start()
        giver.join(0.3)
        assert len(given) <= 4
        go_on.set()
        giver.join(30)
        threads.wait()
    assert len(given) == 20


@pytest.mark.parametrize("place", ["work", "telling"])
def test_what_fails_is_raised_to_who_gave_the_work(place: str) -> None:
    told: list[int] = []

    def work() -> int:
        if place == "work":
            raise ValueError("failed")
        return 1

    def tell(result: int) -> None:
        told.append(result)
        raise ValueError("failed")

    with SideBySide(2, tell) as threads:
        threads.give(work)
        with pytest.raises(ValueError, match="failed"):
            threads.wait()
        with pytest.raises(ValueError, match="failed"):
            threads.give(work)
    assert len(told) == (place == "telling")
