"""Boards as they are typed: read, checked, explained and remedied while the visitor writes."""

from __future__ import annotations

import re
from typing import NamedTuple

from flask import Response, jsonify, render_template, request

from tilework.core.errors import BoardError, InputError, OptionError
from tilework.core.formats.board_list import BoardList, read_board_list
from tilework.core.formats.board_text import read_board
from tilework.core.formats.npy import read_npy_bytes
from tilework.core.puzzle.arrangement import MOST_BY_TILE, hamming_by_tile, manhattan_by_tile
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import GoalName, named_goal
from tilework.core.puzzle.scramble import scramble
from tilework.core.puzzle.solvability import Explanation, explain, inverted_pairs
from tilework.web.clients import services
from tilework.web.i18n import gettext as _
from tilework.web.i18n import translate
from tilework.web.pages.forms import board_lines, goal_for, in_words, plain_goal, plain_tiles
from tilework.web.pages.play import play_address

_SIZE = re.compile(r"([0-9]{1,5})x([0-9]{1,5})")


class Refusal(NamedTuple):
    """Why a text is not a board or goal, and where in the board, from 1 (None: no place)."""

    message: str
    line: int | None = None
    column: int | None = None
    of_goal: bool = False


class TileByTile(NamedTuple):
    inverted_pairs: str
    hamming: list[int]
    manhattan: list[int]


def several_for(text: str) -> BoardList | None:
    """Return the boards of a text that is not one board; None where it was meant to be one."""
    settings = services().settings
    return read_board_list(text, max_cells=settings.max_cells, most=settings.max_batch)


def check() -> str:
    text = request.form.get("board", "")
    if not text.strip():
        return render_template("_verdict.html", empty=True)
    several: BoardList | None = None
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
        remedies=suggested_fixes(board, goal, explanation),
        board=board,
        tiles=plain_tiles(board),
        goal_tiles=plain_goal(goal),
        solvable=explanation.solvable,
        explanation=translate(explanation.message),
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
    upload = request.files.get("file")
    if upload is None:
        return jsonify(message=_("No file was uploaded.")), 422
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


_LONGEST_QUOTE = 40


class SuggestedFix(NamedTuple):
    """A button: its words, and the goal to choose or the two tiles to exchange."""

    words: str
    goal: str = ""
    swap: str = ""


def suggested_fixes(board: Board, goal: Board, explanation: Explanation) -> list[SuggestedFix]:
    if explanation.solvable:
        return []
    offered = [*_another_goal(board, goal)]
    if min(board.size) > 1 and board.size.cells > 2:
        one, other = board.size.cells - 2, board.size.cells - 1
        words = _("Swap %(one)s and %(other)s", one=one, other=other)
        offered.append(SuggestedFix(words, swap=f"{one} {other}"))
    return offered


def exchanged(board: Board, tiles: str) -> Board:
    """Return a board in which two tiles, as a remedy names them, have changed places."""
    cells = board.cells.tolist()
    try:
        one, other = (cells.index(int(tile)) for tile in tiles.split())
    except ValueError:
        raise OptionError(
            "remedy",
            "{tiles!r} are not two tiles of the board; name two, as in 14 15",
            tiles=tiles[:_LONGEST_QUOTE],
        ) from None
    cells[one], cells[other] = cells[other], cells[one]
    return Board(cells, *board.size)


def _another_goal(board: Board, goal: Board) -> list[SuggestedFix]:
    for name, words in (
        (GoalName.BLANK_FIRST, _("Use the goal with the blank first")),
        (GoalName.BLANK_LAST, _("Use the goal with the blank last")),
    ):
        other = named_goal(name, board.size)
        if other != goal and explain(board, other).solvable:
            return [SuggestedFix(words, goal=name)]
    return []
