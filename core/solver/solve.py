"""solve(): plan, search, replay, in this process."""

from __future__ import annotations

from pathlib import Path

from tilework.core.errors import BoardError, UnsolvableError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.hint import Hint
from tilework.core.puzzle.phrases import goal_size
from tilework.core.puzzle.solvability import explain
from tilework.core.search.limits import Limits
from tilework.core.solver.options import check_options
from tilework.core.solver.plan import Run
from tilework.core.solver.result import FoundListener, ProgressListener, SearchResult
from tilework.core.solver.strategy import HINT_S, Step, hint_target, stages_for
from tilework.core.solver.target import Algorithm, Heuristic, Target, TargetKind


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
    found: FoundListener | None = None,
    threads: int = 1,
    opening: bool = False,
) -> SearchResult:
    """Find the best solution that the target asks for and the limits allow.

    Parameters
    ----------
    board, goal : Board; of one size, at least one cell
    target : Target, optional; the optimum where left out
    limits : Limits, optional; none where left out: the proof of a board of up to 36 cells may then
        take years. Larger boards, which have none, are improved for about ten seconds.
    algorithm : Algorithm; ``AUTO`` follows the strategy for boards of this size; the other values
        run that algorithm alone. `tilework.core.solver.strategy` has them all.
    heuristic : Heuristic; what ``algorithm`` is to search with. With ``AUTO``, the algorithm is
        chosen among those that have the heuristic.
    found : callable, optional; called with each better solution at once. On boards of more than 16
        cells the first one then comes soon, whatever algorithm is asked for.
    threads : int; on which boards of more than 16 cells are searched. With a limit of nodes and
        none of time, the result is the same each time for the same number of threads.
    opening : bool; whether this is only the beginning: on boards beyond a proof a first solution is
        found, and better ones are left to those who go on with it

    Returns
    -------
    SearchResult; its solution was replayed. ``stopped_by`` is None where the plan was completed,
        even if that leaves a gap (boards of over 36 cells without a limit).

    Raises
    ------
    BoardError; for a goal of another size
    UnsolvableError; where no moves lead to the goal
    OptionError; for an algorithm or a heuristic that cannot take a board of this size
    """
    if board.size != goal.size:
        raise BoardError(goal_size(goal.size, board.size))
    if not board.is_solvable(goal):
        raise UnsolvableError(
            "unsolvable",
            "this board of {size} cannot reach its goal",
            size=board.size,
            explanation=explain(board, goal).message,
        )
    check_options(goal, algorithm, heuristic)
    target = target or Target()
    stages = stages_for(
        goal,
        algorithm,
        heuristic,
        optimal=target.kind is TargetKind.OPTIMAL,
        first_solution_soon=found is not None,
        opening=opening,
    )
    if any(stage.step is Step.IMPROVE for stage in stages):
        from tilework.core.solver.large.anytime.choice import load

        load(goal, pdb_folder)
    run = Run(
        board, goal, target, limits or Limits(), heuristic, progress, pdb_folder, found, threads
    )
    run.follow(stages)
    return run.result()


def find_hint(board: Board, goal: Board) -> Hint:
    """Return the first move of a way to the goal that is as good as hints need to be."""
    found = solve(board, goal, target=hint_target(board.size.cells), limits=Limits(seconds=HINT_S))
    return Hint(board, found.lower_bound, found.moves)
