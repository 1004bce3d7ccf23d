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

_POLL_S: Final = 20.0
_MIN_POLL_INTERVAL_S: Final = 0.2


class Job:
    """A board that a server solves, as of the last request.

    Attributes
    ----------
    id, state : str
        The states are ``queued``, ``running``, and finally ``optimal``, ``bounded``,
        ``cancelled``, ``expired`` or ``failed``.
    metric : str
        The unit of the bounds: ``moves`` or ``slides``.
    lower_bound : int
        Proven lower bound on the length of any solution.
    upper_bound : int or None
        Length of the best solution so far.
    progress : float
        Completed share of the current search, 0..1.
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
        """Whether the job has ended; it does not change after that."""
        return self._view["finished_at"] is not None

    @property
    def metric(self) -> str:
        # Older servers send no metric: their jobs all count moves.
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
        """Request the current state."""
        self._view = self._server.job(self.id, brief=True)
        return self

    def updates(self, timeout: float | None = None) -> Iterator[Self]:
        """Yield the job now and after every change, until it has ended.

        Raises
        ------
        TimeoutError
            After `timeout` seconds.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        yield self
        while not self.is_over:
            remaining = _POLL_S if deadline is None else deadline - time.monotonic()
            if remaining <= 0:
                raise TimeoutError(f"job {self.id} is {self.state} after {timeout:g} s")
            requested = time.monotonic()
            view = self._server.wait_for_job(self._view, remaining)
            if view is not self._view:
                self._view = view
                yield self
            # The server answers immediately if too many clients wait.
            elif (pause := requested + _MIN_POLL_INTERVAL_S - time.monotonic()) > 0:
                time.sleep(pause)

    def wait(
        self, timeout: float | None = None, progress: Callable[[Job], object] | None = None
    ) -> Self:
        """Wait until the job has ended.

        Parameters
        ----------
        timeout : float, optional
            Maximum seconds to wait.
        progress : callable, optional
            Called with the job after every change.

        Raises
        ------
        TimeoutError
            If it has not ended by then; it continues on the server.
        """
        for job in self.updates(timeout):
            if progress is not None:
                progress(job)
        return self

    def cancel(self) -> Self:
        """Cancel the job; known bounds of its board are kept."""
        self._view = self._server.cancel(self.id, brief=True)
        return self

    def solution(self) -> Solution | Slides:
        """Return the best solution so far, replayed locally.

        Raises
        ------
        TileworkError
            If there is none yet.
        """
        document = json.loads("".join(self._server.solution(self.id, format="json")))
        start, goal = Board(document["start"]), Board(document["goal"])
        moves = from_letters(document["moves"])
        replay(start, moves, goal)
        fields = {
            "board": start,
            "goal": goal,
            "lower_bound": document["lower_bound"],
            "nodes": int(self._view["nodes"]),
            "seconds": self._view["search_s"],
        }
        if self.metric == "slides":
            return Slides(**fields, moves=document["moves"])
        return Solution(**fields, algorithm=str(self._view["algorithm"]), _moves=moves)

    def certificate(self) -> str:
        """Return the certificate of a job that has ended: JSON for ``tilework verify``."""
        return "".join(self._server.certificate(self.id))


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one board of a batch, by its index from 1."""

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


def wait_for(
    request: Callable[[str, float], dict[str, Any]],
    view: dict[str, Any],
    timeout: float | None = None,
) -> dict[str, Any]:
    """Wait until a task has ended; `request` takes its id and a timeout, and returns its view."""
    deadline = None if timeout is None else time.monotonic() + timeout
    while view["finished_at"] is None:
        remaining = _POLL_S if deadline is None else deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError(f"analysis {view['id']} is {view['state']} after {timeout:g} s")
        requested = time.monotonic()
        view = request(view["id"], remaining)
        # The server answers immediately if too many clients wait.
        pause = requested + _MIN_POLL_INTERVAL_S - time.monotonic()
        if view["finished_at"] is None and pause > 0:
            time.sleep(pause)
    if view["result"] is None:
        raise TileworkError(
            "analysis-without-result",
            "the analysis {id} has no result ({state}): {reason}",
            id=view["id"],
            state=view["state"],
            reason=view["message"] or "-",
        )
    return view


class Batch:
    """Many boards that a server solves, as of the last request.

    Attributes
    ----------
    id : str
    total : int
    progress : float
        Share of boards that are finished, 0..1.
    states : dict of str to int
        Number of jobs by state.
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
        """Request the current state."""
        self._view = self._server.batch(self.id)
        return self

    def wait(
        self, timeout: float | None = None, progress: Callable[[Batch], object] | None = None
    ) -> Self:
        """Wait until all jobs have ended; the parameters are those of `Job.wait`."""
        deadline = None if timeout is None else time.monotonic() + timeout
        pause = _MIN_POLL_INTERVAL_S
        while not self.refresh().is_over:
            if progress is not None:
                progress(self)
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError(f"batch {self.id} is not finished after {timeout:g} s")
            time.sleep(pause)
            pause = min(2.0, 1.2 * pause)
        if progress is not None:
            progress(self)
        return self

    def results(self) -> Iterator[Result]:
        """Yield the result of each board, in order."""
        for line in self._server.results(self.id):
            document = json.loads(line)
            yield Result(**{name: document[name] for name in Result.__slots__})
