"""Random boards, and the daily boards, which are the same for everyone."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date
from itertools import count
from typing import Final

import numpy as np

from tilework.core.arguments import check_integer, optional
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import blank_steps, legal_moves
from tilework.core.puzzle.phrases import goal_size

_MAX_WALK: Final = 10**9


def scramble(size: Size, goal: Board, seed: int | None = None, moves: int | None = None) -> Board:
    """Draw a random solvable board.

    Parameters
    ----------
    goal : Board; the board is solvable for this goal
    seed : int, optional; from 0; the same seed gives the same board
    moves : int, optional; from 0 to 10**9: make this many random moves from the goal, without
        immediately undoing a move. By default, every solvable board is equally likely.
    """
    if goal.size != size:
        raise OptionError(goal_size(goal.size, Size(*size)))
    seed = optional(check_integer, "seed", seed, 0)
    moves = optional(check_integer, "moves", moves, 0, _MAX_WALK)
    random = np.random.default_rng(seed)
    if moves is not None:
        return _walk(goal, moves, random)
    if 1 in size:
        return _slide_line(goal, int(random.integers(size.cells)))
    board = Board.trusted(random.permutation(size.cells).astype(np.int32), goal.size)
    return board if board.is_solvable(goal) else _swap_two_tiles(board)


def _swap_two_tiles(board: Board) -> Board:
    """Swap the first two tiles: a bijection from the unsolvable to the solvable boards."""
    cells = board.cells.copy()
    first, second = [cell for cell in range(3) if cell != board.blank][:2]
    cells[[first, second]] = cells[[second, first]]
    return Board.trusted(cells, board.size, board.blank)


def _slide_line(goal: Board, blank: int) -> Board:
    tiles = np.delete(goal.cells, goal.blank)
    return Board.trusted(np.insert(tiles, blank, 0).astype(np.int32), goal.size, blank)


def _walk(goal: Board, moves: int, random: np.random.Generator) -> Board:
    width, height = goal.size
    steps = blank_steps(width)
    cells: list[int] = goal.cells.tolist()
    blank = goal.blank
    last = -1
    # The choices are cached: one comparison of algorithms draws hundreds of boards.
    cache: dict[tuple[int, int], list[int]] = {}
    for _ in range(moves):
        choices = cache.get((blank, last))
        if choices is None:
            choices = cache[blank, last] = _next_moves(blank, last, width, height)
        if not choices:
            break
        last = choices[int(random.integers(len(choices)))] if len(choices) > 1 else choices[0]
        cell = blank + steps[last]
        cells[blank] = cells[cell]
        blank = cell
    cells[blank] = 0
    return Board.trusted(np.array(cells, dtype=np.int32), goal.size, blank)


def _next_moves(blank: int, last: int, width: int, height: int) -> list[int]:
    """Return the legal moves; the one that undoes the last move only if there is no other."""
    legal = legal_moves(blank, width, height)
    moves = [code for code in range(4) if legal >> code & 1]
    return [code for code in moves if code != last ^ 1] or moves


FIRST_DAY: Final = date(2026, 1, 1)
MIN_DAILY_SIDE: Final = 3
MAX_DAILY_SIDE: Final = 5

_WORD_BYTES: Final = 4


def parse_day(text: str) -> date:
    """Parse an ISO 8601 date, as in ``2026-01-31``."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    # Each board has one URL, so other notations of its date are rejected.
    if day is None or day.isoformat() != text:
        raise OptionError(
            "daily-date", "{text!r} is not a date; use one like 2026-01-31", text=text[:40]
        )
    return day


def check_day(day: date, last: date) -> None:
    if day < FIRST_DAY:
        raise OptionError(
            "daily-too-early",
            "there is no puzzle for {day}; the first is that of {first}",
            day=day,
            first=FIRST_DAY,
        )
    if day > last:
        raise OptionError(
            "daily-too-late",
            "the puzzle of {day} is not available yet; the latest is that of {last}",
            day=day,
            last=last,
        )


def daily_board(day: date, side: int) -> Board:
    """Return the board of a day, solvable for the goal with the blank last.

    The tiles ``0, 1, 2, …``, 0 for the blank, are shuffled from the last one down (Knuth, *The Art
    of Computer Programming*, volume 2, algorithm 3.4.2P). The random numbers are 32-bit big-endian
    words of SHA-256 hashes of the day, the size and a block number from 0. To draw a number below
    ``n``, words of at least the largest multiple of ``n`` are skipped, and the next one is taken
    modulo ``n``. Finally, the first two tiles are swapped if the board cannot be solved.
    """
    size = Size(side, side)
    words = _words(f"tilework daily {day.isoformat()} {side}x{side}")
    tiles = list(range(size.cells))
    for index in range(size.cells - 1, 0, -1):
        other = _draw_below(index + 1, words)
        tiles[index], tiles[other] = tiles[other], tiles[index]
    if not Board(tiles).is_solvable(blank_last(size)):
        first, second = [cell for cell, tile in enumerate(tiles) if tile][:2]
        tiles[first], tiles[second] = tiles[second], tiles[first]
    return Board(tiles)


def _words(seed: str) -> Iterator[int]:
    for block in count():
        digest = hashlib.sha256(f"{seed} {block}".encode()).digest()
        for first in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[first : first + _WORD_BYTES], "big")


def _draw_below(bound: int, words: Iterator[int]) -> int:
    word_count = 2 ** (8 * _WORD_BYTES)
    return next(word for word in words if word < word_count - word_count % bound) % bound
