"""A client for Tilework servers."""

from __future__ import annotations

from collections.abc import Iterable
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
    optional,
)
from tilework.core.errors import BoardError
from tilework.core.messages import Message
from tilework.core.model.states import Priority as PriorityName
from tilework.core.puzzle import hint as core
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.metric import Metric as MetricName
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.remote import Server, options_in_request
from tilework.core.solver.target import TargetKind
from tilework.hints import Hint, make_hint
from tilework.jobs import Batch, Job, wait_for
from tilework.shortest_solutions import Ways, read_ways
from tilework.solutions import TargetLike, make_target

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
        seconds: float | None = None,
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
        seconds : float, optional
            Time limit of the job; the server has a default.
        algorithm, heuristic : str
            As in ``tilework submit``.
        priority : "low", "normal" or "high"
            Which of your own waiting jobs are searched first.
        fresh : bool
            Whether to search even if the answer is already known.
        """
        start = Board.of(board)
        request = {
            "board": _rows(start),
            **({"fresh": True} if check_type("fresh", fresh, bool, TRUE_OR_FALSE) else {}),
            "goal": _goal_document(goal),
            **_make_options(
                target,
                seconds,
                metric=metric,
                algorithm=algorithm,
                heuristic=heuristic,
                priority=priority,
            ),
        }
        return Job(self._server, self._server.submit(request, brief=True), start)

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
        request = {"board": _rows(start), "goal": _goal_document(goal)}
        response = self._server.hint(request, check_number("wait", wait))
        moves = None if response["moves"] is None else from_letters(response["moves"])
        if moves is not None:
            replay(start, moves, resolve_goal(goal, start.size))
        return make_hint(core.Hint(start, response["lower_bound"], moves))

    def job(self, job_id: str) -> Job:
        """Return an existing job."""
        return Job(self._server, self._server.job(job_id))

    def analyse(
        self,
        board: BoardLike,
        moves: str,
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        seconds: float | None = None,
        timeout: float | None = None,
    ) -> Analysis:
        """Analyse a game on the server, and wait for the result.

        Parameters
        ----------
        board, moves, goal
            As in `tilework.analyse`.
        seconds : float, optional
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
        request: dict[str, Any] = {
            "board": _rows(Board.of(board)),
            "goal": _goal_document(goal),
            "moves": check_text("moves", moves),
        }
        if seconds is not None:
            request["time_limit_s"] = check_number("seconds", seconds)
        view = wait_for(self._server.analysis, self._server.submit_game(request), timeout)
        return Analysis.of(view["result"])

    def ways(
        self,
        board: BoardLike,
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        seconds: float | None = None,
        memory_bytes: int | None = None,
        timeout: float | None = None,
    ) -> Ways:
        """Find all shortest solutions of a board of up to 16 cells, and wait for the result.

        Parameters
        ----------
        board, goal
            As in `tilework.ways`.
        seconds, memory_bytes : float, int, optional
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
        request: dict[str, Any] = {"board": _rows(Board.of(board)), "goal": _goal_document(goal)}
        if seconds is not None:
            request["time_limit_s"] = check_number("seconds", seconds)
        if memory_bytes is not None:
            request["memory_limit_mb"] = check_integer("memory_bytes", memory_bytes, 0) >> 20
        view = wait_for(self._server.ways, self._server.submit_ways(request), timeout)
        return read_ways(self._server, view)

    def submit_all(
        self,
        boards: Iterable[BoardLike],
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        metric: Metric = "moves",
        target: TargetLike = "optimal",
        seconds: float | None = None,
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
                seconds,
                metric=metric,
                algorithm=algorithm,
                heuristic=heuristic,
                priority=priority,
            ),
        }
        return Batch(self._server, self._server.submit_batch(request))

    def batch(self, batch_id: str) -> Batch:
        """Return an existing batch."""
        return Batch(self._server, self._server.batch(batch_id))


def _make_options(
    target: TargetLike,
    seconds: float | None,
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
        time_limit_s=optional(check_number, "seconds", seconds),
        algorithm=check_text("algorithm", algorithm),
        heuristic=check_text("heuristic", heuristic),
        priority=check_choice(priority, PriorityName),
    )


def _goal_document(goal: BoardLike | GoalName) -> str | list[list[int]]:
    return goal if isinstance(goal, str) else _rows(Board.of(goal))


def _rows(board: Board) -> list[list[int]]:
    rows: list[list[int]] = board.cells.reshape(board.height, board.width).tolist()
    return rows
