from collections import Counter
from datetime import date, timedelta

import pytest

from tilework.core.errors import OptionError
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.scramble import daily_board, parse_day

# These must never change: people have played them.
BOARDS = {
    ("2026-01-01", 3): "3 5 7 4 8 0 1 2 6",
    ("2026-01-01", 4): "9 13 5 11 8 15 7 4 2 3 1 14 0 12 10 6",
    ("2026-01-01", 5): "0 3 11 15 23 22 1 13 16 7 19 12 17 4 18 5 10 20 14 21 24 9 6 8 2",
    ("2026-12-31", 4): "15 6 14 4 9 1 5 8 11 13 7 0 2 3 12 10",
    ("2040-02-29", 5): "14 23 0 11 24 20 13 3 8 15 17 18 10 1 16 12 6 2 19 7 22 21 5 4 9",
}


def test_daily_boards_never_change() -> None:
    for (day, side), tiles in BOARDS.items():
        board = daily_board(parse_day(day), side)
        assert " ".join(map(str, board.cells.tolist())) == tiles
        assert board.is_solvable(blank_last(board.size))


def test_tiles_are_distributed_uniformly() -> None:
    days = 3_000
    counts: Counter[tuple[int, int]] = Counter()
    boards = set()
    for number in range(days):
        board = daily_board(date(2026, 1, 1) + timedelta(days=number), 3)
        boards.add(board)
        assert board.is_solvable(blank_last(board.size))
        counts.update(enumerate(board.cells.tolist()))
    assert len(boards) > days * 0.98
    expected = days / 9
    deviation = sum((counts[cell, tile] - expected) ** 2 for cell in range(9) for tile in range(9))
    # Chi-squared with 64 degrees of freedom exceeds 111 once in 4,000 times.
    assert deviation / expected < 111


def test_only_iso_dates_are_accepted() -> None:
    for text in ("2026-1-1", "20260101", "2026-W01-1", "2026-02-29", "", "2026-01-01T00:00:00"):
        with pytest.raises(OptionError, match="is not a date; use one like"):
            parse_day(text)
