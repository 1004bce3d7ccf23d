"""Formats of solutions: letters, runs, tiles, words, JSON, and boards as programs print them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice
from typing import Any, Final

import numpy as np

from tilework.core.arguments import check_choice
from tilework.core.formats.board_values import board_rows
from tilework.core.messages import Language
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.hint import DIRECTIONS
from tilework.core.puzzle.metric import Metric, count_slides
from tilework.core.puzzle.moves import LETTERS, NO_MOVES, MoveSequence, to_letters
from tilework.core.puzzle.packing import MappedMoves
from tilework.core.puzzle.replay import blank_path, moved_tiles

CHUNK_MOVES = 1 << 16
# The blank moves in the opposite direction of the tile.
BLANK_DIRECTIONS: Final = tuple(DIRECTIONS[code ^ 1] for code in range(4))
_OPPOSITES: Final = np.arange(4, dtype=np.uint8) ^ np.uint8(1)
_MINIMUM: Final = {"en": "Minimum number of moves", "pt": "Mínimo número de movimentos"}
_NUMBER: Final = {"en": "Number of moves", "pt": "Número de movimentos"}
_UNSOLVABLE: Final = {"en": "No solution possible", "pt": "Puzzle irresolvível"}
_PRINTED_DIGITS: Final = 2


class SolutionFormat(StrEnum):
    """Boards as text or with arrows, letters, runs of letters, tile numbers, JSON, words.

    The last five are the exact output of published programs.
    """

    TEXT = "text"
    ARROWS = "arrows"
    UDLR = "udlr"
    RUNS = "runs"
    TILES = "tiles"
    JSON = "json"
    WORDS = "words"
    PRINCETON = "princeton"
    EIGHTPUZZLE = "eightpuzzle"
    EIGHTPUZZLE_SHORT = "eightpuzzle-short"
    LISP = "lisp"


class Mover(StrEnum):
    """Whether moves are named by the direction of the tile or of the blank."""

    TILE = "tile"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Effort:
    """Statistics of the search for a solution; None if unknown."""

    visited: int | None = None  # nodes visited, including the goal
    max_frontier: int | None = None  # the largest size of the frontier
    heuristic: str | None = None  # its name, such as ``h2``


def format_solution(
    solution_format: SolutionFormat | str,
    start: Board,
    moves: MoveSequence,
    goal: Board,
    *,
    language: str = "en",
    blank_moves: bool = False,
    lower_bound: int | None = None,
    metric: Metric = Metric.MOVES,
    effort: Effort | None = None,
) -> Iterator[str]:
    """Yield a solution in chunks, in constant memory.

    Parameters
    ----------
    moves : MoveSequence; by the direction of the tile, from start to goal
    language : {"en", "pt"}; of the headings in ``text`` and ``princeton``
    blank_moves : bool; name moves by the direction of the blank, in ``udlr``, ``runs``, ``json``
    lower_bound : int, optional
        A solution of this length is labelled as the minimum.
    effort : Effort, optional; statistics for ``eightpuzzle`` and its short form

    Raises
    ------
    OptionError; for an unknown format or language; raised immediately
    ReplayError; for an illegal move, while reading formats that replay the moves
    """
    is_minimum = metric is Metric.MOVES and lower_bound == len(moves)
    label = (_MINIMUM if is_minimum else _NUMBER)[check_choice(language, Language)]
    heading = f"{label} = {len(moves)}\n"
    named_moves = opposite_moves(moves) if blank_moves else moves
    match check_choice(solution_format, SolutionFormat):
        case SolutionFormat.TEXT:
            return _format_text(start, moves, heading)
        case SolutionFormat.ARROWS:
            return _format_arrows(start, moves)
        case SolutionFormat.UDLR:
            lines = format_letters(named_moves)
        case SolutionFormat.RUNS:
            lines = format_runs(named_moves)
        case SolutionFormat.TILES:
            lines = _format_tiles(start, moves)
        case SolutionFormat.WORDS:
            lines = _format_words(moves)
        case SolutionFormat.JSON:
            return _format_json(
                start, named_moves, goal, lower_bound, metric=metric, blank_moves=blank_moves
            )
        case SolutionFormat.PRINCETON:
            return _format_princeton(start, moves, heading)
        case SolutionFormat.EIGHTPUZZLE:
            boards = _format_arrows(start, moves, blank="X", arrow="|v")
            return chain(boards, ["\n"], _format_statistics(len(moves), effort or Effort()))
        case SolutionFormat.EIGHTPUZZLE_SHORT:
            return _format_statistics(len(moves), effort or Effort())
        case SolutionFormat.LISP:
            return _format_lisp(start, moves)
    return chain(lines, ["\n"])


def unsolvable_text(language: str = "en") -> str:
    """Return the text to print instead of a solution."""
    return _UNSOLVABLE[check_choice(language, Language)]


def format_unsolvable(
    solution_format: SolutionFormat, start: Board, language: str = "en"
) -> Iterator[str]:
    """Yield the message that a board has no solution, for text formats."""
    verdict = unsolvable_text(language)
    if solution_format is SolutionFormat.PRINCETON:
        mark = "!" if language == Language.PORTUGUESE else ""
        return _format_princeton(start, NO_MOVES, f"{verdict}{mark}\n", end=" \n")
    return iter([verdict, "\n"])


def opposite_moves(moves: MoveSequence) -> MoveSequence:
    """Return moves named by the direction of the blank instead of the tile."""
    return MappedMoves(moves, _OPPOSITES)


def format_letters(moves: MoveSequence) -> Iterator[str]:
    """Yield ``LULU…`` in chunks, without a newline."""
    for start in range(0, len(moves), CHUNK_MOVES):
        yield to_letters(moves[start : start + CHUNK_MOVES])


def format_runs(moves: MoveSequence) -> Iterator[str]:
    """Yield ``L2U…`` in chunks, without a newline."""
    last_code, last_length = 0, 0
    for start in range(0, len(moves), CHUNK_MOVES):
        chunk = moves[start : start + CHUNK_MOVES]
        begins = np.append(0, np.flatnonzero(chunk[1:] != chunk[:-1]) + 1)
        codes = chunk[begins].tolist()
        lengths = np.diff(begins, append=len(chunk)).tolist()
        if codes[0] == last_code:
            lengths[0] += last_length
        else:
            yield _format_run(last_code, last_length)
        # The last run may continue in the next chunk, so it is formatted later.
        last_code, last_length = codes.pop(), lengths.pop()
        yield "".join(map(_format_run, codes, lengths))
    yield _format_run(last_code, last_length)


def _format_run(code: int, length: int) -> str:
    if length == 1:
        return LETTERS[code]
    return f"{LETTERS[code]}{length}" if length else ""


def _format_tiles(start: Board, moves: MoveSequence) -> Iterator[str]:
    separator = ""
    for numbers in moved_tiles(start, moves):
        yield separator + " ".join(map(str, numbers))
        separator = " "


def _format_words(moves: MoveSequence) -> Iterator[str]:
    """Yield ``['up', 'right', …]``, the directions of the blank."""
    separator = "["
    for start in range(0, len(moves), CHUNK_MOVES):
        chunk = moves[start : start + CHUNK_MOVES].tolist()
        yield separator + ", ".join(repr(BLANK_DIRECTIONS[code]) for code in chunk)
        separator = ", "
    yield "]" if len(moves) else "[]"


def _format_json(
    start: Board,
    moves: MoveSequence,
    goal: Board,
    lower_bound: int | None,
    *,
    metric: Metric,
    blank_moves: bool,
) -> Iterator[str]:
    """Yield one JSON object.

    ``named_by`` says whose directions the moves are. ``lower_bound`` and ``optimal`` refer to the
    metric. ``slides`` comes last because the moves are streamed.
    """
    # A local variable would keep an object for each tile until the end.
    yield (
        json.dumps(
            {
                "width": start.width,
                "height": start.height,
                "start": board_rows(start),
                "goal": board_rows(goal),
                "length": len(moves),
                "metric": metric.value,
                "lower_bound": lower_bound,
                "optimal": lower_bound == metric.length(moves),
                "named_by": "blank" if blank_moves else "tile",
            },
            separators=(",", ":"),
        )[:-1]
        + ',"moves":"'
    )
    yield from format_letters(moves)
    yield f'","slides":{count_slides(moves)}}}\n'


def _replay(
    start: Board, moves: MoveSequence, row_text: Callable[[list[int]], str]
) -> Iterator[list[str]]:
    """Yield the rows of the start and after each move; the yielded list is reused."""
    width = start.width
    rows = board_rows(start)
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


def _format_arrows(
    start: Board, moves: MoveSequence, *, blank: str = "0", arrow: str = "v"
) -> Iterator[str]:
    """Yield one board at a time, with a centred arrow between two, a sign on each line."""
    digits = len(str(start.size.cells - 1))

    def row_text(row: list[int]) -> str:
        return "|" + " ".join(str(tile or blank).rjust(digits) for tile in row) + "|"

    middle = (start.width * (digits + 1) + 1) // 2 + 1
    gap = ""
    for lines in _replay(start, moves, row_text):
        yield gap + "\n".join(lines) + "\n"
        gap = "".join(sign.rjust(middle) + "\n" for sign in arrow)


def _format_text(start: Board, moves: MoveSequence, heading: str) -> Iterator[str]:
    """Yield the heading, then one board at a time, each after an empty line."""
    yield heading
    digits = max(_PRINTED_DIGITS, len(str(start.size.cells - 1)))
    for board in _boards(start, moves, digits):
        yield f"\n{board}"


def _format_princeton(
    start: Board, moves: MoveSequence, heading: str, *, end: str = "\n"
) -> Iterator[str]:
    """Yield the heading, then one board at a time, an empty line between two."""
    yield heading
    gap = ""
    for board in _boards(start, moves, _PRINTED_DIGITS, " "):
        yield gap + board.removesuffix(" \n")
        gap = " \n\n"
    yield end


def _boards(start: Board, moves: MoveSequence, digits: int, row_end: str = "") -> Iterator[str]:
    width, height = start.size
    side = str(width) if width == height else f"{width}x{height}:"

    def row_text(row: list[int]) -> str:
        return " ".join(str(tile).rjust(digits) for tile in row) + row_end

    for lines in _replay(start, moves, row_text):
        yield "\n".join([side, *lines, ""])


def _format_lisp(start: Board, moves: MoveSequence) -> Iterator[str]:
    """Yield the board after each move, then the number of moves and the moved tiles."""

    def row_text(row: list[int]) -> str:
        return " ".join(map(str, row))

    for lines in islice(_replay(start, moves, row_text), 1, None):
        yield f"#({' '.join(lines)})\n"
    yield f"Número de movimentos: {len(moves)}\nOrdem de peças a serem movidas: ("
    yield from _format_tiles(start, moves)
    yield ")\n"


def _format_statistics(length: int, effort: Effort) -> Iterator[str]:
    for label, value in (
        ("Número de nodos visitados", effort.visited),
        ("Maior quantidade de nodos na fronteira", effort.max_frontier),
        ("Número de passos", length),
        ("Heurística utilizada", effort.heuristic),
    ):
        if value is not None:
            yield f"## {label}: {value}\n"


@dataclass(frozen=True, slots=True)
class SolutionGraph:
    """The boards on some solutions in layers, and the moves between them."""

    boards: list[Board]  # the first is the start, the last the goal
    depths: list[int]  # by board, moves from the start
    path_counts: list[int]  # by board, the number of shortest paths to the goal
    # The indices of the boards before and after, and the direction of the tile, one of ``UDLR``
    moves: list[tuple[int, int, str]]

    def document(self) -> dict[str, Any]:
        nodes = zip(self.boards, self.depths, self.path_counts, strict=True)
        return {
            "boards": [
                {"rows": board_rows(board), "depth": depth, "ways": count}
                for board, depth, count in nodes
            ],
            "moves": [
                {"from": source, "to": target, "move": move} for source, target, move in self.moves
            ],
        }

    def dot(self) -> Iterator[str]:
        """Yield the lines of the graph in the DOT language of Graphviz."""
        yield "digraph ways {"
        yield '  node [shape=box, fontname="monospace"];'
        for index, board in enumerate(self.boards):
            digits = len(str(board.size.cells - 1))
            rows = (
                " ".join(f"{tile or '.':>{digits}}" for tile in row) for row in board_rows(board)
            )
            yield f"  b{index} [label={json.dumps(chr(10).join(rows))}];"
        for depth in sorted(set(self.depths)):
            same = "; ".join(f"b{n}" for n, other in enumerate(self.depths) if other == depth)
            yield f"  {{ rank=same; {same}; }}"
        for source, target, move in self.moves:
            yield f'  b{source} -> b{target} [label="{move}"];'
        yield "}"
