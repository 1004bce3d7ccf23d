"""Sweeps: long paths of the blank that take most tiles near their goals, on huge boards."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.packing import PackedMoves
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.kernels import sweeps as kernel
from tilework.core.solver.kernels.best_sweep import LANES, ONE
from tilework.core.solver.large.constructive import CHUNK_MOVES, construct
from tilework.core.solver.large.outcome import Outcome
from tilework.core.solver.large.sweeps.frame import gain_table
from tilework.core.solver.large.sweeps.plan import Stage, SweepPlan
from tilework.core.solver.large.sweeps.position import Position

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
    goal = position.goal
    distance = board.manhattan(goal)
    solution = _solve_residual(position, limits)
    if not isinstance(solution, StopReason) and (
        board.size.cells <= _SMALL_CELLS or len(solution) > _CONSTRUCTIVE_RATIO * distance
    ):
        solution = _shorten_constructively(solution, board, goal, limits)
    seconds = search_clock() - started
    if isinstance(solution, StopReason):
        return Outcome(None, nodes, seconds, solution)
    return Outcome(solution, nodes, seconds, stopped_by)


def _solve_residual(position: Position, limits: Limits) -> Moves | StopReason:
    reason = _add_residual(position, Limits(None, None, limits.memory_bytes, limits.cancelled))
    return position.moves() if reason is None else reason


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


def _shorten_constructively(
    moves: Moves, board: Board, goal: Board, limits: Limits
) -> Moves | StopReason:
    """Return these moves, or the constructive solution if it is shorter."""
    limits = Limits(memory_bytes=len(moves) + 2 * CHUNK_MOVES, cancelled=limits.cancelled)
    constructive = construct(board, goal, limits)
    if constructive is StopReason.MEMORY:
        return moves
    return (
        constructive
        if isinstance(constructive, StopReason) or len(constructive) < len(moves)
        else moves
    )
