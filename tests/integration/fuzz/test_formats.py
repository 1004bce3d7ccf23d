"""Whatever is read for a board is one, or is refused in one sentence, fast and in little memory.

``FUZZ_INPUTS=1000000 pytest tests/fuzz/test_formats.py -m slow -s`` tries so many and tells the
figures.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from tests.integration.fuzz import board_inputs
from tests.unit.formats.test_certificate import HEAD, MOVES, TREES, parts
from tilework.core.errors import BoardError, InputError
from tilework.core.formats.board_json import read_board_json
from tilework.core.formats.board_lines import board_lines
from tilework.core.formats.board_text import read_board, read_goal
from tilework.core.formats.certificate import read_certificate, write_certificate
from tilework.core.formats.npy import read_npy_bytes
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import from_letters

SEED: Final = 13
MOST_CELLS: Final = 1_000
BAR_S: Final = 0.05
BAR_BYTES: Final = 50e6
LONGEST_WORDS: Final = 600
CERTIFICATE: Final = "".join(write_certificate(HEAD, MOVES, parts(TREES)))
STATUS: Final = Path("/proc/self/status")
FORGET: Final = Path("/proc/self/clear_refs")

Read = Callable[[Random], Callable[[], Board | None]]


def width_of(random: Random) -> int | None:
    return random.choice([*[None] * 9, 1, 2, 3, 0, -1, 40_000, 10**30])


def limit_of(random: Random) -> int | None:
    return random.choice([None, MOST_CELLS, MOST_CELLS, 16])


def of_text(random: Random) -> Callable[[], Board | None]:
    text = random.choice([board_inputs.text, board_inputs.text, board_inputs.noise])(random)
    width, limit = width_of(random), limit_of(random)
    return lambda: read_board(text, width, max_cells=limit)


def of_goal(random: Random) -> Callable[[], Board | None]:
    text = random.choice([board_inputs.text, board_inputs.noise])(random)
    size = Size(random.randint(1, 5), random.randint(1, 5))
    return lambda: read_goal(text, size)


def of_json(random: Random) -> Callable[[], Board | None]:
    value = board_inputs.decoded(random)
    width, limit = width_of(random), limit_of(random)
    return lambda: read_board_json(value, width, max_cells=limit)


def of_lines(random: Random) -> Callable[[], Board | None]:
    lines = board_inputs.lines(random)
    width, limit = width_of(random), limit_of(random)

    def read() -> Board | None:
        board = None
        for line in board_lines(lines):
            board = line.board(width, max_cells=limit)
        return board

    return read


def of_npy(random: Random) -> Callable[[], Board | None]:
    content = board_inputs.npy(random)
    width, limit = width_of(random), limit_of(random)
    return lambda: read_npy_bytes(content, width, max_cells=limit)


def of_certificate(random: Random) -> Callable[[], Board | None]:
    text = board_inputs.document(random, CERTIFICATE)

    def read() -> None:
        with suppress(UnicodeEncodeError):  # no file holds half a character
            read_certificate(text.encode())

    return read


def of_moves(random: Random) -> Callable[[], Board | None]:
    text = board_inputs.document(random, "LURD" * 5)

    def read() -> None:
        from_letters(text)

    return read


READERS: Final[list[tuple[Read, type[InputError], int]]] = [
    (of_text, BoardError, 6),
    (of_goal, BoardError, 2),
    (of_json, BoardError, 4),
    (of_lines, BoardError, 3),
    (of_npy, BoardError, 3),
    (of_certificate, InputError, 1),
    (of_moves, InputError, 1),
]


def test_some_thousand_inputs() -> None:
    assert tried(4_000)["boards"] > 300


@pytest.mark.slow
@pytest.mark.timeout(3 * 3600)
def test_a_million_inputs() -> None:
    inputs = int(os.environ.get("FUZZ_INPUTS", "1000000"))
    told = tried(inputs)
    print(f"{inputs} inputs from seed {SEED}: {dict(told)}")


def tried(inputs: int) -> Counter[str]:
    """Read so many inputs; a fault names the number that its input is made of."""
    told: Counter[str] = Counter()
    readers = [read for read, _error, _share in READERS]
    shares = [share for _read, _error, share in READERS]
    refused = {read: error for read, error, _share in READERS}
    FORGET.write_text("5")  # what others needed before
    begun = high_water()
    for number in range(inputs):
        random = Random(SEED * 10**9 + number)
        [make] = random.choices(readers, shares)
        read = make(random)
        where = f"input {number}, {make.__name__}"
        began = time.process_time()
        try:
            board = read()
        except refused[make] as error:
            told["refused"] += 1
            check_words(error.message, where)
        except Exception as error:
            raise AssertionError(f"{where}: {error!r}"[:LONGEST_WORDS]) from error
        else:
            told["boards"] += board is not None
            if board is not None:
                check_board(board, where)
        seconds = time.process_time() - began
        if seconds > BAR_S:  # unless it was something else that took it
            seconds = min(seconds, *(seconds_of(read) for _ in range(3)))
            assert seconds <= BAR_S, where
        told["longest_us"] = max(told["longest_us"], round(seconds * 1e6))
    told["grown_bytes"] = high_water() - begun
    assert told["grown_bytes"] <= BAR_BYTES
    return told


def check_board(board: Board, where: str) -> None:
    assert sorted(board.cells.tolist()) == list(range(board.width * board.height)), where


def check_words(message: Message, where: str) -> None:
    words = str(message)
    assert 0 < len(words) <= LONGEST_WORDS, where
    words.encode("utf-8", "surrogatepass")


def seconds_of(read: Callable[[], Any]) -> float:
    began = time.process_time()
    with suppress(InputError):
        read()
    return time.process_time() - began


def high_water() -> int:
    """Return the most bytes of memory that this process has had."""
    [line] = [line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1_024
