"""Solutions as sequences of boards, including the formats of published programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from tilework.core.formats.solution_moves import format_tiles
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.replay import blank_path


def iterate_frames(
    start: Board, moves: MoveSequence, row_text: Callable[[list[int]], str]
) -> Iterator[list[str]]:
    """Yield the rows of the start and after each move; the yielded list is reused."""
    width = start.width
    rows: list[list[int]] = start.cells.reshape(start.height, width).tolist()
    lines = [row_text(row) for row in rows]
    yield lines
    blank_row, blank_column = divmod(start.blank, width)
    for path in blank_path(start, moves):
        for cell in path.tolist():
            row, column = divmod(cell, width)
            rows[blank_row][blank_column] = rows[row][column]
            rows[row][column] = 0
            lines[row] = row_text(rows[row])
            if row != blank_row:
                lines[blank_row] = row_text(rows[blank_row])
            blank_row, blank_column = row, column
            yield lines


def format_arrows(
    start: Board, moves: MoveSequence, *, blank: str = "0", arrow: str = "v"
) -> Iterator[str]:
    """Yield one board at a time, with a centred arrow between two, a sign on each line."""
    digits = len(str(start.size.cells - 1))

    def row_text(row: list[int]) -> str:
        return "|" + " ".join(str(tile or blank).rjust(digits) for tile in row) + "|"

    middle = (start.width * (digits + 1) + 1) // 2 + 1
    gap = ""
    for lines in iterate_frames(start, moves, row_text):
        yield gap + "\n".join(lines) + "\n"
        gap = "".join(sign.rjust(middle) + "\n" for sign in arrow)


_MINIMUM = {"en": "Minimum number of moves", "pt": "Mínimo número de movimentos"}
_NUMBER = {"en": "Number of moves", "pt": "Número de movimentos"}
_PRINTED_DIGITS = 2


def format_text(start: Board, moves: MoveSequence, language: str, optimal: bool) -> Iterator[str]:
    """Yield the heading, then one board at a time, each after an empty line."""
    yield format_heading(moves, language, optimal)
    digits = max(_PRINTED_DIGITS, len(str(start.size.cells - 1)))
    for board in _boards(start, moves, digits):
        yield f"\n{board}"


def format_princeton(
    start: Board, moves: MoveSequence, heading: str, *, end: str = "\n"
) -> Iterator[str]:
    """Yield the heading, then one board at a time, an empty line between two."""
    yield heading
    gap = ""
    for board in _boards(start, moves, _PRINTED_DIGITS, " "):
        yield gap + board.removesuffix(" \n")
        gap = " \n\n"
    yield end


def format_heading(moves: MoveSequence, language: str, optimal: bool) -> str:
    label = (_MINIMUM if optimal else _NUMBER)[language]
    return f"{label} = {len(moves)}\n"


def _boards(start: Board, moves: MoveSequence, digits: int, row_end: str = "") -> Iterator[str]:
    width, height = start.size
    side = str(width) if width == height else f"{width}x{height}:"

    def row_text(row: list[int]) -> str:
        return " ".join(str(tile).rjust(digits) for tile in row) + row_end

    for lines in iterate_frames(start, moves, row_text):
        yield "\n".join([side, *lines, ""])


def format_lisp(start: Board, moves: MoveSequence) -> Iterator[str]:
    """Yield the board after each move, then the number of moves and the moved tiles."""

    def row_text(row: list[int]) -> str:
        return " ".join(map(str, row))

    for lines in islice(iterate_frames(start, moves, row_text), 1, None):
        yield f"#({' '.join(lines)})\n"
    yield f"Número de movimentos: {len(moves)}\n"
    yield "Ordem de peças a serem movidas: ("
    yield from format_tiles(start, moves)
    yield ")\n"


@dataclass(frozen=True, slots=True)
class Effort:
    """Statistics of the search for a solution; None if unknown."""

    visited: int | None = None  # nodes visited, including the goal
    max_frontier: int | None = None  # the largest size of the frontier
    heuristic: str | None = None  # its name, such as ``h2``


def format_eightpuzzle(start: Board, moves: MoveSequence, effort: Effort) -> Iterator[str]:
    """Yield one board at a time, with ``|`` and ``v`` between two, then the statistics."""
    yield from format_arrows(start, moves, blank="X", arrow="|v")
    yield "\n"
    yield from format_statistics(len(moves), effort)


def format_statistics(length: int, effort: Effort) -> Iterator[str]:
    """Yield the statistics, which are the short form."""
    for label, value in (
        ("Número de nodos visitados", effort.visited),
        ("Maior quantidade de nodos na fronteira", effort.max_frontier),
        ("Número de passos", length),
        ("Heurística utilizada", effort.heuristic),
    ):
        if value is not None:
            yield f"## {label}: {value}\n"
