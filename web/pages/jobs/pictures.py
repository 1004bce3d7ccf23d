"""A job's board and solution as pictures: to be shown elsewhere, to be kept, to be photographed."""

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

from tilework.core.drawing.animation import refuse_too_long, solution_gif
from tilework.core.drawing.board_svg import board_svg
from tilework.core.drawing.preview import preview_png
from tilework.core.errors import OptionError, OverloadError
from tilework.core.puzzle.board import Size
from tilework.web.api.solutions import none_of
from tilework.web.clients import services
from tilework.web.pages.pictures import SVG, asked_light, kept

_BOARD_AGE_S: Final = 86_400
"""A job's own board never changes; its solution may, while others search on."""

_AT_ONCE: Final = threading.Semaphore(2)
"""Pictures of pixels that this process draws beside one another, a tenth of a second each."""

_PATIENCE_S: Final = 5.0
_PLACE: Final = re.compile(r"[0-9]{1,12}", re.ASCII)
_QR_SCALE: Final = 6


def board(job_id: UUID) -> Response:
    """Draw a job's board as it was given, or after so many moves of its best solution."""
    view = services().read.view(str(job_id))
    light, move = asked_light(), _move()
    if move is None:
        return kept(board_svg(view.board, view.goal, light), SVG, _BOARD_AGE_S)
    piece = services().read_pieces.board(view.id, move)
    if piece is None or piece.board is None:
        raise none_of(view.id)
    return kept(board_svg(piece.board, view.goal, light), SVG, 0)


def preview(job_id: UUID) -> Response:
    """Draw the picture that a link to the job is shown with."""
    view = services().read.view(str(job_id))
    with _place():
        return kept(preview_png(view.board, view.goal), "image/png", _BOARD_AGE_S)


def animation(job_id: UUID) -> Response:
    """Draw the job's best solution as an animated GIF, where it is not too long for one."""
    view = services().read.view(str(job_id), brief=True)
    refuse_too_long(Size(view.width, view.height), view.upper_bound or 0)
    solution = services().read.solution(view.id)
    if solution is None:
        raise none_of(view.id)
    with _place():
        drawn = solution_gif(solution.start, solution.moves, solution.goal)
    answer = kept(drawn, "image/gif", 0)
    name = f"tilework-{view.width}x{view.height}-{len(solution.moves)}.gif"
    answer.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return answer


def code(job_id: UUID) -> Response:
    """Draw the address of the job's page as a QR code, for a phone to read off a screen or paper.

    It is dark on white in any light: that is what cameras look for.
    """
    view = services().read.view(str(job_id), brief=True)
    address = url_for("pages.job", job_id=view.id, _external=True)
    drawn = BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawn, kind="svg", scale=_QR_SCALE, light="#fff", xmldecl=False, title="QR"
    )
    answer = kept(drawn.getvalue(), SVG, _BOARD_AGE_S)
    # The address has the name in it that the request was made to.
    answer.cache_control.public = False
    answer.cache_control.private = True
    return answer


@contextmanager
def _place() -> Iterator[None]:
    """Wait until few others draw.

    Raises
    ------
    OverloadError
        If that takes seconds.
    """
    if not _AT_ONCE.acquire(timeout=_PATIENCE_S):
        raise OverloadError(
            "drawings-at-once",
            "too many pictures are being drawn right now; try again in a few seconds",
            retry_after_s=2,
        )
    try:
        yield
    finally:
        _AT_ONCE.release()


def _move() -> int | None:
    text = request.args.get("move")
    if text is None:
        return None
    if not _PLACE.fullmatch(text):
        raise OptionError(
            "move-number",
            "{text!r} is no number of moves; give a whole number from 0 on",
            text=text[:40],
        )
    return int(text)
