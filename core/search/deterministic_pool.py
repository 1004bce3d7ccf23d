"""Running searches on threads, round by round, so that what comes out does not depend on timing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from types import TracebackType
from typing import Self, TypeVar

from tilework.core.search.limits import Limits, search_clock

Outcome = TypeVar("Outcome")
_TICK_S = 0.05  # between two looks at whether the caller has cancelled


class DeterministicPool:
    """Threads for tries; leaving the context ends what still runs."""

    def __init__(self, threads: int, limits: Limits, tick: Callable[[], object]) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="try")
        self.threads = threads
        self._limits = limits
        self._deadline = None if limits.seconds is None else search_clock() + limits.seconds
        self._tick = tick
        self._stopping = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._pool.shutdown(cancel_futures=True)

    @property
    def seconds_left(self) -> float | None:
        """Seconds that are left, 0 at least; None where there is no limit."""
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
        tries: Sequence[Callable[[Limits], Outcome]],
        nodes: int | None,
        ends: Callable[[Outcome], bool],
    ) -> list[Outcome | None]:
        """Run tries, and return their outcomes in the same order.

        Parameters
        ----------
        tries : sequence of callables; each takes its limits: the seconds that are left when it
            begins, an equal part of the nodes, the memory that is for one of so many threads
        nodes : int or None; for all tries together
        ends : callable; is told each outcome, in the order in which they come, and returns whether
            it is good enough to end the round

        Returns
        -------
        list; outcomes up to the first in the list that is good enough; those before it are searched
            to their end, so that it is the same one whichever comes first. None for tries that time
            or a cancel kept from beginning.
        """
        each = None if nodes is None else max(1, nodes // len(tries))
        memory = self._limits.memory_bytes
        memory_each = None if memory is None else memory // self.threads
        last = len(tries) - 1

        def attempt(place: int) -> Outcome | None:
            def cancelled() -> bool:
                # A search that takes several steps need not share its time out among them.
                return self._stopping.is_set() or place > last or self.seconds_left == 0

            if cancelled():
                return None
            return tries[place](Limits(self.seconds_left, each, memory_each, cancelled))

        places: dict[Future[Outcome | None], int] = {
            self._pool.submit(attempt, place): place for place in range(len(tries))
        }
        outcomes: dict[int, Outcome | None] = {}
        pending = set(places)
        while pending:
            done, pending = wait(pending, _TICK_S, FIRST_COMPLETED)
            for future in done:
                place = places[future]
                outcomes[place] = outcome = future.result()
                if outcome is not None and ends(outcome):
                    last = min(last, place)
            self._tick()
            if self.cancelled:
                self._stopping.set()
        return [outcomes[place] for place in range(last + 1)]
