"""The formats of solutions, by name."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import numpy as np

from tilework.core.arguments import check_choice
from tilework.core.formats.solution_boards import (
    Effort,
    format_arrows,
    format_eightpuzzle,
    format_heading,
    format_lisp,
    format_princeton,
    format_statistics,
    format_text,
)
from tilework.core.formats.solution_moves import (
    format_letters,
    format_runs,
    format_solution_json,
    format_tiles,
    format_word_list,
)
from tilework.core.messages import Language
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import NO_MOVES, MoveSequence
from tilework.core.puzzle.packing import MappedMoves

_UNSOLVABLE = {"en": "No solution possible", "pt": "Puzzle irresolvível"}
_OPPOSITES = np.arange(4, dtype=np.uint8) ^ np.uint8(1)


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
    language = check_choice(language, Language)
    form = check_choice(solution_format, SolutionFormat)
    is_minimum = metric is Metric.MOVES and lower_bound == len(moves)
    named_moves = opposite_moves(moves) if blank_moves else moves
    match form:
        case SolutionFormat.TEXT:
            return format_text(start, moves, language, is_minimum)
        case SolutionFormat.ARROWS:
            return format_arrows(start, moves)
        case SolutionFormat.UDLR:
            return _with_newline(format_letters(named_moves))
        case SolutionFormat.RUNS:
            return _with_newline(format_runs(named_moves))
        case SolutionFormat.TILES:
            return _with_newline(format_tiles(start, moves))
        case SolutionFormat.JSON:
            return format_solution_json(
                start, named_moves, goal, lower_bound, metric=metric, blank_moves=blank_moves
            )
        case SolutionFormat.WORDS:
            return _with_newline(format_word_list(moves))
        case SolutionFormat.PRINCETON:
            return format_princeton(start, moves, format_heading(moves, language, is_minimum))
        case SolutionFormat.EIGHTPUZZLE:
            return format_eightpuzzle(start, moves, effort or Effort())
        case SolutionFormat.EIGHTPUZZLE_SHORT:
            return format_statistics(len(moves), effort or Effort())
        case SolutionFormat.LISP:
            return format_lisp(start, moves)


def opposite_moves(moves: MoveSequence) -> MoveSequence:
    """Return moves named by the direction of the blank instead of the tile."""
    return MappedMoves(moves, _OPPOSITES)


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
        return format_princeton(start, NO_MOVES, f"{verdict}{mark}\n", end=" \n")
    return iter([verdict, "\n"])


def _with_newline(chunks: Iterator[str]) -> Iterator[str]:
    yield from chunks
    yield "\n"
