"""Checking all shortest ways: the board's size before, each solution after."""

from __future__ import annotations

from typing import Any, Final

from tilework.core.errors import OptionError, ReplayError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.metric import slides_in
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.replay import replay

MOST_CELLS: Final = 16  # cells of the largest board: its tiles fit one word of 64 bits


def check_size(size: Size) -> None:
    if size.cells > MOST_CELLS:
        raise OptionError(
            "ways-cells",
            "all shortest solutions are found on boards of up to {most} cells; "
            "one of {size} has {cells}",
            most=MOST_CELLS,
            size=size,
            cells=size.cells,
        )


def check_document(start: Board, goal: Board, document: dict[str, Any]) -> None:
    length, turns, slides = (document[name] for name in ("length", "fewest_turns", "fewest_slides"))
    if document["solution"] is not None:
        _check(start, goal, document["solution"], length=length)
    if turns is not None:
        _check(start, goal, turns["moves"], length=length, slides=turns["slides"])
    if slides is not None and slides["moves"] is not None:
        _check(start, goal, slides["moves"], slides=slides["slides"])


def _check(
    start: Board, goal: Board, letters: str, length: int | None = None, slides: int | None = None
) -> None:
    moves = from_letters(letters)
    replay(start, moves, goal)
    if length is not None and len(moves) != length:
        raise ReplayError(
            "way-length",
            "a way of {count} moves is told to have {told}",
            count=len(moves),
            told=length,
        )
    if slides is not None and slides_in(moves) != slides:
        raise ReplayError(
            "way-slides",
            "a way of {count} slides is told to have {told}",
            count=slides_in(moves),
            told=slides,
        )
