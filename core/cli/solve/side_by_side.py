"""Work done on several threads at a time, and told in the order in which it was given."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Self, TypeVar

Result = TypeVar("Result")


@dataclass(slots=True)
class _Place(Generic[Result]):
    """A place in the order, and what came of the work there: a tuple of it, or nothing yet."""

    outcome: tuple[()] | tuple[Result] = ()


class SideBySide(Generic[Result]):
    """Threads that work, of which whoever finishes something tells what is due.

    The thread that gives the work never tells: it may be waiting for more to give. Use as a context
    manager: leaving it waits for the work that has begun.

    Parameters
    ----------
    threads : int
    tell : callable
        Called with the results in order, never twice at once. What it raises, or the work does, is
        raised by `give` and `wait`; nothing more is told then.
    """

    def __init__(self, threads: int, tell: Callable[[Result], None]) -> None:
        self._tell = tell
        # Some are ready while others are worked on, so that no thread waits for the next.
        self._most = 2 * threads
        self._places: deque[_Place[Result]] = deque()
        self._changed = threading.Condition()
        self._failure: BaseException | None = None
        self._pool = ThreadPoolExecutor(threads)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(cancel_futures=True)

    @property
    def busy(self) -> bool:
        """Whether something that was given is not told yet."""
        return bool(self._places)

    def give(self, work: Callable[[], Result]) -> None:
        """Have something done; waits while there is much to do."""
        self._wait_for(self._most - 1)
        place = _Place[Result]()
        with self._changed:
            self._places.append(place)
            try:
                self._pool.submit(self._do, work, place)
            except BaseException:  # a Ctrl-C just here: nobody is to wait for this place
                self._places.pop()
                raise

    def wait(self) -> None:
        """Wait until everything that was given is told."""
        self._wait_for(0)

    def _wait_for(self, most: int) -> None:
        with self._changed:
            self._changed.wait_for(lambda: self._failure or len(self._places) <= most)
            if self._failure is not None:
                raise self._failure

    def _do(self, work: Callable[[], Result], place: _Place[Result]) -> None:
        try:
            place.outcome = (work(),)
            with self._changed:
                self._tell_what_is_due()
        except BaseException as error:  # it is raised where somebody can answer it
            with self._changed:
                self._failure = self._failure or error
        finally:
            with self._changed:
                self._changed.notify_all()

    def _tell_what_is_due(self) -> None:
        while self._failure is None and self._places and self._places[0].outcome:
            (result,) = self._places[0].outcome
            self._tell(result)
            self._places.popleft()
