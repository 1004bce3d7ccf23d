"""Staged beam: after sweeps, it solves one block of tiles after another by beam search."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.kernels import staged_beam as kernel
from tilework.core.solver.kernels.potential import BLANK_CODE, BORDER_CODE, SCALE
from tilework.core.solver.kernels.staged_beam import BUCKETS, UNIT
from tilework.core.solver.large.learned.potential import (
    Potential,
    default_potential,
    displacement_class,
)
from tilework.core.solver.large.sweeps import (
    NARROW_WIDTH,
    Position,
    SweepPlan,
    finish,
    plan_before_beam,
    sweep_position,
)
from tilework.core.solver.result import Outcome

STEP = 2  # rows of a strip and columns of a block; the last ones may have 3
MAX_TILES = 9  # of one block
Block = list[tuple[int, int]]  # row and column of each cell


def divide_into_blocks(rows: int, columns: int, goal_blank: tuple[int, int]) -> list[Block]:
    """Divide a board into blocks, in the order in which they are solved."""
    blocks: list[Block] = []
    top, bottom = 0, rows
    left_to_right = True
    for first, end in _take_outer_pairs(rows, goal_blank[0]):
        starts = list(range(0, columns - 1, STEP))
        spans = list(zip(starts, [*starts[1:], columns], strict=True))
        for left, right in spans if left_to_right else spans[::-1]:
            blocks.append(_list_cells(first, end, left, right))
        left_to_right = not left_to_right
        top, bottom = (end, bottom) if first == top else (top, first)
    left, right = 0, columns
    for first, end in _take_outer_pairs(columns, goal_blank[1]):
        blocks.append(_list_cells(top, bottom, first, end))
        left, right = (end, right) if first == left else (left, first)
    blocks.append([cell for cell in _list_cells(top, bottom, left, right) if cell != goal_blank])
    return blocks


def _take_outer_pairs(length: int, goal_blank: int) -> Iterator[tuple[int, int]]:
    """Yield pairs of lines from both ends until 2 or 3 lines around ``goal_blank`` are left."""
    low, high = 0, length
    while high - low > STEP + 1:
        if goal_blank - low >= STEP:
            yield low, low + STEP
            low += STEP
        else:
            yield high - STEP, high
            high -= STEP


def _list_cells(top: int, bottom: int, left: int, right: int) -> Block:
    return [(row, column) for column in range(left, right) for row in range(top, bottom)]


class Frame:
    """Positions of a board's cells in a padded grid.

    The board is transposed if its width exceeds its height, so that strips run along its shorter
    side, and reflected so that the blank's goal is in the lower right quarter, where strips end.

    Attributes
    ----------
    pitch : int; difference between a position and the position below it
    positions : int32[cells]; the position of each cell of the board
    cells : int32[positions]; the cell at each position; 0 on the border
    rows, columns : int16[positions]; of each position
    blocks : int32[blocks, MAX_TILES]; the positions of each block, padded with -1
    """

    def __init__(self, size: Size, goal_blank: int) -> None:
        width, height = size
        row, column = np.divmod(np.arange(size.cells, dtype=np.int64), width)
        codes = np.arange(4, dtype=np.uint8)
        if width > height:
            row, column = column, row
            width, height = height, width
            codes = codes[[2, 3, 0, 1]]
        if row[goal_blank] < height / 2 - 0.5:
            row = height - 1 - row
            codes[:2] = codes[1::-1]
        if column[goal_blank] < width / 2 - 0.5:
            column = width - 1 - column
            codes[2:] = codes[:1:-1]
        self.pitch = width + 1
        count = (height + 2) * self.pitch + 1
        self.positions: NDArray[np.int32] = ((row + 1) * self.pitch + column + 1).astype(np.int32)
        self.cells = np.zeros(count, dtype=np.int32)
        self.cells[self.positions] = np.arange(size.cells, dtype=np.int32)
        self.rows = (np.arange(count) // self.pitch - 1).astype(np.int16)
        self.columns = (np.arange(count) % self.pitch - 1).astype(np.int16)
        self._codes = codes
        blocks = divide_into_blocks(height, width, (int(row[goal_blank]), int(column[goal_blank])))
        self.blocks = np.full((len(blocks), MAX_TILES), -1, dtype=np.int32)
        for number, block in enumerate(blocks):
            block_positions = [(r + 1) * self.pitch + c + 1 for r, c in block]
            self.blocks[number, : len(block_positions)] = block_positions

    def to_board_moves(self, moves: Moves) -> Moves:
        return self._codes[moves]


# Children to generate between two checks of the limits: one to 100 milliseconds' worth, and within
# that this share of those for which there is time, so that the beam soon narrows on a slow host
_MIN_BUDGET, _BUDGET, _BUDGET_SHARE = 1_000, 100_000, 0.01
# Factor and exponent of a term that is added to the learned potential, because its training boards
# had no tiles as far from their goals
_FAR_FACTOR, _FAR_POWER = 0.05, 1.8
# See `tilework.core.solver.kernels.staged_beam`; the weights are in moves.
_PULL = _MISSING = _NEAR = 1.0
_MAX_READY, _MIN_READY = 100, 30
_ATTEMPTS = 4  # of a beam that is stuck at a block
_GROWTH = 3  # of the width from one attempt to the next
_PATH_BYTES = 1_000  # memory of a beam per unit of width

# A beam is stuck after this many levels of one block, in addition to the board's sides
_PATIENCE = 150

_MIN_WIDTH = 30
# The beam narrows if it would not end within the time limit at its pace so far, measured after this
# share of the time
_EARLY_SHARE, _ENDING_SHARE = 0.03, 0.05
_BLOCK_NODES = 45  # per unit of width, for a block; an estimate until the first one is solved

# Time of the constructive solver per step of the tiles' distances, including a margin
_CONSTRUCTIVE_SECONDS = 1e-6


class StagedBeam:
    """A beam that solves the blocks of a board, starting from a position."""

    def __init__(self, position: Position, width: int) -> None:
        self._position = position
        self._frame = Frame(position.size, position.goal_blank)
        self._width = width
        self._previous_nodes = 0
        # If there is only time for a narrow beam, which needs tiles nearer to their goals
        self.narrow_width: int | None = None
        self._create_arrays(width)

    @property
    def nodes(self) -> int:
        return self._previous_nodes + int(self._state[kernel.NODES])

    @property
    def width_share(self) -> float:
        """The mean width of the beam relative to its planned width, 0 where it was cut off."""
        blocks = max(1, len(self._frame.blocks) - self._first_block)
        return min(1.0, self._work_done / (self._width * blocks))

    def run(
        self, limits: Limits, started: float, previous_nodes: int, upper_bound: int | None
    ) -> StopReason | None:
        """Solve all blocks, or play the best path found; return the reason for stopping.

        The time limit applies from ``started`` on; ``previous_nodes`` count towards the node limit.
        The reason is `StopReason.DEPTH` if no solution below ``upper_bound`` is possible.
        """
        attempts = 0
        first = self._first_block = self._block = int(self._state[kernel.STAGE])
        self._started = search_clock()
        self._work_done = 0  # blocks solved, each times the width of the beam
        self._budget = _BUDGET if limits.seconds is None else _MIN_BUDGET
        while True:
            status = self._advance(self._budget)
            width, stage = int(self._settings[kernel.WIDTH]), int(self._state[kernel.STAGE])
            self._work_done += (stage - self._block + (status == kernel.SOLVED)) * width
            self._block = stage
            reason = self._stopped_by(limits, started, previous_nodes)
            lower_bound = self._position.length + self._position.distance()
            if reason is None and upper_bound is not None and lower_bound >= upper_bound:
                reason = StopReason.DEPTH
            if status == kernel.SOLVED:
                return None
            if reason is not None:
                self._state[kernel.FINISH] = 1
                if status != kernel.STUCK:
                    self._advance(1)
                return reason
            if status == kernel.STUCK:
                # A narrow beam sometimes gets stuck, so a wider one continues at the same block.
                attempts = attempts + 1 if stage == first else 0
                wider = self._width * _GROWTH**attempts
                memory_bytes = limits.memory_bytes
                is_too_wide = memory_bytes is not None and wider * _PATH_BYTES > memory_bytes
                if attempts == _ATTEMPTS or is_too_wide:
                    return None
                first = stage
                self._previous_nodes = self.nodes
                self._create_arrays(wider)

    def _create_arrays(self, width: int) -> None:
        """Create the arrays of a beam from the position; the cells of solved blocks are closed."""
        position, frame = self._position, self._frame
        positions = frame.positions
        self._cells = np.zeros(frame.rows.size, dtype=np.int32)
        self._cells[positions] = positions[position.cells]
        self._positions = np.zeros_like(self._cells)
        self._positions[self._cells[positions]] = positions
        blank = int(positions[position.blank])
        stage = self._first_stage = self._find_first_unsolved()
        self._closed = np.ones(frame.rows.size, dtype=np.uint8)
        self._closed[positions] = 0
        solved = frame.blocks[:stage]
        self._closed[solved[solved >= 0]] = 1
        block = frame.blocks[stage][frame.blocks[stage] >= 0]
        self._member = np.zeros_like(self._closed)
        self._member[block] = 1
        potential = default_potential()
        self._unary = _make_unary_table(potential, position.size)
        self._block_values = potential.blocks
        rows, columns = frame.rows.astype(np.int16), frame.columns.astype(np.int16)
        tiles = self._cells
        self._codes = displacement_class(rows[tiles] - rows, columns[tiles] - columns)
        self._codes[self._closed == 1] = BORDER_CODE
        self._codes[blank] = BLANK_CODE
        self._settings = np.zeros(kernel.SETTINGS_SIZE, dtype=np.int64)
        patience = _PATIENCE + sum(position.size)
        self._max_width = width
        self._set_width(width)
        self._settings[kernel.PATIENCE] = patience * width // self._width
        self._settings[kernel.LATER_WIDTH] = self._width
        self._settings[kernel.LATER_PATIENCE] = patience
        self._settings[kernel.PULL] = round(_PULL * UNIT)
        self._settings[kernel.MISSING] = round(_MISSING * UNIT)
        self._settings[kernel.NEAR] = round(_NEAR * UNIT)
        self._settings[kernel.PITCH] = frame.pitch
        self._state = np.zeros(kernel.STATE_SIZE, dtype=np.int64)
        self._state[kernel.BLANK] = blank
        self._state[kernel.LAST] = -1
        self._state[kernel.STAGE] = self._state[kernel.NEXT_STAGE] = stage
        self._state[kernel.OPEN] = np.count_nonzero(self._closed[positions] == 0)
        self._allocate_arrays(width)
        current = self._positions[block]
        self._distances[0] = (
            abs(rows[block] - rows[current]) + abs(columns[block] - columns[current])
        ).sum()

    def _set_width(self, width: int) -> None:
        self._settings[kernel.WIDTH] = width
        # A narrow beam never has as many children that solve a block as a wide one.
        self._settings[kernel.READY] = min(_MAX_READY, max(_MIN_READY, width // 3))

    def _find_first_unsolved(self) -> int:
        """Return the first unsolved block, or the last block."""
        blocks = self._frame.blocks
        is_unsolved = ((self._positions[blocks] != blocks) & (blocks >= 0)).any(axis=1)
        is_unsolved[-1] = True
        return int(is_unsolved.argmax())

    def _allocate_arrays(self, width: int) -> None:
        tour = 200 * width + 100_000
        children = 3 * width + 8
        slots = 1 << (4 * width + 8).bit_length()
        self._tours = np.empty((2, tour), dtype=np.int8)
        self._potentials, self._distances = np.zeros((2, width + 1), dtype=np.int32)
        self._hashes = np.zeros(width + 1, dtype=np.uint64)
        self._children = np.empty((4, children), dtype=np.int32)
        self._child_hashes = np.empty(children, dtype=np.uint64)
        self._child_moves = np.empty(children, dtype=np.int8)
        self._keep = np.empty(children, dtype=np.uint8)
        self._slots = np.zeros(slots, dtype=np.uint64)
        self._slot_children = np.empty(slots, dtype=np.int32)
        self._counts = np.empty(BUCKETS, dtype=np.int32)
        self._out = np.empty(2 * tour, dtype=np.uint8)

    def _advance(self, budget: int) -> int:
        """Continue the search; record the moves that all paths share."""
        frame, position = self._frame, self._position
        status = kernel.run_levels(
            self._cells, self._positions, frame.rows, frame.columns, self._unary,
            self._block_values, self._codes, frame.blocks, self._member, self._closed,
            self._settings, self._state, budget, self._tours[0], self._tours[1],
            self._potentials, self._distances, self._hashes, self._children[0],
            self._children[1], self._children[2], self._child_hashes, self._children[3],
            self._child_moves, self._keep, self._slots, self._slot_children, self._counts,
            self._out,
        )  # fmt: skip
        position.add(frame.to_board_moves(self._out[: self._state[kernel.LENGTH]]))
        self._state[kernel.LENGTH] = 0
        blank = int(self._state[kernel.BLANK])
        self._cells[blank] = frame.positions[position.goal_blank]
        position.cells[:] = frame.cells[self._cells[frame.positions]]
        position.blank = int(frame.cells[blank])
        return int(status)

    def _stopped_by(self, limits: Limits, started: float, previous_nodes: int) -> StopReason | None:
        """Check the limits; narrow the beam to fit the remaining time."""
        nodes = previous_nodes + self.nodes
        if (reason := replace(limits, seconds=None).check(0.0, nodes)) is not None:
            return reason
        if limits.seconds is None:
            return None
        now = search_clock()
        constructive_s = self._position.distance() * _CONSTRUCTIVE_SECONDS
        remaining_s = limits.seconds - (now - started) - constructive_s
        if remaining_s <= 0:
            return StopReason.TIME
        elapsed_s = max(1e-9, now - self._started)
        budget = int(_BUDGET_SHARE * limits.seconds * self.nodes / elapsed_s)
        self._budget = min(_BUDGET, max(_MIN_BUDGET, budget))
        if elapsed_s > _EARLY_SHARE * limits.seconds:
            work_done = self._work_done or self.nodes / _BLOCK_NODES
            remaining_s -= _ENDING_SHARE * limits.seconds
            blocks = len(self._frame.blocks) - self._block
            width = max(_MIN_WIDTH, int(remaining_s * work_done / (elapsed_s * blocks)))
            if not self._work_done and width < NARROW_WIDTH <= self._width:
                self.narrow_width = width
                return StopReason.TIME
            max_width = self._width if self._block > self._first_stage else self._max_width
            self._set_width(min(max_width, width))
        return None


def _make_unary_table(potential: Potential, size: Size) -> NDArray[np.int32]:
    """Return the term of a tile by row and column distance, raised for tiles far from home."""
    # A frame has at least as many rows as columns.
    down, right = np.ogrid[: max(size) + 2, : min(size) + 2]
    far_down, far_right = (_FAR_FACTOR * (steps**_FAR_POWER - steps) for steps in (down, right))
    terms = potential.compute_distance_term(down, right) + far_down + far_right
    unary: NDArray[np.int32] = np.rint(terms * SCALE).astype(np.int32)
    return unary


def staged_beam(
    board: Board,
    goal: Board,
    width: int,
    plan: SweepPlan | None = None,
    *,
    limits: Limits | None = None,
    upper_bound: int | None = None,
) -> Outcome:
    """Solve a board by sweeps, then block by block with a beam.

    Nodes are the cells examined by sweeps and the children generated by the beam. When time runs
    out, the beam is narrowed, and the constructive solver solves the remainder, even after the time
    limit. A solution is always found unless memory, cancellation or ``upper_bound`` ended the
    search. The outcome depends only on the input, unless time ended the search.
    """
    started = search_clock()
    limits = limits or Limits()
    position = Position(board, goal)
    plan = plan or plan_before_beam(board.size, width)
    nodes, planned_width, width_share = 0, width, 1.0
    while True:
        swept_nodes, stopped_by = sweep_position(position, plan, limits, started)
        nodes += swept_nodes
        ends = [position]
        if stopped_by is not None or position.board() == goal:
            break
        swept = position.copy()
        beam = StagedBeam(position, width)
        stopped_by = beam.run(limits, started, nodes, upper_bound)
        nodes += beam.nodes
        width_share = beam.width_share * width / planned_width
        if beam.narrow_width is None:
            # A beam that ended early has displaced other tiles, so the board before it may be
            # better.
            ends += [swept] * (position.board() != goal)
            break
        position, plan, width = swept, SweepPlan(), beam.narrow_width
    if stopped_by is StopReason.DEPTH:
        return Outcome(None, nodes, search_clock() - started, stopped_by, width_share)
    outcomes = [
        finish(end, board, limits, started=started, nodes=nodes, stopped_by=stopped_by)
        for end in ends
    ]
    best = min(outcomes, key=lambda end: sys.maxsize if end.moves is None else len(end.moves))
    return replace(best, width_share=width_share)
