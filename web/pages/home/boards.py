"""Boards as they are typed: read, checked and explained while the visitor writes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from flask import Response, jsonify, render_template, request
from flask_babel import gettext as _

from tilework.core.errors import BoardError, InputError, OptionError
from tilework.core.formats.board_text import read_board
from tilework.core.formats.npy import read_npy_bytes
from tilework.core.formats.several_boards import SeveralBoards, read_several
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.distance import MOST_BY_TILE, hamming_by_tile, manhattan_by_tile
from tilework.core.puzzle.scramble import scramble
from tilework.core.puzzle.solvability import explain, inverted_pairs
from tilework.web.clients import services
from tilework.web.i18n import say
from tilework.web.pages.board_form import goal_for
from tilework.web.pages.board_words import board_lines, plain_goal, plain_tiles
from tilework.web.pages.home.remedies import remedies
from tilework.web.pages.play.address import play_address
from tilework.web.pages.refusals import in_words

_SIZE = re.compile(r"([0-9]{1,5})x([0-9]{1,5})")


@dataclass(frozen=True)
class Refusal:
    """Why a text is not a board or goal, and where in the board, from 1 (None: no place)."""

    message: str
    line: int | None = None
    column: int | None = None
    of_goal: bool = False


@dataclass(frozen=True)
class TileByTile:
    """What is told of single tiles: which are out of order, and how far each is from its place."""

    inverted_pairs: str
    hamming: list[int]
    manhattan: list[int]


def several_for(text: str) -> SeveralBoards | None:
    """Return the boards of a text that is not one board; None where it was meant to be one.

    Raises
    ------
    OptionError
        For more boards than a batch takes.
    """
    settings = services().settings
    return read_several(text, max_cells=settings.max_cells, most=settings.max_batch)


def check() -> str:
    """Show the result of checking the typed text; a fragment for htmx."""
    text = request.form.get("board", "")
    if not text.strip():
        return render_template("_verdict.html", empty=True)
    several: SeveralBoards | None = None
    try:
        board = read_board(text, max_cells=services().settings.max_cells)
    except InputError as error:
        try:
            several = several_for(text) if "several" in request.form else None
        except OptionError as too_many:
            return _refused(too_many)
        if several is None:
            return _refused(error)
        board = several.boards[0][1]
    try:
        own = request.form.get("goal_board", "")
        goal = goal_for(board.size, request.form.get("goal", ""), own)
    except BoardError as error:
        return render_template("_verdict.html", error=Refusal(in_words(error), of_goal=True))
    explanation = explain(board, goal)
    return render_template(
        "_verdict.html",
        several=several,
        remedies=remedies(board, goal, explanation),
        board=board,
        tiles=plain_tiles(board),
        goal_tiles=plain_goal(goal),
        solvable=explanation.solvable,
        explanation=say(explanation.message),
        hamming=board.hamming(goal),
        manhattan=board.manhattan(goal),
        details=_tile_by_tile(board, goal, explanation.inversions),
        play=play_address(board, goal),
    )


def _tile_by_tile(board: Board, goal: Board, inversions: int) -> TileByTile | None:
    if board.size.cells > MOST_BY_TILE:
        return None
    pairs = inverted_pairs(board, goal)
    listed = [f"{one}-{other}" for one, other in pairs]
    return TileByTile(
        " ".join(listed if len(pairs) == inversions else [*listed, "…"]),
        hamming_by_tile(board.cells, goal.cells),
        manhattan_by_tile(board.cells, goal.cells, board.width),
    )


def _refused(error: InputError) -> str:
    refusal = Refusal(in_words(error), getattr(error, "line", None), getattr(error, "column", None))
    return render_template("_verdict.html", error=refusal)


def read_file() -> tuple[Response, int] | Response:
    """Turn an uploaded NumPy file into text for the form."""
    upload = request.files.get("file")
    if upload is None:
        return jsonify(message=_("No file came with the request.")), 422
    try:
        board = read_npy_bytes(upload.read(), max_cells=services().settings.max_cells)
    except InputError as error:
        return jsonify(message=in_words(error)), 422
    return jsonify(text=board_lines(board))


def scramble_board() -> tuple[Response, int] | Response:
    """Draw a random board of a size; ``moves`` of 0 gives the goal itself."""
    form = request.form
    try:
        size = _size(form.get("size", ""))
        goal = goal_for(size, form.get("goal", ""), form.get("goal_board", ""))
        moves = form.get("moves", type=int)
        return jsonify(text=board_lines(scramble(size, goal, moves=moves)))
    except InputError as error:
        return jsonify(message=in_words(error)), 422


def _size(text: str) -> Size:
    """Read ``4x3`` as a size that this service takes."""
    match = _SIZE.fullmatch(text)
    size = Size(int(match[1]), int(match[2])) if match else Size(0, 0)
    largest = services().settings.max_cells
    if not 1 < size.cells <= largest:
        raise OptionError(
            "scramble-size",
            "invalid size {text!r}; write one of up to {most} cells, as in 4x3",
            text=text[:20],
            most=largest,
        )
    return size
