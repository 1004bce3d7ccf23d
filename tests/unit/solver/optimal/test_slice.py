import shutil
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.damage import overwrite
from tests.support.instances import load_instances
from tests.support.strategies import boards
from tests.unit.solver.optimal.naive_search import MIDDLE, legal_moves_along, random_walk
from tilework.core.errors import DamagedFileError, InputError, OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.moves import DOWN, LEFT, RIGHT, UP
from tilework.core.puzzle.replay import replay
from tilework.core.solver.optimal.cursor import Cursor, Position
from tilework.core.solver.optimal.engine_choice import find_engine
from tilework.core.solver.optimal.engines import PatternEngine
from tilework.core.solver.optimal.slice import first_threshold, search_slice
from tilework.core.solver.pdb.files import HEADER_BYTES, database_path
from tilework.core.solver.pdb.partitions import find_partition

UNLIMITED = 1 << 40
ROOT = Cursor.root()

HARDEST = load_instances("hardest_15puzzle.txt")

KORF = {instance.name: instance for instance in load_instances("korf100_15puzzle.txt")}


def search(board, goal, threshold, cursor=ROOT, budget=UNLIMITED, **options):
    return search_slice(board, goal, threshold, cursor, budget, **options)


def search_slices(board, goal, threshold, budget, split, pdb_folder):
    """Search a threshold in small slices, halving each remaining part if ``split`` is set."""
    waiting = [Cursor.root()]
    nodes, next_thresholds, solutions, slices = 0, [], [], 0
    while waiting:
        cursor = waiting.pop()
        assert len(cursor.to_bytes()) < 3_000
        outcome = search_slice(board, goal, threshold, cursor, budget, pdb_folder=pdb_folder)
        slices += 1
        nodes += outcome.nodes
        assert outcome.nodes <= budget
        next_thresholds += [] if outcome.next_threshold is None else [outcome.next_threshold]
        solutions += [] if outcome.moves is None else [outcome.moves]
        for unit in outcome.remaining:
            part = Cursor.from_bytes(unit.cursor)
            assert unit.share == part.share(board) < 1
            halves = part.split() if split(slices) else None
            waiting += halves or [part]
    return nodes, min(next_thresholds, default=None), solutions, slices


