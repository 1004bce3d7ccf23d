"""A puzzle has a tree from its board and one from its goal; the smaller one is searched."""

from functools import partial

import pytest

from tests.unit.solver.optimal.naive_search import MIDDLE, random_walk
from tests.unit.solver.optimal.proof_records import (
    make_slice_record,
    make_threshold_record,
    split_cursor,
)
from tilework.core.errors import InputError, ProofError
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.optimal import ida_star as ida_star_module
from tilework.core.solver.optimal import subtrees
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engine_choice import select_engine
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.optimal.proof import derive_claims, recheck_claim
from tilework.core.solver.optimal.slice import (
    first_threshold,
    search_slice,
    tree_from_board,
    tree_from_goal,
)
from tilework.core.solver.optimal.subtrees import Subtrees, order_tree

GOAL = blank_last(Size(5, 5))
# Boards whose tree from the goal is smaller, by factors of 5 and 30, and boards where it is not.
BACKWARD_BOARDS = (random_walk(GOAL, 100, 0), random_walk(GOAL, 110, 4))
FORWARD_BOARDS = (random_walk(GOAL, 100, 4), random_walk(GOAL, 110, 5))
LENGTHS = dict(zip((*BACKWARD_BOARDS, *FORWARD_BOARDS), (58, 62, 58, 68), strict=True))
WHOLE = 1 << 40


@pytest.fixture(autouse=True)
def use_best_databases(monkeypatch):
    """Treat the quick databases as the best ones, and thousands of nodes as many."""
    monkeypatch.setattr(ida_star_module, "find_missing_partition", lambda *_: None)
    monkeypatch.setattr(subtrees, "COMPARISON_NODES", 3_000)
    monkeypatch.setattr(subtrees, "ORDERING_NODES", 3_000)
    monkeypatch.setattr(subtrees, "MIN_ORDERED_NODES", 30_000)
    monkeypatch.setattr(subtrees, "MAX_POSITIONS", 500)
    monkeypatch.setattr(subtrees, "_UNIT_NODES", 20_000)


def goal_root(goal=GOAL):
    return Cursor.root(goal_blank=goal.blank)


GOAL_4X4 = blank_first(Size(4, 4))


# With tables in memory, with line conflicts, and with databases for a blank in the middle.
@pytest.mark.parametrize(
    ("goal", "moves"), [(GOAL_4X4, 40), (blank_last(Size(4, 5)), 44), (MIDDLE, 60)]
)
def test_both_trees_have_solutions_of_the_same_length(goal, moves, pattern_databases):
    board = random_walk(goal, moves, 1)
    lengths = []
    for root in (Cursor.root(), goal_root(goal)):
        threshold = first_threshold(*root.ends(board, goal), pattern_databases)
        while True:
            outcome = search_slice(
                board, goal, threshold, root, WHOLE, pdb_folder=pattern_databases
            )
            if outcome.moves is not None:
                break
            threshold = outcome.next_threshold
        replay(board, outcome.moves, goal)
        lengths.append(len(outcome.moves))
        assert lengths[-1] == threshold
    assert lengths[0] == lengths[1]


def solve_board(board, folder, **options):
    return ida_star(board, GOAL, pdb_folder=folder, **options)


@pytest.mark.parametrize(
    "board", [BACKWARD_BOARDS[0], FORWARD_BOARDS[1]], ids=["backward", "forward"]
)
def test_smaller_tree_is_searched(board, pattern_databases, monkeypatch):
    tree = Subtrees()
    result = solve_board(board, pattern_databases, subtrees=tree)
    replay(board, result.moves, GOAL)
    assert len(result.moves) == result.lower_bound == LENGTHS[board]
    monkeypatch.setattr(subtrees, "COMPARISON_NODES", WHOLE)
    forward = solve_board(board, pattern_databases)
    assert len(forward.moves) == LENGTHS[board]
    assert tree.from_goal == (board in BACKWARD_BOARDS)
    nodes, forward_nodes = result.statistics.generated, forward.statistics.generated
    if tree.from_goal:
        assert 3 * nodes < forward_nodes
    else:
        assert forward_nodes <= nodes < 1.05 * forward_nodes


def test_limit_stops_the_comparison_of_trees(pattern_databases):
    board = BACKWARD_BOARDS[0]
    complete = solve_board(board, pattern_databases).statistics.generated
    for nodes in (4_000, 8_000, 20_000, 56_000):
        tree = Subtrees()
        first = solve_board(board, pattern_databases, limits=Limits(nodes=nodes), subtrees=tree)
        assert first.stopped_by is StopReason.NODES
        assert first.statistics.generated == nodes < complete
        resumed = solve_board(
            board, pattern_databases, known_bound=first.lower_bound, subtrees=tree
        )
        assert len(resumed.moves) == LENGTHS[board]


def search_record(board, threshold, folder):
    """Order a threshold, search all its parts, and record them."""
    forward = tree_from_board(board, GOAL, select_engine(GOAL, folder))
    backward = partial(tree_from_goal, board, GOAL, forward.engine, folder)
    order = order_tree(forward, backward, threshold, workers=1, cancelled=lambda: False)
    slices = [make_slice_record(0, None, Cursor.root(), order)]
    cursors = [Cursor.from_bytes(unit.cursor) for unit in order.remaining]
    parts = [part for cursor in cursors for part in split_cursor(cursor, 2)]
    for number, part in enumerate(parts, 1):
        outcome = search_slice(board, GOAL, threshold, part, WHOLE, pdb_folder=folder)
        slices.append(make_slice_record(number, 0, part, outcome))
    return make_threshold_record(threshold, slices)


def test_tree_from_the_goal_proves_the_same_bounds(pattern_databases):
    board, length = BACKWARD_BOARDS[1], LENGTHS[BACKWARD_BOARDS[1]]
    tree = search_record(board, length - 2, pattern_databases)
    assert tree.slices[1].cursor.startswith("03")
    assert tree.next == length
    for claim in derive_claims(board, GOAL, length, [tree]):
        recheck_claim(board, GOAL, claim, pattern_databases)
    part = Cursor.from_bytes(bytes.fromhex(tree.slices[1].cursor))
    for changed in (Cursor(part.positions), Cursor(part.positions, GOAL.blank - 1)):
        with pytest.raises(ProofError, match="slice"):
            derive_claims(board, GOAL, length, [replace_cursor(tree, 1, changed)])
    # Only the whole tree may be replaced by the other one.
    with pytest.raises(ProofError, match="whole tree"):
        derive_claims(board, GOAL, length, [replace_cursor(tree, 0, goal_root())])


def replace_cursor(tree, number, cursor):
    changes = {"cursor": cursor.to_bytes().hex()}
    slices = [
        record.model_copy(update=changes) if record.id == number else record
        for record in tree.slices
    ]
    return tree.model_copy(update={"slices": slices})


def test_tree_without_databases_is_not_used(pattern_databases):
    """A search from the goal could not switch to better databases once they are built."""
    goal = blank_last(Size(5, 4))
    lines = select_engine(goal, pattern_databases)
    left, corner = random_walk(goal, 38, 1), random_walk(goal, 39, 1)
    assert (left.blank, corner.blank) == (9, 4)
    assert tree_from_goal(left, goal, lines, pattern_databases) is None
    assert tree_from_goal(corner, goal, lines, pattern_databases).from_goal


def test_cursor_of_another_goal_is_rejected(pattern_databases):
    board = random_walk(GOAL, 20, 1)
    with pytest.raises(InputError, match="blank on cell 3, not 24"):
        search_slice(board, GOAL, 20, Cursor.root(goal_blank=3), 100, pdb_folder=pattern_databases)
