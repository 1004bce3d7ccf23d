import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support import naive
from tests.support.instances import load_instances
from tests.support.strategies import boards
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.moves import to_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.kernels.beam import KEYS, select_best
from tilework.core.solver.large.beam import Ancestry, beam_search
from tilework.core.solver.optimal.engine_choice import select_engine

KORF_24 = load_instances("korf50_24puzzle.txt")

WHOLE_3X3 = 30_000  # a beam of this width keeps all boards of each level of a 3×3 board

NO_BOUND = 10_000  # more moves than any solution has


def search(board, goal, width, *, upper_bound=NO_BOUND, limits=None, pdb_folder=None):
    if goal.size == Size(5, 5):
        patterns = select_engine(goal, pdb_folder).patterns
    else:
        patterns = AdditivePatterns.from_small_board(goal)
    return beam_search(board, goal, width, patterns, limits=limits, upper_bound=upper_bound)


def assert_solves(board, goal, moves):
    final = naive.apply_moves(tuple(board.cells.tolist()), board.width, to_letters(moves))
    assert final == tuple(goal.cells.tolist())


@pytest.mark.parametrize(
    "goal", [blank_last(Size(3, 2)), blank_last(Size(2, 4)), Board([3, 1, 4, 8, 0, 2, 6, 5, 7])]
)
def test_wide_beam_solves_small_boards_optimally(goal):
    lengths = list(naive.distances(tuple(goal.cells.tolist()), goal.width).items())
    for tiles, length in (*lengths[:: 1 + len(lengths) // 8], lengths[-1]):
        assert len(search(Board(tiles, *goal.size), goal, WHOLE_3X3).moves) == length
    assert search(goal, goal, 5).moves.size == 0


@given(data=st.data(), width=st.sampled_from([1, 2, 3, 10, 300]))
@settings(max_examples=20)
def test_solutions_for_any_goal_and_size_are_valid(data, width):
    goal = data.draw(boards(smallest=2, largest=3))
    board = data.draw(boards(size=tuple(goal.size)))
    if not board.is_solvable(goal):
        return
    outcome = search(board, goal, width, limits=Limits(nodes=50_000))
    if outcome.moves is not None:
        assert_solves(board, goal, outcome.moves)
        tiles, goal_tiles = tuple(board.cells.tolist()), tuple(goal.cells.tolist())
        assert len(outcome.moves) >= naive.manhattan(tiles, goal_tiles, goal.width)


def test_wider_beam_finds_shorter_solutions(pattern_databases):
    goal = blank_first(Size(5, 5))
    instance, lengths = KORF_24[3], []
    board = instance.board
    for width in (30, 400):
        outcome = search(board, goal, width, pdb_folder=pattern_databases)
        assert_solves(board, goal, outcome.moves)
        assert instance.length <= len(outcome.moves)
        lengths.append(len(outcome.moves))
    repeated = search(board, goal, 400, pdb_folder=pattern_databases)
    assert (repeated.moves.tobytes(), repeated.nodes) == (outcome.moves.tobytes(), outcome.nodes)
    assert lengths[1] < lengths[0]


def test_limits_stop_the_search(pattern_databases):
    goal = blank_first(Size(5, 5))
    board = scramble(goal.size, goal, seed=1)
    polls = itertools.count()
    for limits, reason in (
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=50_000), StopReason.NODES),
        (Limits(memory_bytes=100_000), StopReason.MEMORY),
        # Cancellation is also polled within a level.
        (Limits(cancelled=lambda: next(polls) == 100), StopReason.CANCELLED),
    ):
        outcome = search(board, goal, 100_000, limits=limits, pdb_folder=pattern_databases)
        assert (outcome.moves, outcome.stopped_by) == (None, reason)
        assert outcome.nodes < 10_000_000


@given(keys=st.lists(st.sampled_from([0, 1, 2, 63, 64, KEYS - 1])), width=st.integers(1, 8))
def test_best_candidates_are_selected(keys, width):
    chosen = np.full(width, -1, dtype=np.int64)
    count = select_best(
        np.array(keys, dtype=np.int64), width, np.empty(KEYS, dtype=np.int64), chosen
    )
    candidates = sorted(range(len(keys)), key=lambda candidate: keys[candidate])
    assert chosen[:count].tolist() == sorted(candidates[:width])


@pytest.mark.parametrize(("width", "levels"), [(1, 0), (2, 15), (40, 17), (5, 100), (20, 800)])
def test_path_to_every_row_is_reconstructed(width, levels, monkeypatch):
    monkeypatch.setattr("tilework.core.solver.large.beam.MIN_PRUNING_BYTES", 40 * width)
    random = np.random.default_rng(width * 1000 + levels)
    ancestry, paths = Ancestry(), [()]
    for _ in range(levels):
        parents = random.integers(len(paths), size=random.integers(1, width + 1))
        moves = random.integers(4, size=parents.size)
        ancestry.add((parents << 2 | moves).astype(np.uint32))
        paths = [(*paths[parent], move) for parent, move in zip(parents, moves, strict=True)]
    for row, path in enumerate(paths):
        assert tuple(ancestry.moves_to(row << 2 | 3)) == (*path, 3)
    # Rows without descendants are pruned: only the last levels are complete.
    assert ancestry.nbytes < 4 * width * 200 + 4 * levels
