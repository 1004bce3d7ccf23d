"""Images: a job's board, solution and QR code, and the replay of a game."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Final
from uuid import UUID

import segno
from flask import Response, request, url_for

from tilework.core.arguments import check_choice
from tilework.core.drawing.animation import check_animation_size, solution_gif
from tilework.core.drawing.board_image import Theme, preview_png, thumbnail_png
from tilework.core.drawing.svg import board_svg
from tilework.core.errors import OptionError, OverloadError
from tilework.core.puzzle.board import Board, Size
from tilework.web.api.solutions import no_solution_problem
from tilework.web.clients import services

_SVG = "image/svg+xml"


def _cacheable_response(content: bytes | str, media_type: str, age_s: int) -> Response:
    """Return an image, or 304 if the browser has the same one in its cache."""
    response = Response(content, mimetype=media_type)
    response.cache_control.public = True
    response.cache_control.max_age = age_s
    response.add_etag()
    response.make_conditional(request)
    return response


def _read_theme() -> Theme:
    return check_choice(request.args.get("theme", Theme.LIGHT), Theme)


_BOARD_AGE_S: Final = 86_400
"""The board of a job never changes. Its solution can improve."""

_DRAWING_SLOTS: Final = threading.Semaphore(2)
"""Limits how many raster images this process draws at the same time; each takes 0.1 s."""

_SLOT_TIMEOUT_S: Final = 5.0
_MOVE_NUMBER: Final = re.compile(r"[0-9]{1,12}", re.ASCII)
_QR_SCALE: Final = 6


def board(job_id: UUID) -> Response:
    view = services().read.view(str(job_id))
    theme, move = _read_theme(), _read_move()
    if move is None:
        return _cacheable_response(board_svg(view.board, view.goal, theme), _SVG, _BOARD_AGE_S)
    part = services().read_parts.board(view.id, move)
    if part is None or part.board is None:
        raise no_solution_problem(view.id)
    return _cacheable_response(board_svg(part.board, view.goal, theme), _SVG, 0)


def thumbnail(job_id: UUID) -> Response:
    view = services().read.view(str(job_id))
    return _cacheable_response(thumbnail_png(view.board, view.goal), "image/png", _BOARD_AGE_S)


def preview(job_id: UUID) -> Response:
    view = services().read.view(str(job_id))
    with _drawing_slot():
        return _cacheable_response(preview_png(view.board, view.goal), "image/png", _BOARD_AGE_S)


def animation(job_id: UUID) -> Response:
    view = services().read.view(str(job_id), brief=True)
    check_animation_size(Size(view.width, view.height))
    solution = services().read.solution(view.id)
    if solution is None:
        raise no_solution_problem(view.id)
    with _drawing_slot():
        gif = solution_gif(solution.start, solution.moves, solution.goal)
    return _gif_response(gif, solution.start, len(solution.moves))


def game_replay(analysis_id: UUID) -> Response:
    """Return a game as an animation, at its own speed if its times are known."""
    spec = services().games.view(str(analysis_id)).spec
    check_animation_size(spec.start.size)
    with _drawing_slot():
        gif = solution_gif(spec.start, spec.moves, spec.goal, spec.times_ms)
    return _gif_response(gif, spec.start, len(spec.moves))


def _gif_response(image: bytes, start: Board, moves: int) -> Response:
    response = _cacheable_response(image, "image/gif", 0)
    name = f"tilework-{start.width}x{start.height}-{moves}.gif"
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def qr_code(job_id: UUID) -> Response:
    """Return the URL of the job's page as a QR code, dark on white in any theme."""
    view = services().read.view(str(job_id), brief=True)
    url = url_for("pages.job", job_id=view.id, _external=True)
    file = BytesIO()
    segno.make(url, error="m", micro=False).save(
        file, kind="svg", scale=_QR_SCALE, light="#fff", xmldecl=False, title="QR"
    )
    response = _cacheable_response(file.getvalue(), _SVG, _BOARD_AGE_S)
    # The URL contains the host name of the request, so shared caches must not store it.
    response.cache_control.public = False
    response.cache_control.private = True
    return response


@contextmanager
def _drawing_slot() -> Iterator[None]:
    if not _DRAWING_SLOTS.acquire(timeout=_SLOT_TIMEOUT_S):
        raise OverloadError(
            "drawings-at-once",
            "too many pictures are being drawn right now; try again in a few seconds",
            retry_after_s=2,
        )
    try:
        yield
    finally:
        _DRAWING_SLOTS.release()


def _read_move() -> int | None:
    text = request.args.get("move")
    if text is None:
        return None
    if not _MOVE_NUMBER.fullmatch(text):
        raise OptionError(
            "move-number",
            "{text!r} is not a number of moves; use a whole number, 0 or more",
            text=text[:40],
        )
    return int(text)
