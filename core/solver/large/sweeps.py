"""Sweeps: long paths of the blank that take most tiles near their goals, on huge boards."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.packing import MoveRecord, PackedMoves
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.costs import HALF_SWEEP_FACTOR, STAGED_SECONDS, sweep_seconds, sweep_share
from tilework.core.solver.kernels import sweeps as kernel
from tilework.core.solver.kernels.best_sweep import LANES, ONE
from tilework.core.solver.large.constructive import CHUNK_MOVES, construct
from tilework.core.solver.result import Outcome


class Position:
    """The goal cell of the tile on each cell, and the moves so far."""

    def __init__(self, board: Board, goal: Board, *, is_packed: bool = False) -> None:
        self.goal = goal
        self.size = board.size
        self.cells: NDArray[np.int32] = inverse(goal.cells)[board.cells]
        self.blank = board.blank
        self.goal_blank = goal.blank
        self._is_packed = is_packed
        self.length = 0
        self._record = MoveRecord()

    @property
    def nbytes(self) -> int:
        """The size of the solution so far."""
        return self.length // 4 if self._is_packed else self.length

    def board(self) -> Board:
        return Board.trusted(self.goal.cells[self.cells], self.size, self.blank)

    def distance(self) -> int:
        return self.board().manhattan(self.goal)

    def copy(self) -> Position:
        position = Position(self.board(), self.goal)
        position.length = self.length
        position._record = self._record.copy()
        return position

    def add(self, moves: Moves) -> None:
        """Record moves that were made on ``cells``; the array is not copied."""
        self._record.add(moves)
        self.length += len(moves)

    def move_blank(self, target: int) -> None:
        """Move the blank straight to a cell, first along its own column."""
        width = self.size.width
        row, column = divmod(self.blank, width)
        target_row, target_column = divmod(target, width)
        moves = [0 if target_row > row else 1] * abs(target_row - row)
        moves += [2 if target_column > column else 3] * abs(target_column - column)
        cells = self.cells
        for move in moves:
            neighbor = self.blank + (width, -width, 1, -1)[move]
            cells[self.blank] = cells[neighbor]
            self.blank = neighbor
        cells[self.blank] = self.goal_blank
        self.add(np.array(moves, dtype=np.uint8))

    def moves(self) -> Moves:
        """Return all moves, without pairs at the ends of two parts that cancel each other."""
        return self.packed_moves()[:]

    def packed_moves(self) -> PackedMoves:
        return self._record.read()


@dataclass(frozen=True, slots=True)
class Stage:
    power: float  # exponent of the potential, at least 1; a higher one favours distant tiles
    # Initial and final price of a move, relative to the gain of moving a tile that is a third of
    # the board's side away
    first_price: float
    last_price: float
    band: int | None = None  # cells that a sweep looks to each side; None for its reach
    alternates: bool = False  # whether sweeps across rows and across columns take turns
    drop: float = 0.02  # decrease of the price of a move if no path is worth it
    passes: int = 20  # maximum number of times that a path is examined for local changes


# Before the constructive solver, which needs many moves for the remaining tiles
ALL_STAGES = (Stage(2.0, 0.9, 0.25), Stage(1.7, 0.4, 0.2), Stage(1.4, 0.3, 0.1))


# For a quick first solution of a huge board: only sweeps with large gains; a quarter faster
_QUICK = (Stage(2.0, 3.0, 1.0), Stage(1.7, 1.2, 0.8), Stage(1.4, 1.0, 0.5), Stage(1.2, 0.6, 0.3))

# For huge boards: narrow bands suffice while most tiles are far away
_HUGE = (
    Stage(2.0, 0.9, 0.25, band=1, alternates=True, drop=0.06, passes=1),
    Stage(1.7, 0.4, 0.2, band=16, alternates=True, drop=0.06, passes=1),
    Stage(1.4, 0.3, 0.1, band=64, drop=0.06, passes=1),
)

NARROW_WIDTH = 75  # a narrower beam needs tiles as near to their goals as possible
_LARGE_SIDE = 160  # above this longer side, even `ALL_STAGES` leaves tiles over two steps away


def _stages_before_beam(size: Size, width: int) -> tuple[Stage, ...]:
    """Return the stages before a beam, which can move tiles three or four steps."""
    if width < NARROW_WIDTH or max(size) > _LARGE_SIDE:
        return ALL_STAGES
    return (Stage(2.0, 0.9, 0.25), Stage(1.7, 0.4, 0.2 * min(1.0, (40 / max(size)) ** 0.6)))


@dataclass(frozen=True, slots=True)
class SweepPlan:
    stages: tuple[Stage, ...] = ALL_STAGES
    share: float = 1.0  # share of each best path to play before the next search, 0 to 1
    # Lines and cells that a sweep looks ahead; too few if tiles are farther away
    reach: int = 256


# Time of a staged beam after `ALL_STAGES` per cell and path, for beams below `NARROW_WIDTH`
_NEAR_HOME_SECONDS = 1.8e-6

# Sweeps with a shorter reach soon gain nothing and are not faster (measured on a 256×256 board)
_MIN_REACH = 96

_MIN_WIDTH, _MAX_WIDTH = 30, 20_000
_PLANNED_SHARE = 0.8  # of the time; the beam is narrowed if this is not enough


def plan_huge_sweeps(size: Size) -> SweepPlan:
    """Return the plan for a board of more than `HUGE_CELLS`."""
    return SweepPlan(_HUGE, reach=max(size))


def plan_quick_sweeps(size: Size) -> SweepPlan:
    """Return the fastest plan for a first solution of a large board."""
    return SweepPlan(_QUICK, reach=min(256, max(64, max(size) // 4)))


def plan_before_beam(size: Size, width: int) -> SweepPlan:
    """Return the plan for a beam of this width."""
    return SweepPlan(_stages_before_beam(size, width), sweep_share(size))


def plan_sweeps(size: Size, seconds: float) -> tuple[SweepPlan, int | None]:
    """Plan a first solution; return the sweeps, and the width of the beam after them, if any."""
    seconds *= _PLANNED_SHARE
    sweep_time = sweep_seconds(size)
    if seconds < sweep_time:
        # The time of sweeps is proportional to their reach.
        reach = max(_MIN_REACH, int(max(size) * seconds / sweep_time / 2))
        return SweepPlan(reach=min(reach, 256)), None
    share = 1.0
    if seconds > 2 * HALF_SWEEP_FACTOR * sweep_time:
        sweep_time *= HALF_SWEEP_FACTOR
        share = 0.5
    seconds_per_cell = (seconds - sweep_time) / size.cells
    if (width := int(seconds_per_cell / STAGED_SECONDS)) >= NARROW_WIDTH:
        return SweepPlan(_stages_before_beam(size, width), share), min(width, _MAX_WIDTH)
    width = int(seconds_per_cell / _NEAR_HOME_SECONDS)
    return SweepPlan(share=share), width if width >= _MIN_WIDTH else None


_BUDGET = 8_000_000  # cells to examine between two checks of the limits: about 15 ms
_CHUNK_MOVES = 1 << 20  # minimum size of the buffer for moves
_RISE = 0.01  # increase of the price of a move after each path that is played

# Minimum price if sweeps end with distant tiles, as on ordered boards
_STUCK_PRICE = 0.02
_MAX_RESTARTS = 30  # of sweeps on such boards, from other cells

# Below this mean distance of tiles, sweeps do more harm than good
_MIN_MEAN_DISTANCE = 2.0

# Time of the constructive solver per step of the tiles' distances, including a margin
_CONSTRUCTIVE_SECONDS = 0.9e-6

# On larger boards, the constructive solver always needs more moves than this many times the sum of
# distances
_CONSTRUCTIVE_RATIO = 2.0
_SMALL_CELLS = 1024


def gain_table(size: Size, power: float) -> NDArray[np.int16]:
    """Return the gains of moving a tile one cell forward, by the signed distance to its goal.

    Parameters
    ----------
    size : Size; of the board. The gain of moving a tile that is a third of the longer side away,
        the average on random boards, is the cost of a move at a price of one.
    power : float; exponent of the potential, at least 1

    Returns
    -------
    int16[2 · longer side + 3]; in units of 1/`ONE`, with distance 0 in the middle. For moves
        backward, read it from the other end.
    """
    average = max(size) / 3
    max_distance = max(size) + 1
    distances = np.arange(-max_distance, max_distance + 1)

    def weight(distance: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.abs(distance / average) ** power * (average / power)

    change = (weight(distances) - weight(distances - 1)) * ONE
    return np.clip(np.rint(change), -(1 << 15), (1 << 15) - 1).astype(np.int16)


class Sweeper:
    def __init__(self, position: Position, plan: SweepPlan) -> None:
        columns, rows = position.size
        longer = max(rows, columns)
        reach = min(plan.reach, longer)
        pitch = kernel.compute_pitch(longer)
        self._position = position
        self._plan = plan
        self._reach = reach
        self._by_rows = np.empty(kernel.compute_gain_table_size(rows, columns), dtype=np.int16)
        self._by_columns = np.empty(kernel.compute_gain_table_size(columns, rows), dtype=np.int16)
        bands = [reach if stage.band is None else stage.band for stage in plan.stages]
        widest = min(pitch, 2 * max(bands, default=reach) + 3 * LANES)
        self._entry_values = np.empty((4, (reach + 1) * widest), dtype=np.int32)
        self._values = np.empty(pitch, dtype=np.int32)
        self._directions = kernel.make_directions(rows, columns)
        self._out = np.empty(max(_CHUNK_MOVES, 2 * rows * columns), dtype=np.uint8)
        self._state = np.zeros(kernel.STATE_SIZE, dtype=np.int64)
        self._state[kernel.HOME] = position.goal_blank
        self._state[kernel.DISTANCE] = position.distance()
        self._first_distance = self.distance

    @property
    def nodes(self) -> int:
        return int(self._state[kernel.EXAMINED])

    @property
    def distance(self) -> int:
        return int(self._state[kernel.DISTANCE])

    def run(self, limits: Limits, started: float) -> StopReason | None:
        columns, rows = self._position.size
        random = np.random.default_rng(1)
        middle = rows // 2 * columns + columns // 2
        for number, stage in enumerate(self._plan.stages):
            last_price = stage.last_price
            for restart in range(_MAX_RESTARTS):
                if (reason := self._sweep(stage, last_price, limits, started)) is not None:
                    return reason
                if number > 0 or self.distance < rows * columns * (rows + columns) / 10:
                    break
                last_price = min(last_price, _STUCK_PRICE)
                cell = middle if restart == 0 else int(random.integers(rows * columns))
                self._position.move_blank(cell)
                self._state[kernel.DISTANCE] = self._position.distance()
        return None

    def _sweep(
        self, stage: Stage, last_price: float, limits: Limits, started: float
    ) -> StopReason | None:
        position, state = self._position, self._state
        columns, rows = position.size
        gains = gain_table(position.size, stage.power)
        kernel.fill_gain_tables(
            position.cells, gains, self._by_rows, self._by_columns, rows, columns
        )
        settings = np.zeros(kernel.SETTINGS_SIZE, dtype=np.int64)
        settings[kernel.MAX_PRICE] = round(0.9 * ONE)
        settings[kernel.MIN_PRICE] = round(last_price * ONE)
        settings[kernel.DROP] = round(stage.drop * ONE)
        settings[kernel.RISE] = round(_RISE * ONE)
        settings[kernel.MIN_VALUE] = ONE
        settings[kernel.SHARE] = round(self._plan.share * 256)
        settings[kernel.REACH] = self._reach
        settings[kernel.BAND] = self._reach if stage.band is None else stage.band
        settings[kernel.PASSES] = stage.passes
        settings[kernel.ALTERNATES] = stage.alternates
        state[kernel.BLANK] = position.blank
        state[kernel.PRICE] = round(stage.first_price * ONE)
        state[kernel.LENGTH] = 0
        state[kernel.ALONG] = 1
        memory = math.inf if limits.memory_bytes is None else limits.memory_bytes
        reason = None
        while reason is None:
            status = kernel.run_sweeps(
                position.cells, gains, self._by_rows, self._by_columns, rows, columns, settings,
                state, _BUDGET, self._entry_values, self._values,
                self._directions, self._out,
            )  # fmt: skip
            reason = self._stopped_by(limits, started)
            if position.nbytes + state[kernel.LENGTH] > memory:
                reason = StopReason.MEMORY
            if status != kernel.OUT_OF_BUDGET or reason is not None:
                position.add(self._out[: state[kernel.LENGTH]].copy())
                state[kernel.LENGTH] = 0
            if status == kernel.PRICED_OUT:
                break
        position.blank = int(state[kernel.BLANK])
        return reason

    def _stopped_by(self, limits: Limits, started: float) -> StopReason | None:
        """Return the reason to stop, if any; leave time for the constructive solver."""
        if (reason := replace(limits, seconds=None).check(0.0, self.nodes)) is not None:
            return reason
        if limits.seconds is None:
            return None
        seconds = search_clock() - started
        if self._first_distance * _CONSTRUCTIVE_SECONDS < limits.seconds:
            seconds += self.distance * _CONSTRUCTIVE_SECONDS
        return StopReason.TIME if seconds >= limits.seconds else None


def sweep(
    board: Board,
    goal: Board,
    plan: SweepPlan | None = None,
    *,
    limits: Limits | None = None,
) -> Outcome:
    """Solve a board by sweeps, and the remainder with the constructive solver.

    Nodes are the cells examined by sweeps. Sweeps leave time for the constructive solver, which
    only memory (one byte per move) and cancellation can stop. The solution is never longer than
    that of the constructive solver alone. It depends only on the input, unless time ended the
    sweeps.
    """
    started = search_clock()
    limits = limits or Limits()
    position = Position(board, goal)
    nodes, stopped_by = sweep_position(position, plan or SweepPlan(), limits, started)
    return finish(position, board, limits, started=started, nodes=nodes, stopped_by=stopped_by)


def sweep_huge(
    board: Board, goal: Board, plan: SweepPlan, limits: Limits
) -> tuple[PackedMoves | StopReason, int]:
    """Solve a huge board like `sweep`, but store two bits per move.

    Unlike there, any limit ends the search without a solution, because the constructive solver
    takes minutes for a board that has not been swept completely. Also returns the number of cells
    examined.
    """
    started = search_clock()
    position = Position(board, goal, is_packed=True)
    nodes, reason = sweep_position(position, plan, limits, started)
    if reason is None:
        remaining = limits.after(search_clock() - started)
        reason = _add_residual(position, replace(remaining, nodes=None))
    return (position.packed_moves() if reason is None else reason), nodes


def sweep_position(
    position: Position, plan: SweepPlan, limits: Limits, started: float
) -> tuple[int, StopReason | None]:
    """Play sweeps if they help; return the number of cells examined and the stop reason."""
    if position.distance() < _MIN_MEAN_DISTANCE * position.size.cells:
        return 0, None
    sweeper = Sweeper(position, plan)
    stopped_by = sweeper.run(limits, started)
    return sweeper.nodes, stopped_by


def finish(
    position: Position,
    board: Board,
    limits: Limits,
    *,
    started: float,
    nodes: int,
    stopped_by: StopReason | None,
) -> Outcome:
    """Solve the remainder constructively, or the whole board if that is shorter."""
    if stopped_by in (StopReason.CANCELLED, StopReason.MEMORY):
        return Outcome(None, nodes, search_clock() - started, stopped_by)
    reason = _add_residual(position, Limits(None, None, limits.memory_bytes, limits.cancelled))
    moves = position.moves() if reason is None else None
    is_small = board.size.cells <= _SMALL_CELLS
    if moves is not None and (
        is_small or len(moves) > _CONSTRUCTIVE_RATIO * board.manhattan(position.goal)
    ):
        memory_bytes = len(moves) + 2 * CHUNK_MOVES
        constructive_limits = Limits(memory_bytes=memory_bytes, cancelled=limits.cancelled)
        constructed = construct(board, position.goal, constructive_limits)
        if constructed is StopReason.CANCELLED:
            moves, reason = None, constructed
        elif not isinstance(constructed, StopReason) and len(constructed) < len(moves):
            moves = constructed
    return Outcome(moves, nodes, search_clock() - started, reason or stopped_by)


def _add_residual(position: Position, limits: Limits) -> StopReason | None:
    """Solve the remainder constructively; return the reason if that is impossible."""
    residual = position.board()
    if residual == position.goal:
        return None
    if limits.memory_bytes is not None:
        memory = max(0, limits.memory_bytes - position.nbytes)
        limits = replace(limits, memory_bytes=memory)
    moves = construct(residual, position.goal, limits)
    if isinstance(moves, StopReason):
        return moves
    position.add(moves)
    return None
