"""A client for Tilework servers, and the jobs and batches that they solve."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import monotonic
from typing import Any, ClassVar, Literal, Self, TypedDict, Unpack

from tilework.board import Board, BoardLike, resolve_goal
from tilework.core.arguments import (
    TRUE_OR_FALSE,
    check_choice,
    check_iterable,
    check_number,
    check_text,
    check_type,
    invalid,
    not_available,
    optional,
)
from tilework.core.errors import BoardError, OptionError
from tilework.core.messages import Message
from tilework.core.model.ids import check_id
from tilework.core.model.states import Priority as PriorityName
from tilework.core.puzzle import hint as core
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.metric import Metric as MetricName
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.remote import MAX_WAIT_S, Server, has_ended
from tilework.core.solver.target import TargetKind
from tilework.solutions import Hint, Solution, TargetLike, make_hint, make_target

Metric = Literal["moves", "slides"]
"""What to minimize: moves of single tiles, or slides of one or more tiles in a line."""
Priority = Literal["low", "normal", "high"]


class Options(TypedDict, total=False):
    """The options of a search; `Client.submit` describes them."""

    metric: Metric
    target: TargetLike
    time_limit: float | None
    algorithm: str
    heuristic: str
    priority: Priority


class Client:
    """A client for a server. Close it, or use it in a ``with`` block. Not thread-safe.

    Parameters
    ----------
    url : str
        URL of the server: ``http://127.0.0.1:8000``.
    key : str, optional
        An API key. Without one the server treats each `Client` as a new user, who can cancel only
        the jobs of this instance.

    Raises
    ------
    TileworkError
        If the URL is invalid. All methods raise it if the server is unreachable or rejects the
        request.
    """

    def __init__(self, url: str, key: str | None = None) -> None:
        self._server = Server(url, key)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._server.close()

    def submit(
        self,
        board: BoardLike,
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        fresh: bool = False,
        wait: float = 0.0,
        **options: Unpack[Options],
    ) -> Job:
        """Submit a board; if the answer is known, the job has already ended.

        Parameters
        ----------
        board, goal : see `tilework.solve`
        fresh : bool
            Whether to search even if the answer is already known.
        wait : float
            Seconds, up to 20, to wait for the end.
        metric : "moves" or "slides"
            What to minimize: moves of single tiles, or slides of one or more tiles in a line.
        target : "optimal", "any" or float
            As in `tilework.solve`; lengths are counted in the metric.
        time_limit : float, optional
            Time limit of the job; the server has a default.
        algorithm, heuristic : str
            As in ``tilework submit``.
        priority : "low", "normal" or "high"
            Which of your own waiting jobs are searched first.
        """
        request = _make_question(Board.of(board), goal) | _make_options(options)
        request["fresh"] = check_type("fresh", fresh, bool, TRUE_OR_FALSE)
        query = {"brief": "true", "wait": min(check_number("wait", wait), MAX_WAIT_S)}
        return Job(self._server, self._server.json("POST", "/jobs", request, **query))

    def solve(
        self,
        board: BoardLike,
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        timeout: float | None = None,
        **options: Unpack[Options],
    ) -> Solution:
        """Submit a board, wait for the end, and return the best solution, replayed locally.

        Parameters
        ----------
        board, goal : see `tilework.solve`
        timeout : float, optional
            Maximum seconds to wait.
        **options
            As in `submit`.

        Raises
        ------
        UnfinishedError
            If it has not ended by then; it is a `TimeoutError`, and the job continues.
        NotFoundError
            If it ended without a solution.
        """
        started = monotonic()
        limit = optional(check_number, "timeout", timeout)
        job = self.submit(board, goal, wait=MAX_WAIT_S if limit is None else limit, **options)
        left = None if limit is None else max(0.0, started + limit - monotonic())
        return job.wait(left).solution()

    def hint(
        self,
        board: BoardLike,
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        wait: float = 2.0,
    ) -> Hint:
        """Return the next tile to move; following hints always reaches the goal.

        Parameters
        ----------
        board, goal : see `tilework.solve`
        wait : float
            Seconds, up to 20, to wait for a good solution. If none is known by then, the hint has
            no ``moves``; request it again.
        """
        start = Board.of(board)
        request, seconds = _make_question(start, goal), min(check_number("wait", wait), MAX_WAIT_S)
        response = self._server.json("POST", "/hints", request, wait=seconds)
        moves = None if response["moves"] is None else from_letters(response["moves"])
        if moves is not None:
            replay(start, moves, resolve_goal(goal, start.size))
        return make_hint(core.Hint(start, response["lower_bound"], moves))

    def job(self, job_id: str) -> Job:
        """Return an existing job."""
        return Job(self._server, self._server.json("GET", f"/jobs/{check_id(job_id)}"))

    def submit_all(
        self,
        boards: Iterable[BoardLike],
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        **options: Unpack[Options],
    ) -> Batch:
        """Submit many boards, possibly of different sizes; either all or none are accepted.

        The options are those of `submit`.
        """
        allowed = Message("boards-allowed", "a list of boards")
        boards = check_iterable("boards", boards, allowed, BoardError)
        request = {
            "boards": [_rows(Board.of(board)) for board in boards],
            "goal": _goal_document(goal),
            **_make_options(options),
        }
        return Batch(self._server, self._server.json("POST", "/batches", request))

    def batch(self, batch_id: str) -> Batch:
        """Return an existing batch."""
        return Batch(self._server, self._server.json("GET", f"/batches/{check_id(batch_id)}"))


def _make_options(options: Options) -> dict[str, Any]:
    """Return the options in the form of a request."""
    for name in options:
        if name not in Options.__annotations__:
            raise not_available(name, Options.__annotations__)
    target = make_target(options.get("target", "optimal"))
    return {
        "metric": check_choice(options.get("metric", "moves"), MetricName),
        "target": target.kind,
        "gap": target.gap if target.kind is TargetKind.GAP else None,
        "time_limit_s": optional(check_number, "time_limit", options.get("time_limit")),
        "algorithm": check_text("algorithm", options.get("algorithm", "auto")),
        "heuristic": check_text("heuristic", options.get("heuristic", "auto")),
        "priority": check_choice(options.get("priority", "normal"), PriorityName),
    }


def _make_question(board: Board, goal: BoardLike | GoalName) -> dict[str, Any]:
    return {"board": _rows(board), "goal": _goal_document(goal)}


def _goal_document(goal: BoardLike | GoalName) -> str | list[list[int]]:
    return goal if isinstance(goal, str) else _rows(Board.of(goal))


def _rows(board: Board) -> list[list[int]]:
    rows: list[list[int]] = board.cells.reshape(board.height, board.width).tolist()
    return rows


class _Work:
    """Work of a server, as of the last request."""

    _FOLDER: ClassVar[str]
    _QUERY: ClassVar[dict[str, Any]] = {}

    def __init__(self, server: Server, view: dict[str, Any]) -> None:
        self._server = server
        self._read(view)

    def _read(self, view: dict[str, Any]) -> Self:
        self._view = view
        self.id: str = view["id"]
        self.progress: float = view["progress"]
        self.is_over = has_ended(view)
        return self

    @property
    def _path(self) -> str:
        return f"{self._FOLDER}/{check_id(self.id)}"

    def refresh(self) -> Self:
        """Request the current state."""
        return self._read(self._server.json("GET", self._path, **self._QUERY))

    def updates(self, timeout: float | None = None) -> Iterator[Self]:
        """Yield the work now and after every change, until it has ended.

        Raises
        ------
        UnfinishedError
            After `timeout` seconds; it is a `TimeoutError`.
        """
        views = self._server.follow(self._path, self._view, timeout, **self._QUERY)
        for view in views:
            if view is self._view or view["version"] != self._view["version"]:
                yield self._read(view)

    def wait(
        self, timeout: float | None = None, progress: Callable[[Self], object] | None = None
    ) -> Self:
        """Wait until the work has ended.

        The wait survives a server that is restarted.

        Parameters
        ----------
        timeout : float, optional
            Maximum seconds to wait.
        progress : callable, optional
            Called with the work now and after every change.

        Raises
        ------
        UnfinishedError
            If it has not ended by then; it is a `TimeoutError`, and the server continues.
        """
        if progress is not None and not callable(progress):
            allowed = Message("function", "a function")
            raise OptionError(invalid("progress", progress, allowed))
        for work in self.updates(timeout):
            if progress is not None:
                progress(work)
        return self


class Job(_Work):
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
    is_over : bool
        Whether the job has ended; it does not change after that.
    """

    _FOLDER = "/jobs"
    _QUERY: ClassVar = {"brief": "true"}

    def _read(self, view: dict[str, Any]) -> Self:
        self.state: str = view["state"]
        self.metric: str = view["options"]["metric"]
        self.lower_bound: int = view["lower_bound"]
        self.upper_bound: int | None = view["upper_bound"]
        return super()._read(view)

    def cancel(self) -> Self:
        """Cancel the job; known bounds of its board are kept."""
        return self._read(self._server.json("DELETE", self._path, **self._QUERY))

    def solution(self) -> Solution:
        """Return the best solution so far, replayed locally.

        Raises
        ------
        TileworkError
            If there is none yet.
        """
        document = self._server.json("GET", f"{self._path}/solution", format="json")
        start, goal = Board(document["start"]), Board(document["goal"])
        moves = from_letters(document["moves"])
        replay(start, moves, goal)
        return Solution(
            board=start,
            goal=goal,
            metric=document["metric"],
            lower_bound=document["lower_bound"],
            algorithm=str(self._view["options"]["algorithm"]),
            nodes=int(self._view["nodes"]),
            seconds=self._view["search_s"],
            _moves=moves,
        )

    def certificate(self) -> str:
        """Return the certificate of a job that has ended: JSON for ``tilework verify``."""
        return "".join(self._server.text(f"{self._path}/certificate"))


class Batch(_Work):
    """Many boards that a server solves, as of the last request.

    Attributes
    ----------
    id : str
    total : int
    progress : float
        Share of boards that are finished, 0..1.
    states : dict of str to int
        Number of jobs by state.
    is_over : bool
        Whether all jobs have ended.
    """

    _FOLDER = "/batches"

    def _read(self, view: dict[str, Any]) -> Self:
        self.total: int = view["total"]
        self.states: dict[str, int] = view["states"]
        return super()._read(view)

    def results(self) -> Iterator[Result]:
        """Yield the result of each board, in order."""
        for line in self._server.lines(f"{self._path}/results", format="jsonl"):
            document = json.loads(line)
            yield Result(**{name: document[name] for name in Result.__slots__})


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
