"""The formats a solution can be written in, by name."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import numpy as np

from core.errors import OptionError
from core.formats.arrows import arrows
from core.formats.letters import letters
from core.formats.princeton import UNSOLVABLE, princeton
from core.formats.runs import runs
from core.formats.solution_json import solution_json
from core.formats.tiles import tiles
from core.puzzle.board import Board
from core.puzzle.moves import MoveSequence
from core.puzzle.packed_moves import SeenMoves

LANGUAGES = ("en", "pt")

_OPPOSITES = np.arange(4, dtype=np.uint8) ^ np.uint8(1)


class SolutionFormat(StrEnum):
    """Princeton's text, the arrow diagram, letters, runs of letters, tile numbers, JSON."""

    TEXT = "text"
    ARROWS = "arrows"
    UDLR = "udlr"
    RUNS = "runs"
    TILES = "tiles"
    JSON = "json"


def write_solution(
    solution_format: SolutionFormat | str,
    start: Board,
    moves: MoveSequence,
    goal: Board,
    *,
    language: str = "en",
    blank_moves: bool = False,
    lower_bound: int | None = None,
) -> Iterator[str]:
    """Write a solution as a stream of pieces that end with a newline; memory stays flat.

    Parameters
    ----------
    solution_format : SolutionFormat or its name
    moves : MoveSequence
        By the tile's way, from start to goal.
    language : {"en", "pt"}
        Of the words in ``text``.
    blank_moves : bool
        Name moves by the blank's way, in ``udlr``, ``runs`` and ``json``.
    lower_bound : int, optional
        What is proved; a solution as short as this is called the minimum.

    Raises
    ------
    OptionError
        At an unknown format or language; at once, not when the stream is read.
    ReplayError
        While the stream is read, by the formats that follow the tiles, at an illegal move.
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
    named = SeenMoves(moves, _OPPOSITES) if blank_moves else moves
    match wanted:
        case SolutionFormat.TEXT:
            return princeton(start, moves, language, lower_bound == len(moves))
        case SolutionFormat.ARROWS:
            return arrows(start, moves)
        case SolutionFormat.UDLR:
            return _line(letters(named))
        case SolutionFormat.RUNS:
            return _line(runs(named))
        case SolutionFormat.TILES:
            return _line(tiles(start, moves))
        case SolutionFormat.JSON:
            return solution_json(start, named, goal, lower_bound, blank_moves)


def unsolvable_text(language: str = "en") -> str:
    """What is written in place of a solution where there is none.

    Raises
    ------
    OptionError
        At an unknown language.
    """
    _check_language(language)
    return UNSOLVABLE[language]


def _line(pieces: Iterator[str]) -> Iterator[str]:
    yield from pieces
    yield "\n"


def _check_language(language: str) -> None:
    if language not in LANGUAGES:
        offered = ", ".join(LANGUAGES)
        raise OptionError(
            "language",
            "unknown language {name!r}; languages are {offered}",
            name=language[:20],
            offered=offered,
        )