CASES = {
    "4×4 by databases": (KORF["korf15-001"].board, blank_first(Size(4, 4)), 6),
    "5×5 by databases": (random_walk(blank_last(Size(5, 5)), 200, 5), blank_last(Size(5, 5)), 4),
    "5×5, blank in the middle": (random_walk(MIDDLE, 70, 5), MIDDLE, 6),
    "4×3 by small databases": (
        random_walk(blank_last(Size(4, 3)), 300, 1),
        blank_last(Size(4, 3)),
        2,
    ),
    "6×6, blank in the middle": (
        random_walk(Board([*range(1, 22), 0, *range(22, 36)]), 60, 3),
        Board([*range(1, 22), 0, *range(22, 36)]),
        8,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_slices_and_halves_equal_one_search(case, pattern_databases):
    board, goal, excess = CASES[case]
    threshold = first_threshold(board, goal, pattern_databases) + excess
    complete = search(board, goal, threshold, pdb_folder=pattern_databases)
    assert complete.moves is None, "choose a threshold below the optimum"
    assert complete.remaining == ()
    budget = complete.nodes // 37 + 1
    for split in (lambda _: False, lambda _: True, lambda slices: slices % 3 == 0):
        nodes, next_threshold, solutions, slices = search_slices(
            board, goal, threshold, budget, split, pattern_databases
        )
        assert (nodes, next_threshold, solutions) == (complete.nodes, complete.next_threshold, [])
        assert slices > 10


def test_node_counts_do_not_change(pattern_databases):
    """Compare first thresholds and node counts, which only a change of the search changes."""
    engine = "4x4 6-6-3 r12"
    counts = []
    for name in NODE_COUNTS:
        board, goal = KORF[name].board, blank_first(Size(4, 4))
        threshold = find_engine(goal, engine, pattern_databases).start(board).estimate
        count = [threshold]
        while True:
            outcome = search(board, goal, threshold, pdb_folder=pattern_databases, engine=engine)
            count.append(outcome.nodes)
            assert outcome.engine == engine
            if outcome.moves is not None:
                break
            threshold = outcome.next_threshold
        replay(board, outcome.moves, goal)
        assert len(outcome.moves) == KORF[name].length
        assert outcome.remaining == ()
        counts.append(count)
    assert counts == list(NODE_COUNTS.values())


NODE_COUNTS = {
    "korf15-001": [47, 16, 82, 726, 5681, 35475, 117057],
    "korf15-021": [42, 9, 88, 504, 3045, 16905, 86837, 437082],
    "korf15-055": [35, 15, 186, 1341, 6309],
}


def test_cancelled_slice_returns_its_remaining_cursor(pattern_databases):
    board, goal = HARDEST[0].board, blank_last(Size(4, 4))
    threshold = first_threshold(board, goal, pattern_databases) + 14
    cancelled = partial(next, iter([True]))
    outcome = search(board, goal, threshold, cancelled=cancelled, pdb_folder=pattern_databases)
    (unit,) = outcome.remaining
    assert outcome.moves is None
    repeated = search(board, goal, threshold, budget=outcome.nodes, pdb_folder=pattern_databases)
    assert repeated == outcome
    assert 0 < unit.share < 1


def test_slice_with_databases_that_are_overwritten_fails(pattern_databases, tmp_path, monkeypatch):
    # Check limits even during this small search.
    monkeypatch.setattr(PatternEngine, "chunk", 10_000)
    instance, goal = KORF["korf15-017"], blank_first(Size(4, 4))
    first_threshold(instance.board, goal, pattern_databases)
    quick = find_partition(goal.size, "6-6-3")
    path = Path(shutil.copy(database_path(quick, pattern_databases), tmp_path))
    polls = []

    def overwrite_once():
        if not polls:
            entries = np.random.default_rng(7).integers(20, 40, quick.length, dtype=np.uint8)
            overwrite(path, HEADER_BYTES, entries.tobytes())
        polls.append(True)
        return False

    threshold = instance.length - 2
    with pytest.raises(DamagedFileError, match="was changed while it was in use"):
        search(instance.board, goal, threshold, cancelled=overwrite_once, pdb_folder=tmp_path)
    assert polls
    outcome = search(instance.board, goal, threshold, pdb_folder=tmp_path)
    assert (outcome.moves, outcome.next_threshold) == (None, threshold + 2)


def test_invalid_input_is_rejected():
    goal = blank_last(Size(5, 5))
    cursor = Cursor((Position(b"\1", 15),))
    with pytest.raises(InputError, match="move 1 of the cursor's path"):
        search_slice(Board(goal.cells[::-1], 5, 5), goal, 200, cursor, 1)
    with pytest.raises(InputError, match="5×4"):
        search_slice(blank_last(Size(5, 4)), blank_last(Size(4, 5)), 2, Cursor.root(), 1)
    with pytest.raises(OptionError, match="7×6 boards have 42"):
        first_threshold(blank_last(Size(7, 6)), blank_last(Size(7, 6)))


@st.composite
def cursors_on_boards(draw):
    """Draw a board and a cursor that a search may have left: no position is below another."""
    board = draw(boards(smallest=2))
    positions = {}
    path = b""
    for _ in range(draw(st.integers(1, 12))):
        # Branch off the last path with a move that no other position has.
        path = path[: draw(st.integers(0, len(path)))]
        for _ in range(draw(st.integers(0, 20))):
            legal = legal_moves_along(board, path)[-1] & ~positions.get(path, 0)
            legal_moves = [move for move in range(4) if legal >> move & 1]
            if not legal_moves:
                break
            path += bytes([draw(st.sampled_from(legal_moves))])
        used = {other[len(path)] for other in positions if other[: len(path)] == path != other}
        free = legal_moves_along(board, path)[-1] & ~sum(1 << move for move in used)
        if path not in positions and (moves := draw(st.integers(0, 15)) & free):
            positions[path] = moves
    return board, Cursor(tuple(Position(path, moves) for path, moves in positions.items()))


def untried_moves(board, cursor):
    """Return the untried moves as complete paths, which the cursor covers."""
    return [
        path + bytes([move])
        for path, moves in cursor.positions
        for move in range(4)
        if moves & legal_moves_along(board, path)[-1] & 1 << move
    ]


@given(cursors_on_boards())
def test_halves_cover_a_cursor_exactly_once(board_and_cursor):
    board, cursor = board_and_cursor
    assert Cursor.from_bytes(cursor.to_bytes()) == cursor
    share = cursor.share(board)
    assert 0 <= share <= 1 + 1e-9
    # A search from the goal is stored and split in the same way.
    backward, other = Cursor(cursor.positions, board.blank), next(iter(board.neighbors()))
    assert Cursor.from_bytes(backward.to_bytes()) == backward != cursor
    assert backward.share(other) == share
    assert backward.ends(other, board) == (board, other)
    assert cursor.ends(other, board) == (other, board)
    if not cursor.positions:
        return
    halves = cursor.split()
    complete = untried_moves(board, cursor)
    if halves is None:
        assert len(complete) < 2
        return
    first, second = (untried_moves(board, half) for half in halves)
    assert sorted(first + second) == sorted(complete)
    assert first
    assert second
    assert halves[0].positions[0].path == cursor.positions[0].path
    for half in halves:
        assert Cursor.from_bytes(half.to_bytes()) == half
    assert sum(half.share(board) for half in halves) == pytest.approx(share)
    assert backward.split() == tuple(Cursor(half.positions, board.blank) for half in halves)


def test_share_is_divided_equally_between_children():
    # There are four moves from the middle, and two after U that do not undo it.
    board = Board([1, 2, 3, 4, 0, 5, 6, 7, 8])

    def share(*positions):
        return Cursor(tuple(Position(bytes(path), moves) for path, moves in positions)).share(board)

    assert share(([], 0b0101)) == 1 / 2
    assert share(([UP], 0b1100), ([], 0b1000)) == 1 / 4 + 1 / 4
    assert share(([UP], 1 << LEFT)) == 1 / 8
    assert share(([UP, LEFT], 0b1111)) == 1 / 8
    assert share(([UP, LEFT], 0)) == 0
    assert Cursor.root().share(board) == 1
    assert [half.share(board) for half in Cursor.root().split()] == [0.5, 0.5]
    line = Board([1, 2, 0], 3, 1)
    assert Cursor((Position(bytes([RIGHT]), 15),)).share(line) == 1
    assert Cursor((Position(bytes([RIGHT, RIGHT]), 15),)).share(line) == 0


def test_format_of_version_1_is_read():
    """Version 1 stored one path: a byte per depth with the move and the untried moves."""
    cursor = Cursor.from_bytes(bytes([1, UP << 4 | 0b1100, LEFT << 4, 0b0011]))
    assert cursor.positions == (Position(bytes([UP, LEFT]), 0b0011), Position(b"", 0b1100))
    assert Cursor.from_bytes(b"\x01\x0f") == Cursor.root()


def test_invalid_cursors_are_rejected():
    for data in [
        b"", b"\x01", b"\x03", b"\x04\x0f", b"\x01\x1f", b"\x01\x40\x01",
        b"\x02\x01\x00\x10", b"\x02\x00", b"\x02\x00\x00",
        b"\x02\x00\x01\xf4", b"\x02\x00\x00\x11", b"\x02\x00\xff\xff\xff\xff\x00",
        b"\x02\x00\x00\xf0\x00\x01\x10", b"\x02\x00\x00\x10\x00\x00\x10",
        # Too long
        b"\x01" + bytes(20_000) + b"\x0f", b"\x02" + b"\x00\x00\x10" * 20_000,
        Cursor((Position(bytes([0, 1] * 600), 15),)).to_bytes(),
    ]:  # fmt: skip
        with pytest.raises(InputError, match="cursor"):
            Cursor.from_bytes(data)


def test_path_must_be_legal_on_the_board():
    with pytest.raises(InputError, match="illegal"):
        Cursor.root(goal_blank=4).share(blank_last(Size(2, 2)))
    with pytest.raises(InputError, match="move 1 of"):
        Cursor((Position(bytes([UP]), 0),)).share(blank_last(Size(2, 2)))
    with pytest.raises(InputError, match="move 2 of"):
        Cursor((Position(bytes([DOWN, DOWN]), 0),)).share(blank_last(Size(2, 2)))
