"""A game, which is a board and the moves made on it, and the result of its analysis."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import blake2b
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tilework.core.errors import OptionError, ReplayError
from tilework.core.puzzle.arrangement import inverse
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import Moves, from_letters
from tilework.core.puzzle.phrases import cells
from tilework.core.puzzle.replay import apply, blank_path, moved_tiles, replay, replaying_input
from tilework.core.search.limits import Statistics, StopReason
from tilework.core.solver.strategy import A_STAR_CELLS

Keys = NDArray[np.uint64]  # of shape (boards, 2), or (2,) for one board

_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_FACTORS: Final = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


class BoardKeys:
    """Zobrist keys of 128 bits: the exclusive or of one word for each tile and its cell.

    The words depend on ``content``. If it includes the boards, nobody can look for boards with the
    same key.

    Notes
    -----
    A. Zobrist, "A new hashing method with application for game playing", 1970. The words are from
    SplitMix: G. Steele, D. Lea and C. Flood, "Fast splittable pseudorandom number generators",
    OOPSLA 2014.
    """

    def __init__(self, content: bytes) -> None:
        self._seeds = np.frombuffer(blake2b(content, digest_size=16).digest(), dtype=np.uint64)

    def key(self, board: Board) -> Keys:
        cells = np.flatnonzero(board.cells)
        key: Keys = np.bitwise_xor.reduce(self._words(board.cells[cells], cells), axis=0)
        return key

    def along(self, board: Board, moves: Moves) -> Iterator[Keys]:
        """Yield, in chunks, the keys of the boards along moves, including the first board."""
        key = self.key(board)
        yield key[None]
        blank = board.blank
        for path, tiles in zip(blank_path(board, moves), moved_tiles(board, moves), strict=True):
            labels, targets = np.array(tiles), np.concatenate([[blank], path[:-1]])
            changes = self._words(labels, path) ^ self._words(labels, targets)
            changes[0] ^= key
            keys: Keys = np.bitwise_xor.accumulate(changes, axis=0)
            key, blank = keys[-1], int(path[-1])
            yield keys

    def _words(self, tiles: NDArray[np.integer], cells: NDArray[np.integer]) -> Keys:
        pairs = tiles.astype(np.uint64) << np.uint64(32) | cells.astype(np.uint64)
        words: Keys = self._seeds + pairs[:, None] * _STEP
        for shift, factor in zip((30, 27), _FACTORS, strict=True):
            words = (words ^ (words >> np.uint64(shift))) * factor
        return words ^ (words >> np.uint64(31))


MAX_MOVES: Final = 10_000  # about the length of a solution of a random 24×24 board
MAX_CELLS: Final = 10_000  # because every position is read completely at least once

# Boards of up to this many cells are analysed completely by default
EXACT_CELLS: Final = A_STAR_CELLS

_STORE_INTERVAL: Final = 64


class Loop(NamedTuple):
    """Moves without effect: the positions after ``first`` and ``last`` moves are the same."""

    first: int
    last: int


class Game:
    """A board, its goal and the moves; position i is the board after i moves."""

    def __init__(self, board: Board, goal: Board, moves: Moves) -> None:
        check_game(board, len(moves))
        self.start, self.goal, self.moves = board, goal, moves
        with replaying_input():
            path = list(blank_path(board, moves))
        self.blanks = np.concatenate([np.array([board.blank], dtype=np.int32), *path])
        self._stored_boards = [board]
        self._board_keys = BoardKeys(board.cells.tobytes() + goal.cells.tobytes() + moves.tobytes())

    def __len__(self) -> int:
        return len(self.moves)

    def board(self, position: int) -> Board:
        index, offset = divmod(position, _STORE_INTERVAL)
        while len(self._stored_boards) <= index:
            first = (len(self._stored_boards) - 1) * _STORE_INTERVAL
            moves = self.moves[first : first + _STORE_INTERVAL]
            self._stored_boards.append(apply(self._stored_boards[-1], moves))
        first = index * _STORE_INTERVAL
        return apply(self._stored_boards[index], self.moves[first : first + offset])

    @cached_property
    def keys(self) -> list[bytes]:
        """By position, a key that identifies the board."""
        chunks = self._board_keys.along(self.start, self.moves)
        return [key.tobytes() for keys in chunks for key in keys]

    @cached_property
    def positions(self) -> dict[bytes, list[int]]:
        """The positions of each board, in order."""
        positions: dict[bytes, list[int]] = {}
        for position, key in enumerate(self.keys):
            positions.setdefault(key, []).append(position)
        return positions

    def visits(self, board: Board, moves: Moves) -> Iterator[tuple[int, int]]:
        """Yield the boards of the game on a path: the moves made, and the board's first position.

        A path may have millions of moves, so it is compared with the game in chunks.
        """
        count = 0
        for keys in self._board_keys.along(board, moves):
            for index in np.flatnonzero(np.isin(keys[:, 0], self._first_words)).tolist():
                if (positions := self.positions.get(keys[index].tobytes())) is not None:
                    yield count + index, positions[0]
            count += len(keys)

    @cached_property
    def _first_words(self) -> NDArray[np.uint64]:
        return np.frombuffer(b"".join(self.positions), dtype=np.uint64)[::2]

    @property
    def is_solution(self) -> bool:
        """Whether the game ends at its goal."""
        return self.keys[-1] == self._board_keys.key(self.goal).tobytes()

    def without_loops(self) -> Moves:
        """Return the moves without those of loops."""
        is_kept = np.ones(len(self), dtype=bool)
        for loop in self.loops():
            is_kept[loop.first : loop.last] = False
        return self.moves[is_kept]

    def loops(self) -> list[Loop]:
        """Return disjoint loops in order; without their moves, no board occurs twice."""
        loops = []
        position = 0
        while position < len(self):
            last = self.positions[self.keys[position]][-1]
            if last > position:
                loops.append(Loop(position, last))
            position = max(last, position + 1)
        return loops

    def slides(self) -> int:
        """Count slides: consecutive moves in the same direction are one slide."""
        return int(np.count_nonzero(np.diff(self.moves)) + 1) if len(self) else 0

    def manhattan_distances(self) -> NDArray[np.int64]:
        """Return the Manhattan distances to the goal by position, int64 of shape (moves + 1,)."""
        width = self.start.width
        homes = inverse(self.goal.cells)
        current_cells = self.start.cells.copy()
        distances = np.empty(len(self) + 1, dtype=np.int64)
        distances[0] = distance = self.start.manhattan(self.goal)
        blanks = self.blanks.tolist()
        for position, (blank, next_blank) in enumerate(pairwise(blanks), 1):
            tile = int(current_cells[next_blank])
            current_cells[blank], current_cells[next_blank] = tile, 0
            home = int(homes[tile])
            distance += _count_steps(blank, home, width) - _count_steps(next_blank, home, width)
            distances[position] = distance
        return distances


def check_game(board: Board, move_count: int) -> None:
    """Reject a game that is too long or whose board is too large."""
    if board.size.cells > MAX_CELLS:
        raise OptionError(
            "game-cells",
            "{size} boards have {cells}; games can be analysed on boards of at most {max}",
            size=board.size,
            cells=cells(board.size.cells),
            max=MAX_CELLS,
        )
    if move_count > MAX_MOVES:
        raise OptionError(
            "game-length",
            "a game of {count} moves is too long; at most {max} are analysed",
            count=move_count,
            max=MAX_MOVES,
        )


def _count_steps(cell: int, other: int, width: int) -> int:
    row, column = divmod(cell, width)
    other_row, other_column = divmod(other, width)
    return abs(row - other_row) + abs(column - other_column)


@dataclass(frozen=True, slots=True)
class Loss:
    """A move away from the goal, which costs two moves.

    Attributes
    ----------
    move : int
        Number of the move, from 1.
    remaining : int
        Length of a shortest solution from the position before the move.
    way : str or None
        Moves of that solution; None if the solutions of all losses together are too long.
    """

    move: int
    remaining: int
    way: str | None


@dataclass(frozen=True, slots=True)
class Analysis:
    """The remaining moves at each position of a game, and its wasted moves.

    Attributes
    ----------
    lower : tuple of int
        Proven lower bound for each position, starting before the first move.
    upper : tuple of int or None
        Length of the shortest known solution for each position.
    losses : tuple of Loss
        All losses if the analysis is exact, otherwise those that are proven.
    loops : tuple of (int, int)
        Disjoint pairs of move numbers, ``first`` and ``last``, after which the position is the
        same; without the moves between them, no position occurs twice.
    slides : int
        Number of slides: consecutive moves in one direction count once.
    is_solution : bool
        Whether the game ends at its goal.
    statistics : Statistics
        The cost of the search.
    stopped_by : str or None
        The limit that ended the analysis before it was exact.
    """

    lower: tuple[int, ...]
    upper: tuple[int | None, ...]
    losses: tuple[Loss, ...]
    loops: tuple[Loop, ...]
    slides: int
    is_solution: bool
    statistics: Statistics
    stopped_by: StopReason | None

    def __len__(self) -> int:
        """Return the number of moves of the game."""
        return len(self.lower) - 1

    @property
    def is_exact(self) -> bool:
        """Whether the remaining moves are known for every position."""
        return self.lower == self.upper

    @property
    def lost(self) -> tuple[int, int | None]:
        """Lower and upper bound on the wasted moves.

        They are the length of the game plus the moves remaining at its end, minus the length of a
        shortest solution, and at least two for each loss. The upper bound is None if no solution
        from the end is known.
        """
        first, last = self.upper[0], self.upper[-1]
        least = 2 * len(self.losses)
        if first is not None:
            least = max(least, len(self) + self.lower[-1] - first)
        return least, None if last is None else len(self) + last - self.lower[0]


@dataclass(frozen=True, slots=True)
class AnalysisProgress:
    # Boards whose remaining moves are known, and all boards of the game
    settled: int
    total: int
    # Bounds of the first position
    lower: int
    upper: int | None
    nodes: int
    seconds: float


AnalysisListener = Callable[[AnalysisProgress], None]


def analysis_document(analysis: Analysis) -> dict[str, Any]:
    lost_at_least, lost_at_most = analysis.lost
    return {
        "length": len(analysis),
        "is_solution": analysis.is_solution,
        "exact": analysis.is_exact,
        "lower": list(analysis.lower),
        "upper": list(analysis.upper),
        "lost_at_least": lost_at_least,
        "lost_at_most": lost_at_most,
        "losses": [asdict(loss) for loss in analysis.losses],
        "loops": [loop._asdict() for loop in analysis.loops],
        "slides": analysis.slides,
        "nodes": analysis.statistics.generated,
        "seconds": round(analysis.statistics.seconds, 3),
        "stopped_by": None if analysis.stopped_by is None else analysis.stopped_by.value,
    }


def check_better_paths(game: Game, document: dict[str, Any]) -> None:
    for loss in document["losses"]:
        if loss["way"] is None:
            continue
        path = from_letters(loss["way"])
        board = game.board(loss["move"] - 1)
        replay(board, path, game.goal)
        if len(path) != loss["remaining"]:
            raise ReplayError(
                "way-length",
                "a solution of {count} moves is recorded as having {recorded}",
                count=len(path),
                recorded=loss["remaining"],
            )
