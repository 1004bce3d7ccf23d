"""Jobs and batches on a server."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

from tilework.board import Board
from tilework.core.errors import TileworkError
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.remote import Server
from tilework.slide_solutions import Slides
from tilework.solutions import Solution

_LOOK_S: Final = 20.0
_LEAST_PAUSE_S: Final = 0.2


class Job:
    """A board that a server solves, as it stood when it was last looked at.

    Attributes
    ----------
    id, state : str
        The states are ``queued`` and ``running``, and in the end ``optimal``, ``bounded``,
        ``cancelled``, ``expired`` or ``failed``.
    metric : str
        What the bounds count: ``moves`` or ``slides``.
    lower_bound : int
        No solution is shorter; proved.
    upper_bound : int or None
        Length of the best solution so far.
    progress : float
        Share of the present search that is done, 0..1.
    """

    def __init__(self, server: Server, view: dict[str, Any], board: Board | None = None) -> None:
        self._server = server
        self._board = board
        self._view = view

    @property
    def id(self) -> str:
        return str(self._view["id"])

    @property
    def state(self) -> str:
        return str(self._view["state"])

    @property
    def is_over(self) -> bool:
        """Whether the job has ended; nothing of it changes after that."""
        return self._view["finished_at"] is not None

    @property
    def metric(self) -> str:
        # An older server names none.
        return str(self._view.get("metric", "moves"))

    @property
    def lower_bound(self) -> int:
        return int(self._view["lower_bound"])

    @property
    def upper_bound(self) -> int | None:
        length: int | None = self._view["upper_bound"]
        return length

    @property
    def progress(self) -> float:
        return float(self._view["progress"])

    def refresh(self) -> Self:
        """Look at the job again."""
        self._view = self._server.job(self.id, brief=True)
        return self

    def updates(self, timeout: float | None = None) -> Iterator[Self]:
        """Yield the job now and whenever it has changed, until it has ended.

        Raises
        ------
        TimeoutError
            After so many seconds.
        """
        end = None if timeout is None else time.monotonic() + timeout
        yield self
        while not self.is_over:
            left = _LOOK_S if end is None else end - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"job {self.id} is {self.state} after {timeout:g} s")
            looked = time.monotonic()
            view = self._server.changed_job(self._view, left)
            if view is not self._view:
                self._view = view
                yield self
            # The server answers at once when too many wait.
            elif (early := looked + _LEAST_PAUSE_S - time.monotonic()) > 0:
                time.sleep(early)

    def wait(
        self, timeout: float | None = None, progress: Callable[[Job], object] | None = None
    ) -> Self:
        """Return the job when it has ended.

        Parameters
        ----------
        timeout : float, optional
            Seconds to wait at most.
        progress : callable, optional
            Called with the job whenever it has changed.

        Raises
        ------
        TimeoutError
            If it has not ended by then; it goes on.
        """
        for job in self.updates(timeout):
            if progress is not None:
                progress(job)
        return self

    def cancel(self) -> Self:
        """Cancel the job; what is known of its board is kept."""
        self._view = self._server.cancel(self.id, brief=True)
        return self

    def solution(self) -> Solution | Slides:
        """Return the best solution so far, replayed here; of a job in slides as `Slides`.

        Raises
        ------
        TileworkError
            If there is none yet.
        """
        told = json.loads("".join(self._server.solution(self.id, format="json")))
        start, goal = Board(told["start"]), Board(told["goal"])
        replay(start, from_letters(told["moves"]), goal)
        known = {
            "board": start,
            "goal": goal,
            "moves": told["moves"],
            "lower_bound": told["lower_bound"],
            "nodes": int(self._view["nodes"]),
            "seconds": (self._view["finished_at"] or time.time()) - self._view["created_at"],
        }
        if self.metric == "slides":
            return Slides(**known)
        return Solution(**known, algorithm=str(self._view["algorithm"]))

    def certificate(self) -> str:
        """Return the certificate of a job that has ended: JSON for ``tilework verify``."""
        return "".join(self._server.certificate(self.id))


@dataclass(frozen=True, slots=True)
class Result:
    """What is known of one board of a batch; its place counts from 0."""

    index: int
    job_id: str
    state: str
    lower_bound: int
    upper_bound: int | None
    moves: str | None
    message: str | None

    @property
    def is_optimal(self) -> bool:
        return self.upper_bound == self.lower_bound


def finished(
    look: Callable[[str, float], dict[str, Any]], view: dict[str, Any], timeout: float | None = None
) -> dict[str, Any]:
    """Wait for the end of what was submitted; `look` asks for its view and waits seconds."""
    end = None if timeout is None else time.monotonic() + timeout
    while view["finished_at"] is None:
        left = _LOOK_S if end is None else end - time.monotonic()
        if left <= 0:
            raise TimeoutError(f"analysis {view['id']} is {view['state']} after {timeout:g} s")
        looked = time.monotonic()
        view = look(view["id"], left)
        # The server answers at once when too many wait.
        early = looked + _LEAST_PAUSE_S - time.monotonic()
        if view["finished_at"] is None and early > 0:
            time.sleep(early)
    if view["result"] is None:
        raise TileworkError(
            "analysis-without-result",
            "the analysis {id} is {state}: {reason}",
            id=view["id"],
            state=view["state"],
            reason=view["message"] or "-",
        )
    return view


class Batch:
    """Many boards that a server solves, as they stood when they were last looked at.

    Attributes
    ----------
    id : str
    total : int
    progress : float
        Share of the boards that are done, 0..1.
    states : dict of str to int
        How many jobs are in which state.
    """

    def __init__(self, server: Server, view: dict[str, Any]) -> None:
        self._server = server
        self._view = view

    @property
    def id(self) -> str:
        return str(self._view["id"])

    @property
    def total(self) -> int:
        return int(self._view["total"])

    @property
    def progress(self) -> float:
        return float(self._view["progress"])

    @property
    def states(self) -> dict[str, int]:
        return dict(self._view["states"])

    @property
    def is_over(self) -> bool:
        """Whether all jobs have ended."""
        return bool(self._view["finished"])

    def refresh(self) -> Self:
        """Look at the batch again."""
        self._view = self._server.batch(self.id)
        return self

    def wait(
        self, timeout: float | None = None, progress: Callable[[Batch], object] | None = None
    ) -> Self:
        """Return the batch when all its jobs have ended; the parameters are those of `Job.wait`."""
        end = None if timeout is None else time.monotonic() + timeout
        pause = _LEAST_PAUSE_S
        while not self.refresh().is_over:
            if progress is not None:
                progress(self)
            if end is not None and time.monotonic() > end:
                raise TimeoutError(f"batch {self.id} is not done after {timeout:g} s")
            time.sleep(pause)
            pause = min(2.0, 1.2 * pause)
        if progress is not None:
            progress(self)
        return self

    def results(self) -> Iterator[Result]:
        """Yield what is known of each board, in their order."""
        for line in self._server.results(self.id):
            told = json.loads(line)
            yield Result(**{name: told[name] for name in Result.__slots__})
