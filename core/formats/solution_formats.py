"""The formats a solution can be written in, by name."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import numpy as np

from tilework.core.errors import OptionError
from tilework.core.formats.solution_boards import (
    UNSOLVABLE,
    Effort,
    arrows,
    eightpuzzle,
    figures,
    lisp,
    princeton,
    princeton_unsolvable,
    text,
)
from tilework.core.formats.solution_moves import letters, runs, solution_json, tiles, word_list
from tilework.core.messages import Language
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import MappedMoves

_OPPOSITES = np.arange(4, dtype=np.uint8) ^ np.uint8(1)


class SolutionFormat(StrEnum):
    """Every board as text or with arrows, letters, runs of letters, tile numbers, JSON, words.

    The last five are what published programs print, byte for byte.
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


def write_solution(
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
    """Write a solution as a stream of pieces that end with a newline; memory stays flat.

    Parameters
    ----------
    moves : MoveSequence; by the tile's way, from start to goal
    language : {"en", "pt"}; of the words in ``text`` and ``princeton``
    blank_moves : bool; name moves by the blank's way, in ``udlr``, ``runs`` and ``json``
    lower_bound : int, optional
        What is proved; a solution of as few moves as this is called the minimum.
    effort : Effort, optional; what ``eightpuzzle`` and its short form tell of the search

    Raises
    ------
    OptionError; at an unknown format or language; at once, not when the stream is read
    ReplayError; while the stream is read, by the formats that follow the tiles, at an illegal move
    """
    _check_language(language)
    try:
        wanted = SolutionFormat(solution_format)
    except ValueError:
        offered = ", ".join(SolutionFormat)
        raise OptionError(
            "format",
            "unknown format {name!r}; formats are {offered}",
            name=str(solution_format)[:40],
            offered=offered,
        ) from None
    minimum = metric is Metric.MOVES and lower_bound == len(moves)
    named = MappedMoves(moves, _OPPOSITES) if blank_moves else moves
    match wanted:
        case SolutionFormat.TEXT:
            return text(start, moves, language, minimum)
        case SolutionFormat.ARROWS:
            return arrows(start, moves)
        case SolutionFormat.UDLR:
            return _line(letters(named))
        case SolutionFormat.RUNS:
            return _line(runs(named))
        case SolutionFormat.TILES:
            return _line(tiles(start, moves))
        case SolutionFormat.JSON:
            return solution_json(
                start, named, goal, lower_bound, metric=metric, blank_moves=blank_moves
            )
        case SolutionFormat.WORDS:
            return _line(word_list(moves))
        case SolutionFormat.PRINCETON:
            return princeton(start, moves, language, minimum)
        case SolutionFormat.EIGHTPUZZLE:
            return eightpuzzle(start, moves, effort or Effort())
        case SolutionFormat.EIGHTPUZZLE_SHORT:
            return figures(len(moves), effort or Effort())
        case SolutionFormat.LISP:
            return lisp(start, moves)


def unsolvable_text(language: str = "en") -> str:
    """What is written in place of a solution where there is none."""
    _check_language(language)
    return UNSOLVABLE[language]


def write_unsolvable(
    solution_format: SolutionFormat, start: Board, language: str = "en"
) -> Iterator[str]:
    """Write, in the formats that are text, that a board has no solution."""
    verdict = unsolvable_text(language)
    if solution_format is SolutionFormat.PRINCETON:
        return princeton_unsolvable(start, language)
    return _line(iter([verdict]))


def _line(pieces: Iterator[str]) -> Iterator[str]:
    yield from pieces
    yield "\n"


def _check_language(language: str) -> None:
    if language not in tuple(Language):
        offered = ", ".join(Language)
        raise OptionError(
            "language",
            "unknown language {name!r}; languages are {offered}",
            name=language[:20],
            offered=offered,
        )
