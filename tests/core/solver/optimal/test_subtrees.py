import pytest

from tests.core.solver.optimal.walks import walked
from tests.instances import instances
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
from tilework.core.solver.kernels.depth_first.subtrees import KNOWN, NODES
from tilework.core.solver.names import Heuristic
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.optimal.subtrees import ENOUGH_NODES, TOP, Subtrees
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


def plain(engine, board, threshold):
    """Nodes, least f over the threshold and whether a goal was met, in one search."""
    start = engine.start(board)
    walk = Walk.of(Cursor.root(), board, threshold, engine.rules)
    status = engine.search(start, threshold, 1 << 40, walk)
    return int(walk.report[GENERATED]), int(walk.report[NEXT_THRESHOLD]), status == FOUND


def in_order(engine, board, threshold, subtrees, budget):
    """The same subtree by subtree, and what was known of the board before."""
    start = engine.start(board)
    walk = Walk.of(Cursor.root(), board, threshold, engine.rules)
    subtrees.begin(engine.name, threshold)
    search = engine.search_in_order if subtrees.ordered else None
    nodes, status = 0, OUT_OF_BUDGET
    while status == OUT_OF_BUDGET:
        if search is None:
            status = engine.search(start, threshold, budget, walk)
        else:
            status = search(start, threshold, budget, walk, subtrees)
        generated = int(walk.report[GENERATED])
        assert generated <= budget
        assert status != OUT_OF_BUDGET or generated == budget
        nodes += generated
        subtrees.count(generated)
    return nodes, walk, status


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("budget", [1 << 40, 97, 1])
def test_subtrees_and_top_are_the_whole_tree(case, budget, pattern_databases):
    """Each threshold in vain has the nodes of a plain search, and the same least f over it."""
    board, goal, heuristic = CASES[case]
    engine = engine_for(goal, pattern_databases, heuristic)
    threshold = engine.start(board).estimate
    subtrees, tops, ordered = Subtrees(), set(), 0
    while True:
        expected, least, met = plain(engine, board, threshold)
        known = subtrees.ordered
        nodes, walk, status = in_order(engine, board, threshold, subtrees, budget)
        assert (status == FOUND) == met
        if met:
            break
        assert status == EXHAUSTED
        assert int(walk.report[NEXT_THRESHOLD]) == least
        if known:
            ordered += 1
            tops.add(expected - nodes)
            assert nodes == subtrees.table[: subtrees.place[KNOWN], NODES].sum()
        else:
            assert nodes == expected
        threshold = least
        if expected > 60_000 or (budget < 10 and expected > 8_000):
            break
    assert ordered > 0
    # The top is left out, the same nodes each time.
    assert len(tops) == 1
    assert 0 < tops.pop() < 3 ** (TOP + 1)


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
    for board in list(KORF.values())[:30]:
        after += ida_star(board, TO_4X4, pdb_folder=pattern_databases).statistics.generated
        threshold, met = engine.start(board).estimate, False
        while not met:
            nodes, threshold, met = plain(engine, board, threshold)
            before += nodes
    assert after < 0.9 * before


def test_a_search_that_was_stopped_anywhere_leaves_no_solution_out(pattern_databases):
    """What an earlier call knows, also half of a top, is nothing that a later one relies on."""
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


def test_what_one_engine_counted_is_nothing_to_another():
    subtrees = Subtrees()
    for engine, threshold, ordered in (
        ("one", 40, False),
        ("one", 42, True),
        ("one", 44, True),
        ("another", 46, False),
        ("another", 48, True),
        ("another", 48, False),
    ):
        subtrees.begin(engine, threshold)
        assert subtrees.ordered is ordered
        subtrees.place[:] = 0
        subtrees.count(ENOUGH_NODES)


def test_trees_of_few_nodes_get_no_order():
    subtrees = Subtrees()
    for threshold in range(40, 60, 2):
        subtrees.begin("one", threshold)
        assert not subtrees.ordered
        subtrees.count(ENOUGH_NODES - 1)
