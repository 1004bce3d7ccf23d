"""Jobs and batches on a server."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Self

from tilework.board import Board
from tilework.core.arguments import check_number, invalid
from tilework.core.errors import OptionError, TileworkError
from tilework.core.messages import Message
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.remote import Server
from tilework.slide_solutions import Slides
from tilework.solutions import Solution

_MIN_PAUSE_S: Final = 0.2
_MAX_PAUSE_S: Final = 2.0


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
        return str(self._view["options"]["metric"])

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
        polls = _poll(timeout, lambda: f"job {self.id} is {self.state}")
        yield self
        while not self.is_over:
            view = self._server.wait_for_job(self._view, next(polls))
            if view is not self._view:
                self._view = view
                yield self

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
        report = _check_progress(progress)
        for job in self.updates(timeout):
            report(job)
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
        return Solution(**fields, algorithm=str(self._view["options"]["algorithm"]), _moves=moves)

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


def _poll(
    timeout: float | None, describe: Callable[[], str], growth: float = 1.0
) -> Iterator[float]:
    """Yield the seconds left for each request, with growing pauses in between.

    The server answers immediately if too many clients wait.
    """
    limit = math.inf if timeout is None else check_number("timeout", timeout)
    deadline = time.monotonic() + limit

    def poll() -> Iterator[float]:
        pause = _MIN_PAUSE_S
        while (left := deadline - time.monotonic()) > 0:
            requested = time.monotonic()
            yield left
            time.sleep(max(0.0, min(requested + pause, deadline) - time.monotonic()))
            pause = min(_MAX_PAUSE_S, growth * pause)
        raise TimeoutError(f"{describe()} after {limit:g} s")

    return poll()


def _check_progress(progress: Callable[[Any], object] | None) -> Callable[[Any], object]:
    if progress is None or callable(progress):
        return progress or bool
    allowed = Message("function", "a function")
    raise OptionError(invalid("progress", progress, allowed))


def wait_for(
    request: Callable[[str, float], dict[str, Any]],
    view: dict[str, Any],
    timeout: float | None = None,
) -> dict[str, Any]:
    """Wait until a task has ended; `request` takes its id and a timeout, and returns its view."""
    polls = _poll(timeout, lambda: f"analysis {view['id']} is {view['state']}")
    while view["finished_at"] is None:
        view = request(view["id"], next(polls))
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
        report = _check_progress(progress)
        polls = _poll(timeout, lambda: f"batch {self.id} is not finished", growth=1.2)
        while not self.refresh().is_over:
            report(self)
            next(polls)
        report(self)
        return self

    def results(self) -> Iterator[Result]:
        """Yield the result of each board, in order."""
        for line in self._server.results(self.id):
            document = json.loads(line)
            yield Result(**{name: document[name] for name in Result.__slots__})
