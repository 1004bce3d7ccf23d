"""Strange inputs for all parsers of boards, moves and certificates."""

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

from tests.integration.fuzz import board_inputs
from tests.unit.formats.test_certificate import HEAD, MOVES, TREES, parts
from tilework.core.errors import BoardError, InputError
from tilework.core.formats.board_json import read_board_json
from tilework.core.formats.board_list import board_lines
from tilework.core.formats.board_text import read_board, read_goal
from tilework.core.formats.certificate import read_certificate, write_certificate
from tilework.core.formats.npy import read_npy_bytes
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import from_letters

SEED: Final = 13
MAX_CELLS: Final = 1_000
LONGEST_WORDS: Final = 600
CERTIFICATE: Final = "".join(write_certificate(HEAD, MOVES, parts(TREES)))

Read = Callable[[Random], Board | None]


def _how(random: Random) -> dict[str, int | None]:
    width = random.choice([*[None] * 9, 1, 2, 3, 0, -1, 40_000, 10**30])
    return {"width": width, "max_cells": random.choice([None, MAX_CELLS, MAX_CELLS, 16])}


def _text(random: Random) -> Board:
    text = random.choice([board_inputs.text, board_inputs.text, board_inputs.noise])(random)
    return read_board(text, **_how(random))


def _goal(random: Random) -> Board:
    text = random.choice([board_inputs.text, board_inputs.noise])(random)
    return read_goal(text, Size(random.randint(1, 5), random.randint(1, 5)))


def _lines(random: Random) -> Board | None:
    lines, how = board_inputs.lines(random), _how(random)
    boards = [line.board(**how) for line in board_lines(lines)]
    return boards[-1] if boards else None


def _certificate(random: Random) -> None:
    text = board_inputs.corrupt(random, CERTIFICATE)
    with suppress(UnicodeEncodeError):  # a file cannot contain half a character
        read_certificate(text.encode())


def _moves(random: Random) -> None:
    from_letters(board_inputs.corrupt(random, "LURD" * 5))


_READERS: Final[list[tuple[Read, type[InputError], int]]] = [
    (_text, BoardError, 6),
    (_goal, BoardError, 2),
    (
        lambda random: read_board_json(board_inputs.json_value(random), **_how(random)),
        BoardError,
        4,
    ),
    (_lines, BoardError, 3),
    (lambda random: read_npy_bytes(board_inputs.npy(random), **_how(random)), BoardError, 3),
    (_certificate, InputError, 1),
    (_moves, InputError, 1),
]


def read_inputs(inputs: int) -> Counter[str]:
    """Read random inputs; the error of a failure names the seed of its input."""
    counts: Counter[str] = Counter()
    shares = [share for _read, _error, share in _READERS]
    for number in range(inputs):
        random = Random(SEED * 10**9 + number)
        [(read, rejected, _share)] = random.choices(_READERS, shares)
        where = f"input {number}"
        try:
            board = read(random)
        except rejected as error:
            counts["rejected"] += 1
            words = str(error.message)
            assert 0 < len(words) <= LONGEST_WORDS, where
            words.encode("utf-8", "surrogatepass")
        except Exception as error:
            raise AssertionError(f"{where}: {error!r}"[:LONGEST_WORDS]) from error
        else:
            if board is not None:
                counts["boards"] += 1
                cells = list(range(board.width * board.height))
                assert sorted(board.cells.tolist()) == cells, where
    return counts
