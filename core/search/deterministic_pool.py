"""A thread pool whose results do not depend on timing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Self, TypeVar

from tilework.core.search.limits import Limits, search_clock

Outcome = TypeVar("Outcome")
_TICK_S = 0.05  # interval between checks for cancellation


class DeterministicPool:
    """Runs rounds of tasks on threads; leaving the context cancels those that still run."""

    def __init__(self, threads: int, limits: Limits, tick: Callable[[], object]) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="search")
        self.threads = threads
        self._limits = limits
        self._deadline = None if limits.seconds is None else search_clock() + limits.seconds
        self._tick = tick
        self._stopping = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._pool.shutdown(cancel_futures=True)

    @property
    def seconds_left(self) -> float | None:
        """The seconds left, at least 0; None without a limit."""
        if self._deadline is None:
            return None
        return max(0.0, self._deadline - search_clock())

    @property
    def cancelled(self) -> bool:
        if not self._stopping.is_set() and self._limits.cancelled():
            self._stopping.set()
        return self._stopping.is_set()

    def run(
        self,
        tasks: Sequence[Callable[[Limits], Outcome]],
        nodes: int | None,
        is_final: Callable[[Outcome], bool],
    ) -> list[Outcome | None]:
        """Run one round of tasks; return their outcomes in the order of the tasks.

        Parameters
        ----------
        tasks : sequence of callables; each takes its limits: the seconds left when it starts, an
            equal share of the nodes, and one thread's share of the memory
        nodes : int or None; for all tasks together
        is_final : callable; called with each outcome as it arrives; True ends the round

        Returns
        -------
        list; the outcomes up to the first final one. The tasks before it run to their end, so that
            it is always the same one. None for a task that did not start in time.
        """
        nodes_each = None if nodes is None else max(1, nodes // len(tasks))
        memory = self._limits.memory_bytes
        memory_each = None if memory is None else memory // self.threads
        last = len(tasks) - 1

        def attempt(place: int) -> Outcome | None:
            def cancelled() -> bool:
                # Time is a reason, too: a search of several steps then need not divide it.
                return self._stopping.is_set() or place > last or self.seconds_left == 0

            if cancelled():
                return None
            return tasks[place](Limits(self.seconds_left, nodes_each, memory_each, cancelled))

        places: dict[Future[Outcome | None], int] = {
            self._pool.submit(attempt, place): place for place in range(len(tasks))
        }
        outcomes: dict[int, Outcome | None] = {}
        pending = set(places)
        while pending:
            done, pending = wait(pending, _TICK_S, FIRST_COMPLETED)
            for future in done:
                place = places[future]
                outcomes[place] = outcome = future.result()
                if outcome is not None and is_final(outcome):
                    last = min(last, place)
            self._tick()
            if self.cancelled:
                self._stopping.set()
        return [outcomes[place] for place in range(last + 1)]
