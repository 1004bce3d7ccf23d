"""The board of the day: the same for everybody, on every machine and for ever.

It is drawn by SHA-256 of the date and the size, and by nothing whose details could change with a
library. Every solvable board is equally likely.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import date
from itertools import count
from typing import Final

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last

FIRST_DAY: Final = date(2026, 1, 1)
LEAST_SIDE: Final = 3
MOST_SIDE: Final = 5

_WORD_BYTES: Final = 4


def day_of(text: str) -> date:
    """Read a date as ISO 8601 writes it: ``2026-01-31``.

    Raises
    ------
    OptionError
        If the text is no such date.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    # Weeks, and dates without dashes, would be other addresses of the same board.
    if day is None or day.isoformat() != text:
        raise OptionError(
            "daily-date", "{text!r} is not a date; give one as in 2026-01-31", text=text[:40]
        )
    return day


def check_day(day: date, last: date) -> None:
    """Refuse a day that has no board, or none yet.

    Raises
    ------
    OptionError
        Before the first day, or after the last.
    """
    if day < FIRST_DAY:
        raise OptionError(
            "daily-too-early",
            "{day} has no board; the first day that has one is {first}",
            day=day,
            first=FIRST_DAY,
        )
    if day > last:
        raise OptionError(
            "daily-too-late",
            "the board of {day} is not out yet; the last day that has one is {last}",
            day=day,
            last=last,
        )


def daily_board(day: date, side: int) -> Board:
    """Return the board of a day, solvable for the goal with the blank last.

    Parameters
    ----------
    side : int
        From 3 to 5.

    Notes
    -----
    Blocks of SHA-256 over a text with the day, the size and the block's number, from 0, are read as
    big-endian words of 32 bits. A word over the largest multiple of ``n`` is passed over, any other
    gives its remainder by ``n``. With these the numbers ``0, 1, 2, …``, 0 for the blank, are
    shuffled from the last place down (Knuth, *The Art of Computer Programming*, volume 2,
    algorithm 3.4.2P); then the first two tiles are exchanged if the board cannot be solved.
    """
    size = Size(side, side)
    words = _words(f"tilework daily {day.isoformat()} {side}x{side}")
    tiles = list(range(size.cells))
    for place in range(size.cells - 1, 0, -1):
        other = _below(place + 1, words)
        tiles[place], tiles[other] = tiles[other], tiles[place]
    if not Board(tiles).is_solvable(blank_last(size)):
        first, second = [cell for cell, tile in enumerate(tiles) if tile][:2]
        tiles[first], tiles[second] = tiles[second], tiles[first]
    return Board(tiles)


def _words(seed: str) -> Iterator[int]:
    for block in count():
        digest = hashlib.sha256(f"{seed} {block}".encode()).digest()
        for first in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[first : first + _WORD_BYTES], "big")


def _below(bound: int, words: Iterator[int]) -> int:
    most = 2 ** (8 * _WORD_BYTES)
    return next(word for word in words if word < most - most % bound) % bound
