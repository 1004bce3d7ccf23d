"""The page for playing, which also works offline. Its scripts implement the game."""

from __future__ import annotations

import json
from typing import Final

from flask import Response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from tilework.core.errors import BoardError, InputError
from tilework.core.formats.downloads import board_cell
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.goals import GoalName, explain
from tilework.web.assets import FOLDER, static_version
from tilework.web.clients import services
from tilework.web.i18n import translate
from tilework.web.pages.forms import (
    CUSTOM_GOAL,
    describe_error,
    encode_goal,
    encode_tiles,
    error_response,
    format_goal,
    goal_choices,
    parse_board,
    parse_goal,
)

MAX_PLAYABLE_SIDE = 20
"""Tiles of larger boards would be too small to read and touch."""


def show() -> str | BaseResponse:
    """Show the board in the URL; without one, a script resumes the last game."""
    text = request.args.get("board")
    if text is None:
        return _render_page()
    try:
        board = parse_board(text, services().settings.max_cells)
        if max(board.size) > MAX_PLAYABLE_SIDE:
            raise BoardError(too_large_message(str(board.size)))
        goal = parse_goal(board.size, request.args.get("goal", GoalName.BLANK_LAST), "")
    except InputError as error:
        return error_response(_render_page(problem=describe_error(error)), error)
    return _render_page(
        board=encode_tiles(board),
        width=board.width,
        goal=encode_goal(goal),
        unsolvable="" if board.is_solvable(goal) else translate(explain(board, goal).message),
    )


def too_large_message(size: str) -> Message:
    return Message(
        "too-large-to-play",
        "{size} boards are too large to play; use a board of up to {side} × {side}",
        size=size,
        side=MAX_PLAYABLE_SIDE,
    )


def _render_page(**values: object) -> str:
    return render_template(
        "play/play.html",
        **values,
        goals=[(value, name) for value, name in goal_choices() if value != CUSTOM_GOAL],
        largest_side=MAX_PLAYABLE_SIDE,
        is_daily="daily" in request.args,
    )


def play_url(board: Board, goal: Board) -> str | None:
    if max(board.size) > MAX_PLAYABLE_SIDE:
        return None
    goal_text = format_goal(goal)
    if goal_text == encode_tiles(goal):
        goal_text = _format_line(goal)
    return url_for("pages.play", board=_format_line(board), goal=goal_text)


def _format_line(board: Board) -> str:
    return board_cell(board.cells.tolist(), board.size)


WORKER: Final = "js/play/offline_worker.js"
OFFLINE_FILES: Final = (
    "js/play/play.js",
    "js/key_list.js",
    "css/site.css",
    "css/play.css",
    "fonts/fraunces.woff2",
    "favicon.svg",
    "icons.svg",
    "pattern.svg",
)


def offline_worker() -> Response:
    """Return the service worker, which changes whenever a file changes."""
    files = [url_for("static", filename=path) for path in OFFLINE_FILES]
    version = json.dumps(static_version())
    head = f"const VERSION = {version};\nconst FILES = {json.dumps(files)};\n"
    code = (FOLDER / WORKER).read_text(encoding="utf-8")
    response = Response(head + code, mimetype="text/javascript")
    response.headers["Service-Worker-Allowed"] = url_for("pages.play")
    response.headers["Cache-Control"] = "no-cache"
    return response
