"""Every board that may lie on a shortest way, breadth first, and of these the ones that do.

R. Zhou and E. Hansen, "Breadth-first heuristic search", Artificial Intelligence 170 (2006): where
the optimum is known, a board whose depth and estimate exceed it is left out, and layer after layer
is made of the one before. All layers are kept here; on the way back from the goal only those boards
stay that have a move to one that stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import blank_steps, neighbor_table
from tilework.core.search.limits import Limits, StopReason, search_clock
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns
from tilework.core.solver.kernels.a_star import fill_slots
from tilework.core.solver.kernels.shortest_paths import expand_boards
from tilework.core.solver.optimal.a_star import pack
from tilework.core.solver.optimal.choice import additive_engine_for
from tilework.core.solver.shortest_paths.solution_graph import SolutionGraph

# Boards that are expanded in some tens of milliseconds, after which limits are checked
CHUNK = 100_000
DEFAULT_MEMORY_BYTES = 1 << 30  # some 110 million boards
_KEPT_BYTES = 8 + 1
_MOST_CHILDREN = 4

States = NDArray[np.int64]
Facts = NDArray[np.uint8]
Kind = TypeVar("Kind", bound=np.generic)

# Called with the moves from the board that are searched, and with those of a solution
LayerListener = Callable[[int, int], object]


def ignore_layer(_depth: int, _length: int) -> None:
    """Tell nobody."""


@dataclass(slots=True)
class Layers:
    board: Board
    goal: Board
    length: int
    limits: Limits
    pdb_folder: Path | None = None
    boards: int = 1  # kept so far, in all layers
    _layers: list[tuple[States, Facts]] = field(default_factory=list)
    _began: float = field(default_factory=search_clock)

    def search(self, layer_made: LayerListener = ignore_layer) -> SolutionGraph | StopReason:
        """Return all shortest ways, or which limit was reached."""
        engine = additive_engine_for(self.goal, self.pdb_folder)
        start = np.array([pack(self.board)], dtype=np.int64)
        self._layers = [(start, np.array([self.board.blank << 4], dtype=np.uint8))]
        for depth in range(self.length):
            stopped_by = self._deepen(engine.patterns, self.length - depth - 1)
            if stopped_by is not None:
                return stopped_by
            layer_made(depth + 1, self.length)
        engine.confirm()
        if len(self._layers[-1][0]) != 1:
            raise DamagedFileError(
                "no-way-found",
                "the tables of {engine} lead to no solution of {length} moves",
                engine=engine.name,
                length=self.length,
            )
        return self._back()

    def _deepen(self, patterns: AdditivePatterns, rest: int) -> StopReason | None:
        """Make the next layer, from which so many moves lead to the goal."""
        states, facts = self._layers[-1]
        neighbors = neighbor_table(self.goal.size)
        next_states, next_facts = np.empty(0, dtype=np.int64), np.empty(0, dtype=np.uint8)
        table = np.zeros(1, dtype=np.int32)
        count = 0
        for first in range(0, len(states), CHUNK):
            last = min(first + CHUNK, len(states))
            room = count + _MOST_CHILDREN * (last - first)
            if room > len(next_states):
                room = max(room, 2 * len(next_states))
                slots = 1 << (2 * room - 1).bit_length()
                wanted = _KEPT_BYTES * (self.boards + count + room) + table.itemsize * slots
                if (stopped_by := self._reached(count, wanted)) is not None:
                    return stopped_by
                next_states = _with_room(next_states[:count], room)
                next_facts = _with_room(next_facts[:count], room)
                table = np.zeros(slots, dtype=np.int32)
                fill_slots(next_states, table, count)
            elif (stopped_by := self._reached(count)) is not None:
                return stopped_by
            count = expand_boards(
                patterns.entries, patterns.slots, patterns.places, patterns.offsets,
                neighbors, states, facts, first, last, rest, next_states, next_facts, table, count,
            )  # fmt: skip
        self._layers.append((next_states[:count].copy(), next_facts[:count].copy()))
        self.boards += count
        return None

    def _reached(self, count: int, memory_bytes: int = 0) -> StopReason | None:
        seconds = search_clock() - self._began
        return self.limits.reached(seconds, self.boards + count, memory_bytes)

    def _back(self) -> SolutionGraph:
        staying, _ = self._layers[-1]
        staying_facts = self._layers[-1][1]
        layers = [staying]
        onward: list[NDArray[np.int32]] = []
        for states, facts in reversed(self._layers[:-1]):
            numbers, moves = np.nonzero(staying_facts[:, np.newaxis] >> np.arange(4) & 1)
            blanks = staying_facts[numbers].astype(np.int64) >> 4
            before = _undone(staying[numbers], blanks, moves, self.board.width)
            from_states, places = np.unique(before, return_inverse=True)
            onward_here = np.full((len(from_states), 4), -1, dtype=np.int32)
            onward_here[places, moves] = numbers
            staying_facts = _facts_of(from_states, states, facts)
            staying = from_states
            layers.append(staying)
            onward.append(onward_here)
        return SolutionGraph(self.board, self.goal, layers[::-1], onward[::-1])


def _with_room(array: NDArray[Kind], room: int) -> NDArray[Kind]:
    larger = np.empty(room, dtype=array.dtype)
    larger[: array.size] = array
    return larger


def _undone(
    states: States, blanks: NDArray[np.int64], moves: NDArray[np.int64], width: int
) -> States:
    # The blank came from where the tile is now that has been moved.
    came_from = blanks - np.array(blank_steps(width))[moves]
    tiles = states >> 4 * came_from & 15
    before: States = states ^ tiles << 4 * came_from ^ tiles << 4 * blanks
    return before


def _facts_of(wanted: States, states: States, facts: Facts) -> Facts:
    """Return the facts of some boards of a layer, which are sorted; the layer is not."""
    found = np.empty(len(wanted), dtype=np.uint8)
    for first in range(0, len(states), CHUNK):
        part = states[first : first + CHUNK]
        places = np.searchsorted(wanted, part)
        places[places == len(wanted)] = 0
        there = wanted[places] == part
        found[places[there]] = facts[first : first + CHUNK][there]
    return found
