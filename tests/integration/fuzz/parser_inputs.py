"""Unusual inputs for all parsers of boards, moves and certificates."""

import io
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tests.support.board_forms import FORMS, QUESTIONS
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
_MAX_LENGTH: Final = 20_000
_TEXTS: Final = [form.text for form in (*FORMS, *QUESTIONS)]
_LINES: Final = ["k7 3 3 ", "7 2 2 ", "1 ", "# ", "", "x"]
_MOVES: Final = ["LURD" * 5, "L2 U10", "8 7", "['right', 'up']", '{"moves": "RD"}', "← ↑"]
_CERTIFICATE: Final = "".join(format_certificate(HEADER, MOVES, pair_slices(TREES)))
_TOKENS: Final = [
    *("[", "]", "(", ")", ",", "/", "|", "\n", "\r", "\r\n", "\t", " ", '"', "'", "#", ":"),
    *("0", "1", "-1", "+1", "1.0", "1e3", "²", "٣", "½", "NaN", "null", "true", "4x4:", "0x0:"),
    *("2147483647", "2147483648", "9999999999", "99999999999", "9" * 400, "32769x1:", "1x32768:"),
    *("\x00", "\ufeff", "\u2028", "\x85", "\x0b", "é", "\U0001f600", "\ud800"),
    *("x", "X", "×", "blank-last", "spiral"),
]  # fmt: skip
_VALUES: Final[list[Any]] = [
    *(None, True, False, "", "x", "1", " 2 ", "²", [], {}, [[]], [[[1]]], 0, 1, -1, 1.5, 1e300),
    *(float("nan"), 2**31, 2**63, -(2**63), 2**64, 10**400, -(10**4299), "9" * 5_000, "\ud800"),
    {"tiles": [1, 0]}, {"width": 2}, {"tiles": "1 0", "width": 2**70},
]  # fmt: skip

Read = Callable[[Random], Board | None]


def _corrupt(random: Random, text: str, tokens: list[str] = _TOKENS) -> str:
    """Return the text, possibly with parts removed, repeated, moved or inserted."""
    for _ in range(random.choice([0, 0, 0, 1, 1, 2, 3, 8])):
        first, second = sorted(random.randint(0, len(text)) for _ in range(2))
        token = random.choice(tokens) * random.choice([1, 1, 1, 2, 20, 2_000])
        text = random.choice(
            [
                text[:first] + text[second:],
                text[:second] + text[first:],
                text[:first] + token + text[first + random.randint(0, 1) :],
                text[second:] + text[first:second] + text[:first],
            ]
        )
    return text[:_MAX_LENGTH]


def _make_text(random: Random) -> str:
    """Return a corrupted board in any form, or noise."""
    if random.random() < 0.2:
        return "".join(random.choices(_TOKENS, k=random.randint(0, 60)))
    return _corrupt(random, random.choice(_TEXTS))


def _random_tiles(random: Random) -> NDArray[np.int64]:
    max_side = 40 if random.random() < 0.01 else 5
    width, height = random.randint(1, max_side), random.randint(1, max_side)
    tiles = list(range(width * height))
    random.shuffle(tiles)
    return np.array(tiles).reshape(height, width)


def _make_options(random: Random) -> dict[str, int | None]:
    width = random.choice([*[None] * 9, 1, 2, 3, 0, -1, 40_000, 10**30])
    return {"width": width, "max_cells": random.choice([None, MAX_CELLS, MAX_CELLS, 16])}


def _read_goal(random: Random) -> Board:
    return read_goal(_make_text(random), Size(random.randint(1, 5), random.randint(1, 5)))


def _read_lines(random: Random) -> Board | None:
    boards = [_random_tiles(random).ravel().tolist() for _ in range(random.randint(1, 3))]
    lines = [f"{random.choice(_LINES)}{' '.join(map(str, tiles))} | 3 | note" for tiles in boards]
    text = _corrupt(random, "\n".join(lines))
    board_list = read_board_list(text, max_cells=MAX_CELLS, max_boards=20_000)
    if board_list is not None:
        line_count = 1 + text.replace("\r", "\n").count("\n")
        assert all(1 <= number <= line_count for number, _board in board_list.boards)
    options = _make_options(random)
    read = [line.read().board for line in board_lines(text.split("\n"), **options)]
    return read[-1] if read else None


def _read_json(random: Random) -> Board:
    tiles = _random_tiles(random)
    rows, width = tiles.tolist(), tiles.shape[1]
    value: Any = random.choice([rows, tiles.ravel().tolist(), {"tiles": rows, "width": width}])
    for _ in range(random.randint(0, 3)):
        value = _replace_part(random, value)
    return read_board_json(value, **_make_options(random)).board


def _replace_part(random: Random, value: Any) -> Any:
    if not isinstance(value, list | dict) or not value or random.random() < 0.2:
        return random.choice(_VALUES)
    changed: Any = value.copy()
    key = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
    changed[key] = _replace_part(random, value[key])
    return changed


def _read_npy(random: Random) -> Board:
    array = _random_tiles(random).astype(random.choice("bBhHiIlLqQfd"))
    file = io.BytesIO()
    np.save(file, random.choice([array, array.T, array.ravel()]))
    data = _corrupt(random, file.getvalue().decode("latin-1"), ["\x00", "\xff", "1", "("])
    return read_npy_bytes(data.encode("latin-1"), max_cells=_make_options(random)["max_cells"])


def _read_certificate(random: Random) -> None:
    with suppress(UnicodeEncodeError):  # a file cannot contain a lone surrogate
        read_certificate(_corrupt(random, _CERTIFICATE).encode())


def _read_moves(random: Random) -> None:
    moves = read_moves(_corrupt(random, random.choice(_MOVES)), blank_last(Size(3, 3)))
    assert moves.max(initial=0) < 4


_READERS: Final[list[tuple[Read, type[InputError], int]]] = [
    (lambda random: read_board(_make_text(random), **_make_options(random)), BoardError, 6),
    (_read_goal, BoardError, 2),
    (_read_json, BoardError, 4),
    (_read_lines, BoardError, 3),
    (_read_npy, BoardError, 3),
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
