"""A farm of Tilework, from a program: boards go there, and answers come back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, Self

from tilework.analysis import Analysis
from tilework.board import Board, BoardLike, goal_of
from tilework.core.puzzle import hint as core
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay
from tilework.core.remote import Server, options_in_request
from tilework.hints import Hint
from tilework.jobs import Batch, Job, finished
from tilework.shortest_solutions import Ways, ways_of
from tilework.solutions import Wanted

Counted = Literal["moves", "slides"]
"""What is to be few: moves of single tiles, or slides of one tile or several in a line."""


class Client:
    """A server's client; close it, or use it in a ``with`` block. Not to be shared by threads.

    Parameters
    ----------
    url : str
        Where the server is: ``http://127.0.0.1:8000``.
    key : str, optional
        An API key. Without one the server takes each `Client` for somebody new, and only this one
        can cancel what it submits.

    Raises
    ------
    TileworkError
        If the address is none; and from every method, if no server answers there or it refuses.
    """

    def __init__(self, url: str, key: str | None = None) -> None:
        self._server = Server(url, key)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self._server.close()

    def submit(
        self,
        board: BoardLike,
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        metric: Counted = "moves",
        target: Wanted = "optimal",
        seconds: float | None = None,
        algorithm: str = "auto",
        heuristic: str = "auto",
        fresh: bool = False,
    ) -> Job:
        """Submit a board; the job may have ended already, where its answer is known.

        Parameters
        ----------
        board : Board, or its text, tiles or rows
        goal : Board or its name or text
        metric : "moves" or "slides"
            What is to be few: moves of single tiles, or slides of one tile or several in a line.
        target : "optimal", "any" or float
            As of `tilework.solve`; a length is counted in the metric.
        seconds : float, optional
            The job ends after so long, with what is known by then; the server has a default.
        algorithm, heuristic : str
            As of ``tilework submit``.
        fresh : bool
            Whether to search even if the answer is already known.
        """
        start = Board.of(board)
        request = {
            "board": _rows(start),
            **({"fresh": True} if fresh else {}),
            "goal": _goal(goal),
            **options_in_request(
                metric=metric,
                **_target(target),
                time_limit_s=seconds,
                algorithm=algorithm,
                heuristic=heuristic,
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
        """Say which tile to move next; who moves as told is nearer to the goal each time.

        Parameters
        ----------
        board : Board, or its text, tiles or rows
        goal : Board or its name or text
        wait : float
            Seconds, up to 20, to wait for a way that is good enough. If none is known by then, the
            hint has no ``moves``: ask again.
        """
        start = Board.of(board)
        told = self._server.hint({"board": _rows(start), "goal": _goal(goal)}, wait)
        moves = None if told["moves"] is None else from_letters(told["moves"])
        if moves is not None:
            replay(start, moves, goal_of(goal, start))
        return Hint.of(core.Hint(start, told["lower_bound"], moves))

    def job(self, job_id: str) -> Job:
        """Return a job that somebody submitted."""
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
        """Have a game analysed, and wait for it.

        Parameters
        ----------
        board, moves, goal
            As of `tilework.analyse`.
        seconds : float, optional
            What the analysis may take; the server has a default.
        timeout : float, optional
            Seconds to wait at most.

        Raises
        ------
        TimeoutError
            If it has not ended by then; it goes on.
        TileworkError
            If it failed, besides what all methods raise.
        """
        request: dict[str, Any] = {
            "board": _rows(Board.of(board)),
            "goal": _goal(goal),
            "moves": moves,
        }
        if seconds is not None:
            request["time_limit_s"] = seconds
        view = finished(self._server.analysis, self._server.submit_game(request), timeout)
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
        """Have all shortest solutions of a board of up to 16 cells found, and wait for that.

        Parameters
        ----------
        board, goal
            As of `tilework.ways`.
        seconds, memory_bytes : float, int, optional
            What the search may take; the server has defaults.
        timeout : float, optional
            Seconds to wait at most.

        Raises
        ------
        TimeoutError
            If it has not ended by then; it goes on.
        TileworkError
            If it failed, besides what all methods raise.
        """
        request: dict[str, Any] = {"board": _rows(Board.of(board)), "goal": _goal(goal)}
        if seconds is not None:
            request["time_limit_s"] = seconds
        if memory_bytes is not None:
            request["memory_limit_mb"] = memory_bytes >> 20
        view = finished(self._server.ways, self._server.submit_ways(request), timeout)
        return ways_of(self._server, view)

    def submit_all(
        self,
        boards: Iterable[BoardLike],
        goal: BoardLike | GoalName = GoalName.BLANK_LAST,
        *,
        metric: Counted = "moves",
        target: Wanted = "optimal",
        seconds: float | None = None,
        algorithm: str = "auto",
        heuristic: str = "auto",
    ) -> Batch:
        """Submit many boards, all or none of them; each may be of another size."""
        request = {
            "boards": [_rows(Board.of(board)) for board in boards],
            "goal": _goal(goal),
            **options_in_request(
                metric=metric,
                **_target(target),
                time_limit_s=seconds,
                algorithm=algorithm,
                heuristic=heuristic,
            ),
        }
        return Batch(self._server, self._server.submit_batch(request))

    def batch(self, batch_id: str) -> Batch:
        """Return a batch that somebody submitted."""
        return Batch(self._server, self._server.batch(batch_id))


def _target(wanted: Wanted) -> dict[str, Any]:
    return {"target": wanted} if isinstance(wanted, str) else {"target": "gap", "gap": wanted}


def _goal(goal: BoardLike | GoalName) -> str | list[list[int]]:
    return goal if isinstance(goal, str) else _rows(Board.of(goal))


def _rows(board: Board) -> list[list[int]]:
    rows: list[list[int]] = board.cells.reshape(board.height, board.width).tolist()
    return rows
