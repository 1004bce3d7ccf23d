"""The learned beam, its potential against a naive definition, and its weights file."""

from pathlib import Path

import numpy as np
import pytest

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.replay import apply, replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.kernels.learned_beam import NODES
from tilework.core.solver.kernels.potential import SCALE
from tilework.core.solver.large.learned import beam as beam_module
from tilework.core.solver.large.learned.beam import LearnedBeam, Quotas
from tilework.core.solver.large.learned.potential import (
    WEIGHTS_FILE,
    Potential,
    WeightsError,
    default_potential,
    label_tiles,
    load,
)
from tilework.core.solver.large.learned.search import learned_beam, shorten_path, solve_last_tiles
from tilework.core.solver.solve import solve


def test_boards_of_any_size_and_goal_are_solved() -> None:
    for size in (Size(2, 2), Size(3, 2), Size(5, 4), Size(4, 9), Size(8, 8)):
        goal = scramble(size, blank_last(size), 1)
        board = scramble(size, goal, 100)
        # Results are reproducible, and a beam of width 1 also returns a solution.
        wide, repeated, narrow = (learned_beam(board, goal, width) for width in (100, 100, 1))
        replay(board, wide.moves, goal)
        replay(board, narrow.moves, goal)
        assert (wide.moves.tobytes(), wide.nodes) == (repeated.moves.tobytes(), repeated.nodes)
        assert learned_beam(goal, goal, 10).moves.size == 0


def test_wide_beam_is_optimal_on_small_boards() -> None:
    goal = blank_last(Size(3, 3))
    for seed in range(4):
        board = scramble(goal.size, goal, seed)
        moves = learned_beam(board, goal, 3000).moves
        assert moves.size == solve(board, goal).upper_bound
        # Only solutions shorter than the upper bound are searched.
        assert learned_beam(board, goal, 300, upper_bound=moves.size).moves is None
    goal = blank_last(Size(6, 6))
    board = scramble(goal.size, goal, 9_500)
    assert learned_beam(board, goal, 500).moves.size < 1.6 * board.manhattan(goal)


def test_last_tiles_are_solved_wherever_they_are() -> None:
    size = Size(20, 24)
    far, diagonal, four = [(21, 22), (436, 437)], [(0, 1), (457, 458)], [(0, 20), (19, 39), (3, 4)]
    # The last exchange is a move of the blank.
    exchanges = ([(0, 2), (4, 5)], far, diagonal, [*four, (440, 460)], [*far, (478, 479)])
    # The second goal has its blank where the row of one pair meets the column of the other.
    inside = blank_last(size).cells[np.r_[:115, 479, 115:479]]
    cases = [(blank_last(size).cells, pairs) for pairs in exchanges]
    for goal_cells, pairs in (*cases, (inside, [(100, 101), (375, 395)])):
        cells = goal_cells.copy()
        for pair in pairs:
            cells[list(pair)] = cells[list(reversed(pair))]
        board, goal = Board(cells, *size), Board(goal_cells, *size)
        moves = solve_last_tiles(board, goal, Limits())
        replay(board, moves, goal)
        assert moves.size < 800  # the constructive solver needs 938 to 1,982


def test_limits_stop_the_search() -> None:
    goal = blank_last(Size(10, 10))
    for limits, reason in (
        (Limits(seconds=0.0), StopReason.TIME),
        (Limits(nodes=1000), StopReason.NODES),
        (Limits(memory_bytes=1000), StopReason.MEMORY),
        (Limits(cancelled=lambda: True), StopReason.CANCELLED),
    ):
        board = scramble(goal.size, goal, 7)
        outcome = learned_beam(board, goal, 500, limits=limits)
        assert outcome.stopped_by is reason
        if reason in (StopReason.MEMORY, StopReason.CANCELLED):
            assert outcome.moves is None
        else:
            # The rest is solved without a search.
            replay(board, outcome.moves, goal)
            bound = len(outcome.moves)
            assert learned_beam(board, goal, 500, limits=limits, upper_bound=bound).moves is None


