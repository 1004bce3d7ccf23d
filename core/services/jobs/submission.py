"""A submission: boards and options, checked before anything is stored, and canonical boards."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass

from tilework.core.errors import DamagedSolveError, OptionError
from tilework.core.model.farm.solves import Puzzle, Solve
from tilework.core.model.ids import new_id
from tilework.core.model.job_options import JobOptions
from tilework.core.model.solutions import SolutionView
from tilework.core.model.states import Priority
from tilework.core.puzzle.arrangement import manhattan
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Transform, canonicalize
from tilework.core.puzzle.goals import check_solvable
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import pack_board
from tilework.core.puzzle.phrases import cells
from tilework.core.services.callback_rules import CallbackRules
from tilework.core.services.jobs.solution_views import make_solution_view
from tilework.core.settings import Settings
from tilework.core.solver.options import check_metric, check_options
from tilework.core.solver.strategy import INTERACTIVE_WORK

MAX_KEY_LENGTH = 255

DEFAULT_OPTIONS = JobOptions()


@dataclass(frozen=True, kw_only=True, slots=True)
class Submission:
    """One or more boards, each with its goal, that a client submits with the same options.

    A repeated submission with the same idempotency key gives the same job. A fresh submission is
    searched even if the answer is known.
    """

    client_id: str
    boards: Sequence[tuple[Board, Board]]
    options: JobOptions = DEFAULT_OPTIONS
    idempotency_key: str | None = None
    callback_url: str | None = None
    fresh: bool = False

    def check(self, settings: Settings, callbacks: CallbackRules) -> None:
        """Raise OptionError if an option, the idempotency key or the callback is invalid."""
        options, key = self.options, self.idempotency_key
        check_metric(options.metric, options.algorithm, options.heuristic)
        seconds = options.time_limit_s
        if seconds is not None:
            check_time_limit(seconds, settings)
        if key is not None and not 0 < len(key) <= MAX_KEY_LENGTH:
            raise OptionError(
                "idempotency-key-length",
                "an idempotency key cannot have {count} characters; use 1 to {max}",
                count=len(key),
                max=MAX_KEY_LENGTH,
            )
        if self.callback_url is not None:
            callbacks.check(self.callback_url)

    def fingerprint(self) -> str:
        """Return a hash that recognizes a repeated request with an idempotency key."""
        if self.idempotency_key is None:
            return ""
        options = self.options
        target, seconds = options.parsed_target, options.time_limit_s
        text = f"{target}|{seconds}|{options.algorithm}|{options.heuristic}"
        if options.metric is not Metric.MOVES:
            text += f"|{options.metric}"
        if self.callback_url is not None:
            text += f"|{self.callback_url}"
        if self.fresh:
            text += "|fresh"
        if options.priority is not Priority.NORMAL:
            text += f"|{options.priority}"
        digest = hashlib.sha256(text.encode())
        for start, goal in self.boards:
            digest.update(pack_board(start))
            digest.update(pack_board(goal))
        return digest.hexdigest()


def check_time_limit(seconds: float, settings: Settings) -> None:
    """Raise OptionError if a time limit is not positive or exceeds the maximum."""
    if not 0 < seconds <= settings.max_time_limit_s:
        raise OptionError(
            "time-limit",
            "invalid time limit {limit:g} s; use more than 0 and at most {max:g} s",
            limit=seconds,
            max=settings.max_time_limit_s,
        )


def check_board(start: Board, goal: Board, options: JobOptions, settings: Settings) -> None:
    """Raise OptionError if a board is too large or long, or not supported by the algorithm."""
    size = start.size
    if size.cells > settings.max_cells:
        raise OptionError(
            "too-many-cells",
            "{size} boards have {cells}; this service accepts at most {max}",
            size=size,
            cells=cells(size.cells),
            max=settings.max_cells,
        )
    max_length = _max_length(min(size), settings.max_cells)
    if 1 not in size and max(size) > max_length:
        raise OptionError(
            "too-long",
            "{size} boards are too long; if the shorter side is {side}, this service accepts at "
            "most {max} for the longer one",
            size=size,
            side=min(size),
            max=max_length,
        )
    check_options(goal, options.algorithm, options.heuristic)


def _max_length(shorter_side: int, max_cells: int) -> int:
    """Return the longer side of a board that takes twice as much work as the largest square."""
    max_work = max(INTERACTIVE_WORK, 2 * math.isqrt(4 * max_cells**3))
    return (math.isqrt(shorter_side**2 + 4 * (max_work // shorter_side)) - shorter_side) // 2


@dataclass(frozen=True, slots=True)
class Prepared:
    """A solvable board and its canonical form."""

    start: Board
    goal: Board
    puzzle: Puzzle
    transform: Transform


def prepare(
    start: Board, goal: Board, metric: Metric = Metric.MOVES, *, fresh: bool = False
) -> Prepared:
    """Return the canonical form of a board; a fresh submission gets a separate solve.

    Raises BoardError if the goal has another size, and UnsolvableError.
    """
    check_solvable(start, goal)
    form = canonicalize(start, goal)
    puzzle = Puzzle(
        key=metric.key(form.key, new_id() if fresh else ""),
        width=form.board.width,
        height=form.board.height,
        goal_blank=form.goal.blank,
        board_bytes=pack_board(form.board),
        goal_bytes=pack_board(form.goal),
    )
    return Prepared(start, goal, puzzle, form.transform)


def view_solution(
    solve: Solve, moves: MoveSequence | None, prepared: Prepared
) -> SolutionView | None:
    """Return a stored solution as a solution of the given board; None if there is none.

    Raises DamagedSolveError if it does not solve that board, or has another length than stored.
    """
    metric = solve.metric
    if (None if moves is None else metric.length(moves)) != solve.upper_bound:
        raise DamagedSolveError(solve.id)
    if moves is None:
        return None
    start, goal, transform = prepared.start, prepared.goal, prepared.transform
    return make_solution_view(
        start,
        goal,
        transform,
        moves,
        lower_bound=solve.lower_bound,
        solve_id=solve.id,
        metric=metric,
    )


def initial_lower_bound(prepared: Prepared) -> int:
    """Return the lower bound of a new solve, which is the same for all equivalent boards."""
    start = prepared.start
    moves = manhattan(start.cells, prepared.goal.cells, start.width)
    return prepared.puzzle.metric.bound(moves, start.size)
