"""Solves a board in this process."""

from __future__ import annotations

from pathlib import Path

from tilework.core.errors import BoardError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_solvable
from tilework.core.puzzle.hint import Hint
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.phrases import goal_size
from tilework.core.puzzle.replay import replay, replaying_input
from tilework.core.search.limits import Limits
from tilework.core.solver.result import ProgressListener, SearchResult, SolutionListener
from tilework.core.solver.stage_runner import StageRunner
from tilework.core.solver.strategy import HINT_S, check_options, hint_target, stages_for
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind

_GIVEN = "given"  # algorithm of a solution that the caller has


def solve(
    board: Board,
    goal: Board,
    *,
    target: Target | None = None,
    limits: Limits | None = None,
    algorithm: Algorithm = Algorithm.AUTO,
    heuristic: Heuristic = Heuristic.AUTO,
    progress: ProgressListener | None = None,
    pdb_folder: Path | None = None,
    on_solution: SolutionListener | None = None,
    threads: int = 1,
    workers_continue: bool = False,
    known: MoveSequence | None = None,
) -> SearchResult:
    """Find a solution that meets the target, or the best one within the limits.

    Parameters
    ----------
    board, goal : Board; of the same size, with at least one cell
    target : Target, optional; by default the optimum
    limits : Limits, optional; without limits, an optimal search of a board of up to 36 cells may
        take years. Larger boards have no such search; their solutions are improved for about ten
        seconds.
    algorithm : Algorithm; ``AUTO`` runs the strategy for the size, other values only one algorithm
    heuristic : Heuristic; with ``AUTO`` as algorithm, only steps that support it are run
    on_solution : callable, optional; called with each shorter solution. On boards of more than 16
        cells, the search then starts with a quick first solution, whichever algorithm is requested.
    threads : int; if nodes are limited but time is not, the result depends only on their number
    workers_continue : bool; whether workers continue the search, so that boards too large for an
        optimal search only get a first solution
    known : MoveSequence, optional; a solution to shorten

    Returns
    -------
    SearchResult; its solution was replayed. ``stopped_by`` is None if all stages were completed,
        even if a gap remains, as on boards of over 36 cells without limits.

    Raises
    ------
    BoardError; if the goal has another size
    UnsolvableError; if the goal cannot be reached
    MoveError; if the known solution is none
    OptionError; if the algorithm or the heuristic does not support boards of this size
    """
    if board.size != goal.size:
        raise BoardError(goal_size(goal.size, board.size))
    check_solvable(board, goal)
    check_options(goal, algorithm, heuristic)
    target = target or Target()
    stages = stages_for(
        goal,
        algorithm,
        heuristic,
        optimal=target.kind is TargetKind.OPTIMAL,
        quick_first_solution=on_solution is not None,
        workers_continue=workers_continue,
    )
    limits = limits or Limits()
    runner = StageRunner(
        board, goal, target, limits, heuristic, progress, pdb_folder, on_solution, threads
    )
    if known is not None:
        with replaying_input():
            replay(board, known, goal)
        runner.add_solution(known, _GIVEN)
        # No step finds a bound if this solution meets the target.
        runner.lower = runner.distance()
    runner.run(stages)
    return runner.result()


def find_hint(board: Board, goal: Board) -> Hint:
    """Return a hint: the first move of a good solution."""
    result = solve(board, goal, target=hint_target(board.size.cells), limits=Limits(seconds=HINT_S))
    return Hint(board, result.lower_bound, result.moves)
