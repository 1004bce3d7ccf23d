"""Reads moves, in every format that `format_solution` produces."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, Final

import numpy as np

from tilework.core.errors import MoveError
from tilework.core.formats.board_values import board_rows
from tilework.core.formats.solutions import BLANK_DIRECTIONS
from tilework.core.formats.spellings import shorten
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import LETTERS, Moves, blank_steps, from_letters, legal_moves

MAX_CHARACTERS: Final = 4_000_000  # about ten thousand boards of the 24-puzzle
_MAX_MOVES: Final = 1 << 20
_ARROWS: Final = str.maketrans("↑↓←→⬆⬇⬅➡", LETTERS + LETTERS, "\ufe0f")
_SEPARATORS: Final = re.compile(r"[\s,;.\-–]+")
_WORD: Final = re.compile(r"[a-z]+", re.IGNORECASE)
_BETWEEN_WORDS: Final = r"[\s,;'\"\[\]()]*"
_WORDS: Final = re.compile(
    rf"\[\s*\]|{_BETWEEN_WORDS}(?:(?:up|down|left|right)\b{_BETWEEN_WORDS})+", re.IGNORECASE
)
_RUN: Final = re.compile(r"([UDLRudlr])(\d*)")
_NUMBERS: Final = re.compile(r"\d+")
_ONLY_NUMBERS: Final = re.compile(r"[\s,;()\[\]]*\d[\d\s,;()\[\]]*")
_VECTOR: Final = re.compile(r"#\(([^()]*)\)")
_LISP_TILES: Final = re.compile(r"movidas: \(([\d ]*)\)")
_FRAMED_ROW: Final = re.compile(r"^\|(.*)\|$")
_OPPOSITE: Final = np.uint8(1)


def read_moves(text: str, board: Board, *, blank_moves: bool = False) -> Moves:
    """Read moves on a board.

    Parameters
    ----------
    text : str; in any solution format: ``LURD``, ``L2U``, ``←↑→``, ``5 8 6``, ``['up',
        'left']``, JSON with ``moves``, or a sequence of boards. Spaces and commas are ignored.
    board : Board
        The position before the first move; a sequence of boards may start with it.
    blank_moves : bool; whether letters and arrows are directions of the blank, not the tile. JSON
        may state which they are; words are always directions of the blank.

    Returns
    -------
    Moves; they are legal if given as tiles or boards, but letters are not checked

    Raises
    ------
    MoveError; if the text is in none of these formats; with a quotation and its position
    """
    if len(text) > MAX_CHARACTERS:
        raise MoveError(
            "moves-text",
            "a text of {count} characters is too long for moves; at most {max} are read",
            count=len(text),
            max=MAX_CHARACTERS,
        )
    stripped = text.strip()
    if stripped.startswith("{"):
        return _parse_json(stripped, board, blank_moves=blank_moves)
    if _WORDS.fullmatch(stripped):
        codes = [BLANK_DIRECTIONS.index(word.lower()) for word in _WORD.findall(stripped)]
        return np.array(codes, dtype=np.uint8)
    if (match := _LISP_TILES.search(stripped)) is not None:
        return _parse_tiles(match[1], board)
    if (boards := _parse_boards(stripped, board)) is not None:
        return _moves_between(board, boards)
    if _ONLY_NUMBERS.fullmatch(stripped):
        return _parse_tiles(stripped, board)
    moves = _parse_letters(stripped)
    return moves ^ _OPPOSITE if blank_moves else moves


def _parse_json(text: str, board: Board, *, blank_moves: bool) -> Moves:
    try:
        document: Any = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    moves = document.get("moves") if isinstance(document, dict) else None
    if not isinstance(moves, str):
        raise MoveError(
            "moves-json", 'this JSON object has no moves; a solution gives them as "moves": "LURD"'
        )
    start = document.get("start", document.get("board"))
    if start not in (None, board.cells.tolist(), board_rows(board)):
        raise MoveError("moves-other-board", "these moves belong to another board")
    named_by = document.get("named_by", "blank" if blank_moves else "tile")
    return _parse_letters(moves) ^ np.uint8(named_by == "blank")


def _parse_letters(text: str) -> Moves:
    letters: list[str] = []
    index = count = 0
    plain = _SEPARATORS.sub("", text.translate(_ARROWS))
    if plain.isalpha() or not plain:
        return from_letters(plain)
    while index < len(plain):
        run = _RUN.match(plain, index)
        if run is None:
            raise MoveError(
                "move-piece",
                "{word!r} after {count} moves is not a move; moves are U, D, L and R, as in "
                "LURD or L2U",
                word=shorten(plain[index:]),
                count=count,
            )
        # Longer numbers exceed the maximum anyway, so their first digits are enough.
        repeats = int(run[2][:9]) if run[2] else 1
        count += repeats
        if count > _MAX_MOVES:
            raise MoveError(
                "moves-many",
                "{word!r} makes more than {max} moves",
                word=shorten(run[0]),
                max=_MAX_MOVES,
            )
        letters.append(run[1] * repeats)
        index = run.end()
    return from_letters("".join(letters))


def _slide(board: Board, tiles: Iterable[int]) -> Iterator[tuple[int | None, list[int]]]:
    """Yield the move of each tile, None if it is not next to the blank, and the cells after it."""
    cells, blank = board.cells.tolist(), board.blank
    steps = blank_steps(board.width)
    for tile in tiles:
        legal = legal_moves(blank, *board.size)
        moves = (move for move in range(4) if legal >> move & 1)
        move = next((move for move in moves if cells[blank + steps[move]] == tile), None)
        if move is not None:
            cells[blank], blank = tile, blank + steps[move]
            cells[blank] = 0
        yield move, cells


def _parse_tiles(text: str, board: Board) -> Moves:
    numbers = _NUMBERS.findall(text)
    moves = []
    for index, (move, _cells) in enumerate(_slide(board, _read_numbers(text))):
        if move is None:
            raise MoveError(
                "moved-tile",
                "move {position} slides tile {tile}, which is not next to the blank",
                position=index + 1,
                tile=shorten(numbers[index]),
            )
        moves.append(move)
    return np.array(moves, dtype=np.uint8)


def _parse_boards(text: str, board: Board) -> list[list[int]] | None:
    """Parse a sequence of boards; None for other texts."""
    width, height = board.size
    if vectors := _VECTOR.findall(text):
        return list(map(_read_numbers, vectors))
    lines = [line.strip() for line in text.splitlines()]
    is_framed = any(_FRAMED_ROW.match(line) for line in lines)
    side = str(width) if width == height else f"{width}x{height}:"
    if not is_framed and side not in lines:
        return None
    rows = []
    for line in lines:
        match = _FRAMED_ROW.match(line)
        row = match[1] if match else "" if is_framed or line == side else line
        row = row.replace("X", "0")
        words = row.split()
        if len(words) == width and all(map(str.isdecimal, words)):
            rows.append(_read_numbers(row))
    if is_framed and not rows:
        raise MoveError("moves-no-boards", "these boards do not have {width} columns", width=width)
    if not is_framed and len(rows) < 2 * height and len(rows) != height:
        # A list of tiles that happens to match.
        return None
    return [
        [tile for row in rows[top : top + height] for tile in row]
        for top in range(0, len(rows), height)
    ]


def _read_numbers(text: str) -> list[int]:
    return [int(digits[:9]) for digits in _NUMBERS.findall(text)]


def _moves_between(board: Board, boards: list[list[int]]) -> Moves:
    start = board.cells.tolist()
    if boards[:1] != [start]:
        boards = [start, *boards]
    # The tile that slid is where the blank is afterwards.
    tiles = (
        before[after.index(0)] if 0 in after[: len(before)] else 0
        for before, after in pairwise(boards)
    )
    moves = []
    for index, (move, cells) in enumerate(_slide(board, tiles), 1):
        if move is None or cells != boards[index]:
            raise MoveError(
                "moves-boards",
                "board {position} is not one move away from the one before it",
                position=index + 1,
            )
        moves.append(move)
    return np.array(moves, dtype=np.uint8)
