"""What a job's page gives to others: previews of its address, a frame for other pages, pictures."""

from __future__ import annotations

from dataclasses import dataclass

from flask import url_for
from flask_babel import gettext as _
from markupsafe import Markup

from tilework.core.drawing.animation import most_moves
from tilework.core.drawing.preview import SIZE
from tilework.core.model.job_views import JobView
from tilework.core.puzzle.board import Size
from tilework.web.i18n import language
from tilework.web.pages.jobs.verdict import verdict_words

_FRAME_WIDTH, _FRAME_HEIGHT = 420, 650


@dataclass(frozen=True)
class Preview:
    """What is shown for a link to the page; addresses are whole, to be read elsewhere."""

    address: str
    title: str
    picture: str
    width: int
    height: int


@dataclass(frozen=True)
class Sharing:
    """Pictures and the like of a job.

    Attributes
    ----------
    animated : bool
        Whether the best solution is short enough to be drawn as an animation.
    most_animated : int
        How many moves one may have; 0 where the board is too large.
    frame : str
        HTML for other pages.
    """

    preview: Preview
    animated: bool
    most_animated: int
    frame: str


def sharing(job: JobView) -> Sharing:
    """Return what can be given away of a job as it stands."""
    size = Size(job.width, job.height)
    most = most_moves(size)
    board = _("%(size)s board", size=size)
    title = f"{verdict_words(job)} · {board}"
    preview = Preview(
        url_for("pages.job", job_id=job.id, _external=True),
        title,
        url_for("pages.job_preview", job_id=job.id, _external=True),
        *SIZE,
    )
    animated = job.upper_bound is not None and job.upper_bound <= most
    return Sharing(preview, animated, most, _frame(job))


def _frame(job: JobView) -> str:
    address = url_for("pages.embed", job_id=job.id, lang=language(), _external=True)
    title = _("%(size)s board", size=Size(job.width, job.height))
    return str(
        Markup(
            '<iframe src="{}" title="{} · Tilework" width="{}" height="{}" loading="lazy" '
            'style="border: 0; max-width: 100%"></iframe>'
        ).format(address, title, _FRAME_WIDTH, _FRAME_HEIGHT)
    )
