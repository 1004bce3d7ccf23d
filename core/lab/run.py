"""Run an algorithm on a board, within limits, with statistics and an optional trace."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import Final

from tilework.core.lab.algorithms.informed.a_star import a_star
from tilework.core.lab.algorithms.informed.a_star_closed import a_star_closed
from tilework.core.lab.algorithms.informed.a_star_decrease_key import a_star_decrease_key
from tilework.core.lab.algorithms.informed.a_star_parent import a_star_parent
from tilework.core.lab.algorithms.informed.a_star_replace import a_star_replace
from tilework.core.lab.algorithms.informed.beam import beam
from tilework.core.lab.algorithms.informed.greedy import greedy
from tilework.core.lab.algorithms.informed.ida_star import ida_star
from tilework.core.lab.algorithms.informed.weighted_a_star import weighted_a_star
from tilework.core.lab.algorithms.uninformed.backtracking import backtracking
from tilework.core.lab.algorithms.uninformed.backtracking_stack import backtracking_stack
from tilework.core.lab.algorithms.uninformed.backtracking_visited import backtracking_visited
from tilework.core.lab.algorithms.uninformed.bidirectional import bidirectional
from tilework.core.lab.algorithms.uninformed.breadth_first import breadth_first
from tilework.core.lab.algorithms.uninformed.depth_first import depth_first
from tilework.core.lab.algorithms.uninformed.depth_first_recursive import depth_first_recursive
from tilework.core.lab.algorithms.uninformed.depth_first_unchecked import depth_first_unchecked
from tilework.core.lab.algorithms.uninformed.iterative_deepening import iterative_deepening
from tilework.core.lab.algorithms.uninformed.uniform_cost import uniform_cost
from tilework.core.lab.heuristics.combined import Maximum, Mean, MeanBlank, Sum
from tilework.core.lab.heuristics.hamming import Hamming, HammingBlank, HammingDiagonal, Zero
from tilework.core.lab.heuristics.linear_conflict import LinearConflict
from tilework.core.lab.heuristics.manhattan import Faulty, Manhattan
from tilework.core.lab.heuristics.pattern_database import PatternDatabase
from tilework.core.lab.heuristics.walking_distance import WalkingDistance
from tilework.core.lab.meter import Meter, Recorder, SearchStopped
from tilework.core.lab.methods import ALGORITHMS, FORBID_UNDO, LabAlgorithm, LabHeuristic, Method
from tilework.core.lab.problem import Heuristic, Node, Problem
from tilework.core.lab.result import RunResult, RunStatistics, Trace, TraceWindow, max_trace_steps
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import check_goal, check_solvable, explain
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, StopReason

Search = Callable[[Problem, Meter], Node | None]

_UNINFORMED: dict[LabAlgorithm, Search] = {
    LabAlgorithm.BACKTRACKING: backtracking,
    LabAlgorithm.BACKTRACKING_VISITED: backtracking_visited,
    LabAlgorithm.BACKTRACKING_STACK: backtracking_stack,
    LabAlgorithm.DEPTH_FIRST_RECURSIVE: depth_first_recursive,
    LabAlgorithm.DEPTH_FIRST: depth_first,
    LabAlgorithm.DEPTH_FIRST_UNCHECKED: depth_first_unchecked,
    LabAlgorithm.BREADTH_FIRST: breadth_first,
    LabAlgorithm.ITERATIVE_DEEPENING: iterative_deepening,
    LabAlgorithm.BIDIRECTIONAL: bidirectional,
    LabAlgorithm.UNIFORM_COST: uniform_cost,
}
_INFORMED: dict[LabAlgorithm, Callable[[Problem, Meter, Heuristic], Node | None]] = {
    LabAlgorithm.GREEDY: greedy,
    LabAlgorithm.A_STAR: a_star,
    LabAlgorithm.A_STAR_CLOSED: a_star_closed,
    LabAlgorithm.A_STAR_DECREASE_KEY: a_star_decrease_key,
    LabAlgorithm.A_STAR_REPLACE: a_star_replace,
    LabAlgorithm.A_STAR_PARENT: a_star_parent,
    LabAlgorithm.IDA_STAR: ida_star,
}
_HEURISTICS: dict[LabHeuristic, Callable[[Problem], Heuristic]] = {
    LabHeuristic.ZERO: Zero,
    LabHeuristic.HAMMING: Hamming,
    LabHeuristic.HAMMING_BLANK: HammingBlank,
    LabHeuristic.MANHATTAN: Manhattan,
    LabHeuristic.MEAN: Mean,
    LabHeuristic.MEAN_BLANK: MeanBlank,
    LabHeuristic.SUM: Sum,
    LabHeuristic.MAXIMUM: Maximum,
    LabHeuristic.LINEAR_CONFLICT: LinearConflict,
    LabHeuristic.WALKING_DISTANCE: WalkingDistance,
    LabHeuristic.PATTERN_DATABASE: PatternDatabase,
    LabHeuristic.FAULTY: Faulty,
    LabHeuristic.HAMMING_DIAGONAL: HammingDiagonal,
}


def make_search(method: Method, problem: Problem) -> Search:
    """Return the search function of a method, with the heuristic built for the problem's goal."""
    if method.heuristic is None:
        return _UNINFORMED[method.algorithm]
    heuristic = make_heuristic(method.heuristic, problem)
    if method.weight is not None:
        weight = method.weight
        return lambda problem, meter: weighted_a_star(problem, meter, heuristic, weight)
    if method.width is not None:
        width = method.width
        return lambda problem, meter: beam(problem, meter, heuristic, width)
    informed = _INFORMED[method.algorithm]
    return lambda problem, meter: informed(problem, meter, heuristic)


