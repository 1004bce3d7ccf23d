"""Distance tables, against a search by layers and published counts."""

import random
from pathlib import Path

import numpy as np
import pytest

from tests.support import layers as oracle
from tests.support.damage import overwrite
from tests.support.instances import read_level_counts
from tilework.core.errors import DamagedFileError, OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_at, blank_last, spiral
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.distances.building import verify, verify_sample
from tilework.core.solver.distances.lookup import follow_table, look_up
from tilework.core.solver.distances.table import DistanceTable, find_table
from tilework.core.solver.pdb import store
from tilework.core.solver.pdb.files import database_path
from tilework.core.solver.solve import solve
from tilework.core.solver.target import LOOK_UP, Algorithm, Heuristic

SIZE_5X2 = Size(5, 2)
SIZE_3X2 = Size(3, 2)


def count_remainders(entries: np.ndarray, boards: int) -> list[int]:
    """Count the boards by distance modulo 3, and those without a distance."""
    distances = (entries[:, None] >> np.arange(0, 8, 2) & 3).reshape(-1)[:boards]
    return np.bincount(distances, minlength=4).tolist()


def published_remainders(width: int, height: int) -> list[int]:
    levels = read_level_counts(width, height)
    return [*(sum(levels[remainder::3]) for remainder in range(3)), 0]


@pytest.mark.parametrize("size", [(2, 2), (3, 2), (4, 2), (3, 3)], ids=str)
def test_every_board(size: tuple[int, int]) -> None:
    table = DistanceTable(Size(*size), size[0] * size[1] - 1)
    entries = table.build()
    numbers = set()
    random_ = random.Random(1)
    for depth, layer in enumerate(oracle.layers(*size)):
        boards = layer.boards.tolist()
        for packed in boards if len(boards) < 100 else random_.sample(boards, 40):
            board = Board(oracle.unpack_tiles(packed, table.size.cells), *size)
            numbers.add(number := table.number(board))
            assert entries[number // 4] >> 2 * (number % 4) & 3 == depth % 3
            moves = follow_table(table, entries, board)
            assert len(moves) == depth
            replay(board, moves, table.goal)
    assert numbers <= set(range(table.boards))
    if table.boards < 1000:
        assert len(numbers) == table.boards
    assert count_remainders(entries, table.boards) == published_remainders(*size)


@pytest.mark.parametrize("goal", [blank_last(SIZE_3X2), blank_at(SIZE_3X2, 1), spiral(SIZE_3X2)])
def test_goal_with_a_table_is_looked_up(goal: Board, tmp_path: Path) -> None:
    board = scramble(SIZE_3X2, goal, 4)
    assert look_up(board, goal, tmp_path) is None
    store.ensure_built(find_table(SIZE_3X2, f"distances-{goal.blank}"), tmp_path)
    rotated, rotated_goal = (
        Board(np.rot90(cells.reshape(2, 3)).reshape(-1), 2, 3)
        for cells in (board.cells, goal.cells)
    )
    expected = solve(board, goal, algorithm=Algorithm.IDA_STAR).upper_bound
    for start, end in ((board, goal), (rotated, rotated_goal)):
        moves = look_up(start, end, tmp_path)
        replay(start, moves, end)
        assert len(moves) == expected


def test_automatic_strategy_uses_the_table(tmp_path: Path) -> None:
    goal, table = blank_last(SIZE_5X2), DistanceTable(SIZE_5X2, 9)
    board = scramble(SIZE_5X2, goal, 7)
    by_search = solve(board, goal, pdb_folder=tmp_path)
    assert by_search.algorithm != LOOK_UP
    store.ensure_built(table, tmp_path)
    by_table = solve(board, goal, pdb_folder=tmp_path)
    assert (by_table.algorithm, by_table.statistics.generated) == (LOOK_UP, 0)
    assert by_table.optimal
    assert by_table.lower_bound == by_table.upper_bound == by_search.upper_bound
    by_ida_star = solve(board, goal, pdb_folder=tmp_path, algorithm=Algorithm.IDA_STAR)
    assert by_ida_star.algorithm == Algorithm.IDA_STAR
    by_heuristic = solve(board, goal, pdb_folder=tmp_path, heuristic=Heuristic.MANHATTAN)
    assert by_heuristic.algorithm != LOOK_UP
    path = database_path(table, tmp_path)
    # A modified table is not used.
    overwrite(path, 5_000, bytes(400_000))
    assert look_up(board, goal, tmp_path) is None
    assert solve(board, goal, pdb_folder=tmp_path).optimal


def test_wrong_entries_are_found() -> None:
    table = DistanceTable(Size(3, 2), 5)
    entries = table.build()
    verify(table, entries)
    verify_sample(table, entries, 20)
    for wrong in (0b00, 0b01, 0b10):
        damaged = entries.copy()
        damaged[:] = wrong * 0b1010101
        with pytest.raises(DamagedFileError, match="are wrong"):
            verify(table, damaged)
        with pytest.raises(DamagedFileError):
            verify_sample(table, damaged, 5)


def test_table_names() -> None:
    assert find_table(Size(4, 3), "distances") == DistanceTable(Size(4, 3), 11)
    # Equivalent goals share the table of the last blank.
    assert find_table(Size(3, 4), "distances-2") == DistanceTable(Size(4, 3), 11)
    assert find_table(Size(4, 3), "distances-5") == DistanceTable(Size(4, 3), 6)
    assert find_table(Size(3, 3), "distances-3") == DistanceTable(Size(3, 3), 7)
    assert DistanceTable(Size(4, 3), 8).title == "4x3 distances-8"
    assert DistanceTable(Size(4, 3), 11).title == "4x3 distances"
    assert find_table(Size(4, 3), "6-5") is None
    with pytest.raises(OptionError, match="to 12 cells; 4×4 has 16"):
        find_table(Size(4, 4), "distances")
    with pytest.raises(OptionError, match="cells 0 to 11; the blank cannot be at 12"):
        find_table(Size(4, 3), "distances-12")
