"""A thread pool whose results do not depend on timing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Self, TypeVar

from tilework.core.search.limits import Limits, search_clock, searching_on_threads

Outcome = TypeVar("Outcome")
_TICK_S = 0.05  # interval between checks for cancellation


class DeterministicPool:
    """Runs rounds of tasks on threads; leaving the context cancels running tasks."""

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
        """The remaining seconds, at least 0; None without a limit."""
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
        nodes : int or None; limit for all tasks together
        is_final : callable; called with each outcome as it arrives; if true, the round ends

        Returns
        -------
        list; the outcomes up to the first final one, None for tasks that did not start in time. All
            tasks before the final one are completed, so the final one is always the same.
        """
        nodes_each = None if nodes is None else max(1, nodes // len(tasks))
        memory = self._limits.memory_bytes
        memory_each = None if memory is None else memory // self.threads
        last = len(tasks) - 1

        def attempt(index: int) -> Outcome | None:
            def cancelled() -> bool:
                # Also stop at the deadline, so that searches need not divide the time themselves.
                return self._stopping.is_set() or index > last or self.seconds_left == 0

            if cancelled():
                return None
            return tasks[index](Limits(self.seconds_left, nodes_each, memory_each, cancelled))

        indices: dict[Future[Outcome | None], int] = {
            self._pool.submit(attempt, index): index for index in range(len(tasks))
        }
        outcomes: dict[int, Outcome | None] = {}
        pending = set(indices)
        with searching_on_threads():
            while pending:
                completed, pending = wait(pending, _TICK_S, FIRST_COMPLETED)
                for future in completed:
                    index = indices[future]
                    outcomes[index] = outcome = future.result()
                    if outcome is not None and is_final(outcome):
                        last = min(last, index)
                self._tick()
                if self.cancelled:
                    self._stopping.set()
        return [outcomes[index] for index in range(last + 1)]