def test_beam_narrows_to_end_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a host that needs a millisecond for a thousand nodes, a wide beam would need 2.5 s."""
    goal = blank_last(Size(10, 10))
    board = scramble(goal.size, goal, 7)
    for limit in (0.5, 1.0, None):
        beam = LearnedBeam(goal.size, 1_000, Quotas(), default_potential())
        monkeypatch.setattr(
            beam_module, "search_clock", lambda beam=beam: 1e-6 * beam._report[NODES]
        )
        outcome = beam.run(label_tiles(board, goal), goal.blank, None, Limits(limit))
        replay(board, outcome.moves, goal)
        assert outcome.seconds < limit if limit else outcome.seconds > 2.0


def test_invalid_files_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "other.tlw"
    intact = WEIGHTS_FILE.read_bytes()
    damaged = [
        bytes([*intact[:index], intact[index] ^ 1, *intact[index + 1 :]])
        for index in (5, len(intact) // 2)
    ]
    for data in (*damaged, b"", b"{}\n", b"[]\n123", b'{"format": "x", "version": 1}\n'):
        path.write_bytes(data)
        with pytest.raises(WeightsError, match=r"other\.tlw is not a weights file"):
            load(path)


@pytest.mark.parametrize("size", [Size(3, 3), Size(40, 50)], ids=str)
def test_detours_are_removed(size: Size) -> None:
    start = scramble(size, blank_last(size), 3)
    # Eight rotations of three tiles, most of which cancel each other.
    moves = np.array([0, 2, 1, 3] * 8, dtype=np.uint8)
    if start.blank // size.width == size.height - 1 or (start.blank + 1) % size.width == 0:
        moves ^= 1
    end = apply(start, moves)
    shorter = shorten_path(start, end, moves, 100, limits=Limits()).moves
    assert shorter.size == 4
    assert apply(start, shorter) == end
    assert shorten_path(start, end, shorter, 100, limits=Limits()).moves is None


BLANK, BORDER = 25, 26


def encode_offset(down: int, right: int) -> int:
    def level(offset: int) -> int:
        return (0 if offset == 0 else 1 if abs(offset) < 3 else 2) * (1 if offset > 0 else -1)

    return (level(down) + 2) * 5 + level(right) + 2


def naive_value(board: Board, goal: Board, weights: Potential) -> float:
    """Return the potential in the kernel's units, from its definition."""
    width, height = board.size
    goal_cells = {int(tile): divmod(cell, width) for cell, tile in enumerate(goal.cells)}
    grid = board.cells.reshape(height, width)
    codes = np.full((height + 2, width + 2), BORDER)
    total, distance, blank_distance = 0.0, 0, 0
    for row in range(height):
        for column in range(width):
            tile = int(grid[row, column])
            down, right = goal_cells[tile][0] - row, goal_cells[tile][1] - column
            steps = abs(down) + abs(right)
            if tile == 0:
                codes[row + 1, column + 1], blank_distance = BLANK, steps
                continue
            codes[row + 1, column + 1] = encode_offset(down, right)
            distance += steps
            step_value = weights.extra_moves[min(abs(down), 6), min(abs(right), 6)]
            step_value += min(0.02, 62 / max(board.size) ** 3) * (abs(down) ** 3 + abs(right) ** 3)
            total += np.rint((weights.distance * steps + step_value) * SCALE)
    for row in range(height + 1):
        for column in range(width + 1):
            block = 0
            for code in codes[row : row + 2, column : column + 2].ravel():
                block = block * 27 + int(code)
            total += weights.blocks[block]
    return total + (weights.near[distance, min(blank_distance, 39)] if distance < 40 else 0)


@pytest.mark.parametrize("size", [Size(3, 3), Size(2, 7), Size(8, 8), Size(12, 5)], ids=str)
def test_incremental_potential_equals_its_definition(size: Size) -> None:
    goal = scramble(size, blank_last(size), 3)
    compared = 0

    def watch(_level: int) -> None:
        nonlocal compared
        for index in range(min(3, beam.count)):
            reached = Board(goal.cells[beam.board(index)], *size)
            change = naive_value(reached, goal, weights) - naive_value(board, goal, weights)
            assert beam._values[index] == change
            compared += 1

    weights = default_potential()
    beam = LearnedBeam(size, 20, Quotas(), weights, max_levels=3)
    for moves in (12, None):
        board = scramble(size, goal, 7, moves)
        beam.run(label_tiles(board, goal), goal.blank, None, Limits(nodes=4000), on_levels=watch)
    assert compared > 10