def make_heuristic(heuristic: LabHeuristic, problem: Problem) -> Heuristic:
    return _HEURISTICS[heuristic](problem)


_TOLERANCE = 1e-9


def effective_branching_factor(nodes: int, depth: int) -> float:
    """Return the branching factor of a uniform tree with `nodes` nodes below its root.

    Russell, Norvig, *Artificial Intelligence: A Modern Approach*, section on the effect of
    heuristic accuracy on performance.
    """
    if depth == 0 or nodes == 0:
        return 0.0
    low, high = 0.0, float(nodes)
    while high - low > _TOLERANCE * high:
        middle = (low + high) / 2
        if _tree_size(middle, depth, limit=nodes) < nodes:
            low = middle
        else:
            high = middle
    return high


def _tree_size(branching: float, depth: int, limit: int) -> float:
    """Return the nodes below the root, or a partial count once it exceeds `limit`."""
    total, level = 0.0, 1.0
    for _ in range(depth):
        level *= branching
        total += level
        if total > limit or level < _TOLERANCE:
            break
    return total


EXHAUSTED: Final = Message("exhausted", "Search space exhausted; goal not reached.")


def run(
    start: Board,
    goal: Board,
    method: Method,
    limits: Limits,
    window: TraceWindow | None = None,
    *,
    exhaust: bool = False,
) -> RunResult:
    """Run a method on a board.

    With a window the search runs twice: only after the first run is it known which steps are last,
    and the second run records them. Statistics and time are those of the first run.

    Parameters
    ----------
    limits : Limits; memory is estimated from the number of stored nodes
    exhaust : bool; whether to search an unsolvable board instead of raising an error
    """
    if exhaust:
        check_goal(start, goal)
    else:
        check_solvable(start, goal)
    cells = start.size.cells
    if window is not None:
        window.check(cells)
    problem = Problem(start, goal)
    search = make_search(method, problem)
    meter = Meter(problem, limits)
    result = _make_result(method, *_search(search, problem, meter), meter)
    if result.message is EXHAUSTED and not start.is_solvable(goal):
        message = Message(
            "half-searched",
            "Search space exhausted: this board cannot reach its goal. {explanation}",
            explanation=explain(start, goal).message,
        )
        result = replace(result, message=message)
    if result.moves is not None:
        replay(start, result.moves, goal)
    if window is None or result.stopped_by is StopReason.CANCELLED:
        return result
    order = ALGORITHMS[method.algorithm].order
    recorder = Recorder(
        _step_filter(window, meter.expanded, max_trace_steps(cells)),
        order,
        forbids_undo=method.algorithm in FORBID_UNDO,
        weight=method.weight or 1,
    )
    # The second run must stop at the same node as the first, so it has no time limit.
    nodes = None if result.stopped_by is None else meter.generated
    second_limits = Limits(nodes=nodes, cancelled=limits.cancelled)
    goal_node, stopped = _search(search, problem, Meter(problem, second_limits, recorder))
    if stopped is not None and stopped.reason is StopReason.CANCELLED:
        return replace(result, stopped_by=stopped.reason, message=stopped.message)
    path = () if goal_node is None else tuple(node.number for node in goal_node.path())
    trace = Trace(**asdict(window), expanded=meter.expanded, path=path, steps=recorder.steps)
    return replace(result, trace=trace)


def _search(
    search: Search, problem: Problem, meter: Meter
) -> tuple[Node | None, SearchStopped | None]:
    with _garbage_collection_paused():
        try:
            return search(problem, meter), None
        except SearchStopped as stopped:
            # The traceback would keep every node of the search alive.
            return None, stopped.with_traceback(None)
        finally:
            meter.finish()


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """Pause garbage collection, which would cost time: nodes have no reference cycles."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


def _make_result(
    method: Method, goal_node: Node | None, stopped: SearchStopped | None, meter: Meter
) -> RunResult:
    depth = meter.depth if goal_node is None else goal_node.g
    return RunResult(
        method=method,
        moves=None if goal_node is None else goal_node.moves(),
        statistics=RunStatistics(
            expanded=meter.expanded,
            generated=meter.generated,
            visited=meter.expanded + (goal_node is not None),
            frontier=meter.frontier,
            max_frontier=meter.max_frontier,
            duplicates=meter.duplicates,
            depth=meter.depth,
            branching=effective_branching_factor(meter.generated, depth),
            seconds=meter.seconds,
            memory_bytes=meter.memory_bytes,
        ),
        stopped_by=None if stopped is None else stopped.reason,
        message=_message(goal_node, stopped),
    )


def _message(goal_node: Node | None, stopped: SearchStopped | None) -> Message | None:
    if stopped is not None:
        return stopped.message
    return None if goal_node is not None else EXHAUSTED


def _step_filter(window: TraceWindow, expanded: int, max_steps: int) -> Callable[[int], bool]:
    # Widen the interval so that it selects at most `max_steps` steps.
    every = max(window.every, -(-expanded // max_steps)) if window.every else 0

    def is_recorded(number: int) -> bool:
        return number <= expanded and (
            number <= window.first
            or number > expanded - window.last
            or (every > 0 and number % every == 0)
        )

    return is_recorded
