"""Checking boards while they are typed, explaining errors and suggesting fixes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from flask import Response, jsonify, render_template, request
from flask_babel import format_timedelta

from tilework.core.errors import BoardError, BoardSyntaxError, InputError, OptionError
from tilework.core.formats.board_list import BoardList, read_board_list
from tilework.core.formats.board_text import read_text
from tilework.core.formats.board_values import MAGIC, read_npy_bytes
from tilework.core.formats.spellings import decode
from tilework.core.puzzle.arrangement import MAX_CELLS_BY_TILE, hamming_by_tile, manhattan_by_tile
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import Explanation, explain, inverted_pairs, reachable_goals
from tilework.web.clients import services
from tilework.web.i18n import format_decimal, ngettext
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import (
    MAX_PROVABLE_CELLS,
    describe_error,
    encode_goal,
    encode_tiles,
    format_board,
    goal_choices,
    parse_goal,
)
from tilework.web.pages.play import play_url

_MAX_SKETCHED = 12  # rows and columns of an invalid board that are shown


def parse_board_list(text: str) -> BoardList | None:
    """Return the boards of a list with one board per line; None if the text is a single board."""
    settings = services().settings
    return read_board_list(text, max_cells=settings.max_cells, max_boards=settings.max_batch)


def check_board() -> str:
    text = request.form.get("board", "")
    board_list: BoardList | None = None
    read_as = None
    try:
        reading = read_text(text, max_cells=services().settings.max_cells)
        board, read_as = reading.board, reading.describe()
    except InputError as error:
        try:
            board_list = parse_board_list(text) if "several" in request.form else None
        except OptionError as list_error:
            return render_template("_verdict.html", error=list_error)
        if board_list is None:
            return render_template("_verdict.html", error=error, sketch=_sketch_text(error))
        board = board_list.boards[0][1]
    try:
        custom = request.form.get("goal_board", "")
        goal = parse_goal(board.size, request.form.get("goal", ""), custom)
    except BoardError as error:
        sketch = _sketch_rows(board.cells.reshape(board.height, board.width).tolist())
        return render_template("_verdict.html", goal_error=error, sketch=sketch)
    explanation = explain(board, goal)
    return render_template(
        "_verdict.html",
        read_as=read_as,
        max_provable_cells=MAX_PROVABLE_CELLS,
        board_list=board_list,
        pair=_find_pair(board_list),
        estimate="" if board_list is None else _estimate_time(board_list),
        fixes=suggest_fixes(board, goal, explanation),
        board=board,
        tiles=encode_tiles(board),
        goal_tiles=encode_goal(goal),
        explanation=explanation,
        hamming=board.hamming(goal),
        manhattan=board.manhattan(goal),
        details=_tile_details(board, goal, explanation.inversions),
        play=play_url(board, goal),
    )


def _sketch_text(error: InputError) -> dict[str, Any] | None:
    """Return an invalid board as far as it was read."""
    if not isinstance(error, BoardSyntaxError):
        return None
    return _sketch_rows(error.rows) | {"mark": error.mark}


def _sketch_rows(rows: Sequence[Sequence[object]]) -> dict[str, Any]:
    """Return the size of a board and its first rows and columns."""
    shown = [[str(cell or "") for cell in row[:_MAX_SKETCHED]] for row in rows[:_MAX_SKETCHED]]
    width = max(map(len, rows), default=0)
    return {"rows": shown, "width": width, "height": len(rows), "mark": None}


def _find_pair(board_list: BoardList | None) -> tuple[str, str] | None:
    """Return the texts of two boards of which the second can be the goal of the first."""
    if board_list is None or board_list.error_count or len(board_list.boards) != 2:
        return None
    (_line, first), (_line, second) = board_list.boards
    return (format_board(first), format_board(second)) if first.size == second.size else None


def _estimate_time(board_list: BoardList) -> str:
    """Estimate, from recently solved boards, how long the proofs for a batch will take."""
    estimate = services().read.estimate_batch([board.size for _, board in board_list.boards])
    if estimate is None:
        return _("No time estimate: too few boards of this size have been solved here.")
    seconds, workers = estimate
    return ngettext(
        "Shortest solutions will take about %(time)s with %(workers)s worker.",
        "Shortest solutions will take about %(time)s with %(workers)s workers.",
        workers,
        time=format_timedelta(timedelta(seconds=max(1.0, seconds))),
        workers=format_decimal(workers),
    )


def _tile_details(board: Board, goal: Board, inversions: int) -> dict[str, Any] | None:
    if board.size.cells > MAX_CELLS_BY_TILE:
        return None
    pairs = inverted_pairs(board, goal)
    labels = [f"{first}-{second}" for first, second in pairs]
    return {
        "inverted_pairs": " ".join(labels if len(pairs) == inversions else [*labels, "…"]),
        "hamming": hamming_by_tile(board.cells, goal.cells),
        "manhattan": manhattan_by_tile(board.cells, goal.cells, board.width),
    }


def read_file() -> tuple[Response, int] | Response:
    upload = request.files.get("file")
    if upload is None:
        return jsonify(message=_("No file was uploaded.")), 422
    try:
        return jsonify(text=decode_upload(upload.read(), (upload.filename or "")[:80]))
    except InputError as error:
        return jsonify(message=describe_error(error)), 422


def decode_upload(content: bytes, name: str) -> str:
    """Return the text of a file, or of the board in a NumPy file."""
    if not content:
        raise BoardError("file-empty", "{name!r} is empty; choose a file with a board", name=name)
    if content.startswith(MAGIC) or name.lower().endswith(".npy"):
        return format_board(read_npy_bytes(content, max_cells=services().settings.max_cells))
    text = decode(content)
    if text is None:
        raise BoardError(
            "file-not-text",
            "{name!r} is neither text nor a NumPy file; choose one with a board as text",
            name=name,
        )
    return text


_QUOTE_LENGTH = 40


class SuggestedFix(NamedTuple):
    """A button that selects a goal or swaps two tiles."""

    label: str
    goal: str = ""
    swap: str = ""


def suggest_fixes(board: Board, goal: Board, explanation: Explanation) -> list[SuggestedFix]:
    if explanation.solvable:
        return []
    labels = dict(goal_choices())
    fixes = [
        SuggestedFix(_("Use the goal: %(goal)s", goal=labels[name]), goal=name)
        for name in reachable_goals(board)
    ]
    if min(board.size) > 1 and board.size.cells > 2:
        first, second = board.size.cells - 2, board.size.cells - 1
        label = _("Swap %(first)s and %(second)s", first=first, second=second)
        fixes.append(SuggestedFix(label, swap=f"{first} {second}"))
    return fixes


def swap_tiles(board: Board, tiles: str) -> Board:
    """Return the board with two tiles swapped; `tiles` are their numbers, as in ``14 15``."""
    cells = board.cells.tolist()
    try:
        first, second = (cells.index(int(tile)) for tile in tiles.split())
    except ValueError:
        raise OptionError(
            "remedy",
            "{tiles!r} are not two tiles of the board; name two, as in 14 15",
            tiles=tiles[:_QUOTE_LENGTH],
        ) from None
    cells[first], cells[second] = cells[second], cells[first]
    return Board(cells, *board.size)
