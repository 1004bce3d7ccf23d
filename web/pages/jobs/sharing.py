"""Sharing a job: link previews, the embedded player and the print view."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Final, NamedTuple
from uuid import UUID

from flask import render_template, url_for
from markupsafe import Markup

from tilework.core.drawing.animation import is_animatable
from tilework.core.drawing.board_image import SIZE
from tilework.core.links import job_url
from tilework.core.model.jobs import JobView
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.moves import NO_MOVES, Moves
from tilework.core.puzzle.replay import moved_tiles
from tilework.web.clients import services
from tilework.web.i18n import gettext as _
from tilework.web.i18n import language
from tilework.web.pages.forms import describe_goal, encode_goal, encode_tiles
from tilework.web.pages.texts import format_verdict, player_texts

_EMBED_WIDTH, _EMBED_HEIGHT = 420, 650


class Preview(NamedTuple):
    """The preview of a link to the page, with absolute URLs."""

    url: str
    title: str
    picture: str
    width: int
    height: int


class Sharing(NamedTuple):
    preview: Preview
    is_animatable: bool
    embed_html: str  # for other sites


def make_sharing(job: JobView) -> Sharing:
    size = Size(job.width, job.height)
    board = _("%(size)s board", size=size)
    title = f"{format_verdict(job)} · {board}"
    preview = Preview(
        url_for("pages.job", job_id=job.id, _external=True),
        title,
        url_for("pages.job_preview", job_id=job.id, _external=True),
        *SIZE,
    )
    return Sharing(preview, is_animatable(size), _make_embed_html(job))


def _make_embed_html(job: JobView) -> str:
    url = url_for("pages.embed", job_id=job.id, lang=language(), _external=True)
    title = _("%(size)s board", size=Size(job.width, job.height))
    return str(
        Markup(
            '<iframe src="{}" title="{} · Tilework" width="{}" height="{}" loading="lazy" '
            'style="border: 0; max-width: 100%"></iframe>'
        ).format(url, title, _EMBED_WIDTH, _EMBED_HEIGHT)
    )


def show_embed(job_id: UUID) -> str:
    job = services().read.view(str(job_id))
    return render_template(
        "jobs/embed.html",
        job=job,
        api=job_url(job.id),
        size=str(job.board.size),
        tiles=encode_tiles(job.board),
        goal_tiles=encode_goal(job.goal),
        verdict=format_verdict(job),
        texts=player_texts(),
    )


MAX_PRINTED_MOVES: Final = 2_000
"""This many fill about ten pages."""

_GROUP_SIZE: Final = 5
_ARROWS: Final = "↑↓←→"


class MoveGroup(NamedTuple):
    """Consecutive moves, each a tile and an arrow, and the number of the first, from 1."""

    first: int
    moves: tuple[str, ...]


def show_print_view(job_id: UUID) -> str:
    job = services().read.view(str(job_id))
    part = services().read_parts.moves(job.id, 0, MAX_PRINTED_MOVES)
    moves = NO_MOVES if part is None or part.moves is None else part.moves
    return render_template(
        "jobs/print_view.html",
        job=job,
        size=str(job.board.size),
        verdict=format_verdict(job),
        goal=describe_goal(job.goal),
        groups=list(_group_moves(job.board, moves)),
        remaining_moves=0 if part is None else part.length - len(moves),
    )


def _group_moves(board: Board, moves: Moves) -> Iterator[MoveGroup]:
    tiles = (tile for chunk in moved_tiles(board, moves) for tile in chunk)
    steps = (f"{tile} {_ARROWS[move]}" for tile, move in zip(tiles, moves, strict=True))
    first = 1
    while group := tuple(islice(steps, _GROUP_SIZE)):
        yield MoveGroup(first, group)
        first += len(group)
