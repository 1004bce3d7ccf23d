"""A search by subtrees, also on several threads, visits the nodes of a plain search."""

import pytest

from tests.support.instances import load_instances
from tests.unit.solver.optimal.naive_search import MIDDLE, random_walk
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    FOUND,
    GENERATED,
    NEXT_THRESHOLD,
    OUT_OF_BUDGET,
)
from tilework.core.solver.optimal import subtrees
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engine_choice import select_engine
from tilework.core.solver.optimal.engines import LineEngine
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.optimal.slice import Walk
from tilework.core.solver.optimal.subtrees import Subtrees
from tilework.core.solver.target import Heuristic

KORF = {instance.name: instance.board for instance in load_instances("korf100_15puzzle.txt")}
GOAL_4X4 = blank_first(Size(4, 4))


CASES = {
    "4×4 by databases": (KORF["korf15-021"], GOAL_4X4, Heuristic.AUTO),
    "4×4 by lines": (random_walk(GOAL_4X4, 70, 1), GOAL_4X4, Heuristic.LINEAR_CONFLICT),
    "4×4 by distances": (random_walk(GOAL_4X4, 60, 1), GOAL_4X4, Heuristic.MANHATTAN),
    "5×5 by databases": (
        random_walk(blank_last(Size(5, 5)), 130, 2),
        blank_last(Size(5, 5)),
        Heuristic.AUTO,
    ),
    "5×5, blank in the middle": (random_walk(MIDDLE, 70, 5), MIDDLE, Heuristic.AUTO),
}


@pytest.mark.parametrize("budget", [1 << 40, 97, 1])
@pytest.mark.parametrize("case", CASES)
def test_subtrees_cover_the_tree_below_their_depth(case, budget, pattern_databases):
    """Compare nodes and minimum f of each threshold without a solution with a plain search."""
    board, goal, heuristic = CASES[case]
    engine = select_engine(goal, pattern_databases, heuristic)
    start, subtrees, searched = engine.start(board), Subtrees(), 0
    threshold = start.estimate
    while True:
        plain_walk = Walk(engine, engine.start(board), threshold, Cursor.root())
        solved = plain_walk.search(1 << 40) == FOUND
        expected, next_threshold = (int(plain_walk.report[i]) for i in (GENERATED, NEXT_THRESHOLD))
        walk = subtrees.begin_threshold(engine, start, threshold)
        nodes, status = 0, OUT_OF_BUDGET
        while status == OUT_OF_BUDGET:
            status = walk.search(budget)
            nodes += int(walk.report[GENERATED])
            assert walk.report[GENERATED] <= budget
        assert (status == FOUND) == solved
        if solved:
            replay(board, walk.path, goal)
            assert len(walk.path) == threshold
            break
        assert status == EXHAUSTED
        assert walk.report[NEXT_THRESHOLD] >= next_threshold
        # Nodes above the subtrees are generated once, not per threshold.
        assert abs(expected - nodes) < {16: 1_500, 25: 12_000}[board.size.cells]
        searched += nodes
        threshold = next_threshold
        if expected > 60_000 or (budget < 100 and expected > 4_000):
            break
    assert searched > 1_000


def test_stopping_anywhere_loses_no_solution(pattern_databases):
    """A resumed search finds the solution wherever the first one was stopped."""
    board = KORF["korf15-001"]
    length = len(ida_star(board, GOAL_4X4, pdb_folder=pattern_databases).moves)
    for nodes in (820, 900, 1_020, 1_260, 3_000, 5_000):
        subtrees = Subtrees()
        options = {"pdb_folder": pattern_databases, "subtrees": subtrees}
        first = ida_star(board, GOAL_4X4, Limits(nodes=nodes), **options)
        assert first.stopped_by is StopReason.NODES
        assert first.statistics.generated == nodes
        for bound in (first.lower_bound, first.lower_bound + 2):
            assert len(ida_star(board, GOAL_4X4, known_bound=bound, **options).moves) == length


GOAL_6X3 = blank_last(Size(6, 3))
BOARD_6X3 = scramble(GOAL_6X3.size, GOAL_6X3, seed=8, moves=80)
LINES = Heuristic.LINEAR_CONFLICT


def solve_with_threads(threads, **options):
    return ida_star(BOARD_6X3, GOAL_6X3, threads=threads, heuristic=LINES, **options)


def test_threads_search_the_nodes_of_one_thread_and_find_one_solution(monkeypatch):
    # Threads share thresholds of over a thousand nodes.
    monkeypatch.setattr(LineEngine, "chunk", 1_000)
    monkeypatch.setattr(subtrees, "_PART_CHUNK", 1_000)
    alone, *together = [solve_with_threads(threads) for threads in (1, 3, 3)]
    optimum = alone.lower_bound
    for result in together:
        replay(BOARD_6X3, result.moves, GOAL_6X3)
        assert result.lower_bound == result.upper_bound == optimum
    assert len({(result.moves.tobytes(), result.statistics.generated) for result in together}) == 1
    # They search the parts of the last threshold that one thread would search.
    assert together[0].statistics.generated < 1.5 * alone.statistics.generated
    proofs = [solve_with_threads(threads, upper_bound=optimum) for threads in (1, 2, 3)]
    assert {(proof.moves, proof.lower_bound) for proof in proofs} == {(None, optimum)}
    assert proofs[0].statistics.generated > 50_000
    effort = {(proof.statistics.generated, proof.statistics.expanded) for proof in proofs}
    assert len(effort) == 1
