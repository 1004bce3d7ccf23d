"""A job's board and solution on paper: to be hung up, or to be done by hand on a real puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final
from uuid import UUID

from flask import render_template

from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.puzzle.replay import moved_tiles
from tilework.web.clients import services
from tilework.web.pages.board_words import goal_words
from tilework.web.pages.jobs.verdict import verdict_words

MOST_MOVES: Final = 2_000
"""On paper; some ten pages."""

_GROUP: Final = 5
_ARROWS: Final = "↑↓←→"


@dataclass(frozen=True)
class Group:
    """Moves one after another, as tile and arrow, and the place of the first, from 1."""

    first: int
    moves: tuple[str, ...]


def show(job_id: UUID) -> str:
    """Show the sheet; the browser prints it."""
    job = services().read.view(str(job_id))
    piece = services().read_pieces.moves(job.id, 0, MOST_MOVES)
    moves = NO_MOVES if piece is None or piece.moves is None else piece.moves
    return render_template(
        "jobs/sheet.html",
        job=job,
        size=str(job.board.size),
        verdict=verdict_words(job),
        goal=goal_words(job.goal),
        groups=list(_groups(job.board, moves)),
        left_out=0 if piece is None else piece.length - len(moves),
    )


def _groups(board: Board, moves: Moves) -> Iterator[Group]:
    tiles = (tile for chunk in moved_tiles(board, moves) for tile in chunk)
    steps = (f"{tile} {_ARROWS[move]}" for tile, move in zip(tiles, moves, strict=True))
    first = 1
    while group := tuple(islice(steps, _GROUP)):
        yield Group(first, group)
        first += len(group)
