import pytest

from tests.support.instances import instances
from tests.unit.solver.optimal.walks import walked
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    FOUND,
    GENERATED,
    NEXT_THRESHOLD,
    OUT_OF_BUDGET,
)
from tilework.core.solver.names import Heuristic
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.optimal.subtrees import Subtrees, top_of
from tilework.core.solver.optimal.walk import Walk

KORF = {one.name: Board(one.tiles, 4, 4) for one in instances("korf100_15puzzle.txt")}
TO_4X4 = blank_first(Size(4, 4))


MIDDLE = Board([*range(1, 13), 0, *range(13, 25)])

CASES = {
    "4×4 by databases": (KORF["korf15-021"], TO_4X4, Heuristic.AUTO),
    "4×4 by lines": (walked(TO_4X4, 70, 1), TO_4X4, Heuristic.LINEAR_CONFLICT),
    "5×5 by databases": (
        walked(blank_last(Size(5, 5)), 130, 2),
        blank_last(Size(5, 5)),
        Heuristic.AUTO,
    ),
    "5×5, blank in the middle": (walked(MIDDLE, 70, 5), MIDDLE, Heuristic.AUTO),
}

TOP_NODES = {16: 1_500, 25: 12_000}
"""By cells: those of the top are generated once, not under each threshold."""


def plain(engine, board, threshold):
    """Nodes, least f over the threshold and whether a goal was met, in one search."""
    walk = Walk(engine, engine.start(board), threshold, Cursor.root())
    status = walk.search(1 << 40)
    return int(walk.report[GENERATED]), int(walk.report[NEXT_THRESHOLD]), status == FOUND


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("budget", [1 << 40, 97, 1])
def test_subtrees_are_the_tree_without_its_top(case, budget, pattern_databases):
    """Each threshold in vain has about the nodes of a plain search, and its least f."""
    board, goal, heuristic = CASES[case]
    engine = engine_for(goal, pattern_databases, heuristic)
    start, subtrees, searched = engine.start(board), Subtrees(), 0
    threshold = start.estimate
    while True:
        expected, least, met = plain(engine, board, threshold)
        walk = subtrees.begin(engine, start, threshold)
        assert walk is not None
        nodes, status = 0, OUT_OF_BUDGET
        while status == OUT_OF_BUDGET:
            status = walk.search(budget)
            nodes += int(walk.report[GENERATED])
            assert walk.report[GENERATED] <= budget
        assert (status == FOUND) == met
        if met:
            replay(board, walk.path, goal)
            assert len(walk.path) == threshold
            break
        assert status == EXHAUSTED
        assert walk.report[NEXT_THRESHOLD] >= least
        assert abs(expected - nodes) < TOP_NODES[board.size.cells]
        searched += nodes
        threshold = least
        if expected > 120_000 or (budget < 100 and expected > 8_000):
            break
    assert searched > 1_000


@pytest.mark.parametrize("case", CASES)
def test_a_call_a_threshold_is_as_good_as_one(case, pattern_databases):
    board, goal, heuristic = CASES[case]
    whole = ida_star(board, goal, pdb_folder=pattern_databases, heuristic=heuristic)
    subtrees, bound, nodes = Subtrees(), 0, 0
    while True:
        found = ida_star(
            board,
            goal,
            pdb_folder=pattern_databases,
            heuristic=heuristic,
            known_bound=bound,
            upper_bound=bound + 1,
            subtrees=subtrees,
        )
        nodes += found.statistics.generated
        bound = found.lower_bound
        if found.moves is not None:
            break
    replay(board, found.moves, goal)
    assert len(found.moves) == len(whole.moves)
    assert nodes == whole.statistics.generated


def test_an_order_saves_nodes_under_the_last_thresholds(pattern_databases):
    engine = engine_for(TO_4X4, pattern_databases)
    before = after = 0
    for board in KORF.values():
        after += ida_star(board, TO_4X4, pdb_folder=pattern_databases).statistics.generated
        threshold, met = engine.start(board).estimate, False
        while not met:
            nodes, threshold, met = plain(engine, board, threshold)
            before += nodes
    assert after < 0.9 * before


def test_a_search_that_was_stopped_anywhere_leaves_no_solution_out(pattern_databases):
    """What an earlier call knows is nothing that a later one relies on."""
    board = KORF["korf15-001"]
    length = len(ida_star(board, TO_4X4, pdb_folder=pattern_databases).moves)
    for nodes in (*range(820, 1_300, 40), 3_000, 5_000):
        subtrees = Subtrees()
        first = ida_star(
            board,
            TO_4X4,
            Limits(nodes=nodes),
            pdb_folder=pattern_databases,
            subtrees=subtrees,
        )
        assert first.stopped_by is StopReason.NODES
        assert first.statistics.generated == nodes
        for bound in (first.lower_bound, first.lower_bound + 2):
            rest = ida_star(
                board,
                TO_4X4,
                pdb_folder=pattern_databases,
                known_bound=bound,
                subtrees=subtrees,
            )
            assert len(rest.moves) == length


def test_another_engine_counts_anew(pattern_databases):
    board = KORF["korf15-021"]
    subtrees = Subtrees()
    lines = engine_for(TO_4X4, pattern_databases, Heuristic.LINEAR_CONFLICT)
    patterns = engine_for(TO_4X4, pattern_databases)
    walks = [subtrees.begin(engine, engine.start(board), 46) for engine in (lines, lines, patterns)]
    assert walks[0] is walks[1] is not walks[2]


def test_thresholds_of_few_moves_have_no_subtrees(pattern_databases):
    board = walked(TO_4X4, 3, 1)
    engine = engine_for(TO_4X4, pattern_databases)
    assert Subtrees().begin(engine, engine.start(board), top_of(16)) is None
