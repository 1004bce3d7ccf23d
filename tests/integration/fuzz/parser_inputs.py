"""Unusual inputs for all parsers of boards, moves and certificates."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

from tests.integration.fuzz.board_inputs import (
    corrupt,
    make_json_value,
    make_lines,
    make_noise,
    make_npy,
    make_text,
)
from tests.unit.formats.test_certificate import HEADER, MOVES, TREES, pair_slices
from tilework.core.errors import BoardError, InputError
from tilework.core.formats.board_list import board_lines, read_board_list
from tilework.core.formats.board_text import read_board, read_goal
from tilework.core.formats.board_values import read_board_json, read_npy_bytes
from tilework.core.formats.certificate import format_certificate, read_certificate
from tilework.core.formats.moves_text import read_moves
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last

SEED: Final = 13
MAX_CELLS: Final = 1_000
MAX_MESSAGE_LENGTH: Final = 600
_MAX_BOARDS: Final = 20_000
_MOVES: Final = ["LURD" * 5, "L2 U10", "8 7", "['right', 'up']", '{"moves": "RD"}', "← ↑"]
CERTIFICATE: Final = "".join(format_certificate(HEADER, MOVES, pair_slices(TREES)))

Read = Callable[[Random], Board | None]


def _make_options(random: Random) -> dict[str, int | None]:
    width = random.choice([*[None] * 9, 1, 2, 3, 0, -1, 40_000, 10**30])
    return {"width": width, "max_cells": random.choice([None, MAX_CELLS, MAX_CELLS, 16])}


def _read_text(random: Random) -> Board:
    text = random.choice([make_text, make_text, make_noise])(random)
    return read_board(text, **_make_options(random))


def _read_goal(random: Random) -> Board:
    text = random.choice([make_text, make_noise])(random)
    return read_goal(text, Size(random.randint(1, 5), random.randint(1, 5)))


def _read_lines(random: Random) -> Board | None:
    lines, options = make_lines(random), _make_options(random)
    text = "\n".join(lines)
    board_list = read_board_list(text, max_cells=MAX_CELLS, max_boards=_MAX_BOARDS)
    if board_list is not None:
        line_count = 1 + text.replace("\r", "\n").count("\n")
        assert all(1 <= number <= line_count for number, _board in board_list.boards)
    boards = [line.read().board for line in board_lines(lines, **options)]
    return boards[-1] if boards else None


def _read_certificate(random: Random) -> None:
    text = corrupt(random, CERTIFICATE)
    with suppress(UnicodeEncodeError):  # a file cannot contain a lone surrogate
        read_certificate(text.encode())


def _read_moves(random: Random) -> None:
    board = blank_last(Size(3, 3))
    moves = read_moves(corrupt(random, random.choice(_MOVES)), board)
    assert moves.max(initial=0) < 4


_READERS: Final[list[tuple[Read, type[InputError], int]]] = [
    (_read_text, BoardError, 6),
    (_read_goal, BoardError, 2),
    (
        lambda random: read_board_json(make_json_value(random), **_make_options(random)).board,
        BoardError,
        4,
    ),
    (_read_lines, BoardError, 3),
    (
        lambda random: read_npy_bytes(
            make_npy(random), max_cells=_make_options(random)["max_cells"]
        ),
        BoardError,
        3,
    ),
    (_read_certificate, InputError, 1),
    (_read_moves, InputError, 1),
]


def read_inputs(inputs: int) -> Counter[str]:
    """Read random inputs; a failure names the number of its input."""
    counts: Counter[str] = Counter()
    shares = [share for _read, _error, share in _READERS]
    for number in range(inputs):
        random = Random(SEED * 10**9 + number)
        [(read, error_type, _share)] = random.choices(_READERS, shares)
        label = f"input {number}"
        try:
            board = read(random)
        except error_type as error:
            counts["rejected"] += 1
            message = str(error.message)
            assert 0 < len(message) <= MAX_MESSAGE_LENGTH, label
            message.encode("utf-8", "surrogatepass")
        except Exception as error:
            raise AssertionError(f"{label}: {error!r}"[:MAX_MESSAGE_LENGTH]) from error
        else:
            if board is not None:
                counts["boards"] += 1
                cells = list(range(board.width * board.height))
                assert sorted(board.cells.tolist()) == cells, label
    return counts
