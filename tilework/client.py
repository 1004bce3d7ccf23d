"""A client for Tilework servers, and the jobs and batches that they solve."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, Self

from tilework.analysis import Analysis
from tilework.board import Board, BoardLike, resolve_goal
from tilework.core.arguments import (
    TRUE_OR_FALSE,
    check_choice,
    check_integer,
    check_iterable,
    check_number,
    check_text,
    check_type,
    invalid,
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
from tilework.core.remote import MAX_WAIT_S, Server, options_in_request, poll
from tilework.core.solver.target import TargetKind
from tilework.shortest_solutions import Ways, read_ways
from tilework.solutions import Hint, Slides, Solution, TargetLike, make_hint, make_target

Metric = Literal["moves", "slides"]
"""What to minimize: moves of single tiles, or slides of one or more tiles in a line."""
Priority = Literal["low", "normal", "high"]


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
        metric: Metric = "moves",
        target: TargetLike = "optimal",
        time_limit: float | None = None,
        algorithm: str = "auto",
        heuristic: str = "auto",
        priority: Priority = "normal",
        fresh: bool = False,
    ) -> Job:
        """Submit a board; if the answer is known, the job has already ended.

        Parameters
        ----------
        board : Board, or its text, tiles or rows
        goal : Board or its name or text
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
        fresh : bool
            Whether to search even if the answer is already known.
        """
        start = Board.of(board)
        request = _make_question(start, goal) | _make_options(
            target,
            time_limit,
            metric=metric,
            algorithm=algorithm,
            heuristic=heuristic,
            priority=priority,
        )
        if check_type("fresh", fresh, bool, TRUE_OR_FALSE):
            request["fresh"] = True
        return Job(self._server, self._server.json("POST", "/jobs", request, brief="true"))

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
        board : Board, or its text, tiles or rows
        goal : Board or its name or text
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

    def analyse(
        self,
        board: BoardLike,
        moves: str,
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        time_limit: float | None = None,
        timeout: float | None = None,
    ) -> Analysis:
        """Analyse a game on the server, and wait for the result.

        Parameters
        ----------
        board, moves, goal
            As in `tilework.analyse`.
        time_limit : float, optional
            Time limit of the analysis; the server has a default.
        timeout : float, optional
            Maximum seconds to wait.

        Raises
        ------
        TimeoutError
            If it has not finished by then; it continues on the server.
        TileworkError
            If it failed.
        """
        request = _make_question(Board.of(board), goal) | {"moves": check_text("moves", moves)}
        return Analysis.of(self._run_task("/analyses", request, time_limit, timeout)["result"])

    def ways(
        self,
        board: BoardLike,
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        time_limit: float | None = None,
        memory_bytes: int | None = None,
        timeout: float | None = None,
    ) -> Ways:
        """Find all shortest solutions of a board of up to 16 cells, and wait for the result.

        Parameters
        ----------
        board, goal
            As in `tilework.ways`.
        time_limit, memory_bytes : float, int, optional
            Limits of the search; the server has defaults.
        timeout : float, optional
            Maximum seconds to wait.

        Raises
        ------
        TimeoutError
            If it has not finished by then; it continues on the server.
        TileworkError
            If it failed.
        """
        request = _make_question(Board.of(board), goal)
        if memory_bytes is not None:
            request["memory_limit_mb"] = check_integer("memory_bytes", memory_bytes, 0) >> 20
        return read_ways(self._server, self._run_task("/ways", request, time_limit, timeout))

    def _run_task(
        self, path: str, request: dict[str, Any], time_limit: float | None, timeout: float | None
    ) -> dict[str, Any]:
        """Submit a task, and return its view once it has a result."""
        if time_limit is not None:
            request["time_limit_s"] = check_number("time_limit", time_limit)
        return self._server.wait_for_task(path, self._server.json("POST", path, request), timeout)

    def submit_all(
        self,
        boards: Iterable[BoardLike],
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        metric: Metric = "moves",
        target: TargetLike = "optimal",
        time_limit: float | None = None,
        algorithm: str = "auto",
        heuristic: str = "auto",
        priority: Priority = "normal",
    ) -> Batch:
        """Submit many boards, possibly of different sizes; either all or none are accepted."""
        allowed = Message("boards-allowed", "a list of boards")
        boards = check_iterable("boards", boards, allowed, BoardError)
        request = {
            "boards": [_rows(Board.of(board)) for board in boards],
            "goal": _goal_document(goal),
            **_make_options(
                target,
                time_limit,
                metric=metric,
                algorithm=algorithm,
                heuristic=heuristic,
                priority=priority,
            ),
        }
        return Batch(self._server, self._server.json("POST", "/batches", request))

    def batch(self, batch_id: str) -> Batch:
        """Return an existing batch."""
        return Batch(self._server, self._server.json("GET", f"/batches/{check_id(batch_id)}"))


def _make_options(
    target: TargetLike,
    time_limit: float | None,
    *,
    metric: str,
    algorithm: str,
    heuristic: str,
    priority: str,
) -> dict[str, Any]:
    parsed_target = make_target(target)
    return options_in_request(
        metric=check_choice(metric, MetricName),
        target=parsed_target.kind,
        gap=parsed_target.gap if parsed_target.kind is TargetKind.GAP else None,
        time_limit_s=optional(check_number, "time_limit", time_limit),
        algorithm=check_text("algorithm", algorithm),
        heuristic=check_text("heuristic", heuristic),
        priority=check_choice(priority, PriorityName),
    )


def _make_question(board: Board, goal: BoardLike | GoalName) -> dict[str, Any]:
    return {"board": _rows(board), "goal": _goal_document(goal)}


def _goal_document(goal: BoardLike | GoalName) -> str | list[list[int]]:
    return goal if isinstance(goal, str) else _rows(Board.of(goal))


def _rows(board: Board) -> list[list[int]]:
    rows: list[list[int]] = board.cells.reshape(board.height, board.width).tolist()
    return rows


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

    def __init__(self, server: Server, view: dict[str, Any]) -> None:
        self._server = server
        self._read(view)

    def _read(self, view: dict[str, Any]) -> Self:
        self._view = view
        self.id: str = view["id"]
        self.state: str = view["state"]
        self.metric: str = view["options"]["metric"]
        self.lower_bound: int = view["lower_bound"]
        self.upper_bound: int | None = view["upper_bound"]
        self.progress: float = view["progress"]
        return self

    @property
    def is_over(self) -> bool:
        """Whether the job has ended; it does not change after that."""
        return self._view["finished_at"] is not None

    @property
    def _path(self) -> str:
        return f"/jobs/{check_id(self.id)}"

    def refresh(self) -> Self:
        """Request the current state."""
        return self._read(self._server.json("GET", self._path, brief="true"))

    def updates(self, timeout: float | None = None) -> Iterator[Self]:
        """Yield the job now and after every change, until it has ended.

        Raises
        ------
        TimeoutError
            After `timeout` seconds.
        """
        views = self._server.job_updates(self._view, timeout)
        yield self
        for view in views:
            if view is not self._view:
                yield self._read(view)

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
        return self._read(self._server.json("DELETE", self._path, brief="true"))

    def solution(self) -> Solution | Slides:
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
        return "".join(self._server.text(f"{self._path}/certificate"))


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
    is_over : bool
        Whether all jobs have ended.
    """

    def __init__(self, server: Server, view: dict[str, Any]) -> None:
        self._server = server
        self._read(view)

    def _read(self, view: dict[str, Any]) -> Self:
        self.id: str = view["id"]
        self.total: int = view["total"]
        self.progress: float = view["progress"]
        self.states: dict[str, int] = view["states"]
        self.is_over: bool = view["finished"]
        return self

    @property
    def _path(self) -> str:
        return f"/batches/{check_id(self.id)}"

    def refresh(self) -> Self:
        """Request the current state."""
        return self._read(self._server.json("GET", self._path))

    def wait(
        self, timeout: float | None = None, progress: Callable[[Batch], object] | None = None
    ) -> Self:
        """Wait until all jobs have ended; the parameters are those of `Job.wait`."""
        report = _check_progress(progress)
        polls = poll(timeout, lambda: f"batch {self.id} is not finished", growth=1.2)
        while not self.refresh().is_over:
            report(self)
            next(polls)
        report(self)
        return self

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


def _check_progress(progress: Callable[[Any], object] | None) -> Callable[[Any], object]:
    if progress is None or callable(progress):
        return progress or bool
    allowed = Message("function", "a function")
    raise OptionError(invalid("progress", progress, allowed))
