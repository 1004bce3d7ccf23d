"""Parts of a job's page: links to other pages, and what is known of similar boards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from flask import url_for

from tilework.core.model.jobs import JobView
from tilework.core.puzzle.board import Board
from tilework.core.services.jobs.jobs import MAX_OTHERS
from tilework.web.clients import services
from tilework.web.i18n import format_decimal, ngettext
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import MAX_LINK_CELLS, format_board, format_goal
from tilework.web.pages.play import play_url
from tilework.web.pages.questions.shortest_paths import shortest_paths_form_url


class NextStep(NamedTuple):
    """A link to another page, with its title and a short description."""

    url: str
    icon: str  # its id in ``icons.svg``
    title: str
    description: str


def list_next_steps(job: JobView) -> list[NextStep]:
    """Return three links, or fewer for large boards; the last is to another board."""
    steps = [step for step in _board_steps(job.board, job.goal) if step.url]
    return [*steps[:2], NextStep(url_for("pages.home"), "shuffle", _("Another board"), "")]


def _board_steps(board: Board, goal: Board) -> Iterator[NextStep]:
    yield NextStep(play_url(board, goal) or "", "play", _("Play it yourself"), _("with hints"))
    yield NextStep(
        shortest_paths_form_url(board, goal) or "",
        "tree",
        _("All shortest solutions"),
        _("count and list them"),
    )
    if board.size.cells > MAX_LINK_CELLS:
        return
    query: dict[str, Any] = {"board": format_board(board), "goal": format_goal(goal)}
    if board.size.cells <= services().settings.lab_max_cells:
        yield NextStep(
            url_for("pages.lab", **query),
            "tree",
            _("Watch a search"),
            _("how a textbook search solves it"),
        )
    yield NextStep(
        url_for("pages.home", **query),
        "edit",
        _("Edit this board"),
        _("change tiles and solve again"),
    )


def describe_other_submissions(job: JobView) -> str:
    count = services().read.count_others(job.id)
    if count == 0:
        return ""
    if count == MAX_OTHERS:
        text = _("Others have submitted this puzzle more than %(count)s times.", count=count)
    else:
        text = ngettext(
            "Someone else has submitted this puzzle once.",
            "Others have submitted this puzzle %(count)s times.",
            count,
            count=count,
        )
    return str(text)


_SILENCE_S = 120
"""The same as in ``improvement.js``."""

_MINUTE_S = 60


def describe_further_minute(job: JobView) -> str:
    """Describe how many moves another minute saved on boards of this size after a long silence."""
    if job.finished:
        return ""
    gains = services().read.gains(job.board.size, _SILENCE_S, _SILENCE_S + _MINUTE_S)
    if not gains:
        return ""
    return ngettext(
        "Moves saved in the third minute on the last board of this size: %(moves)s.",
        "Moves saved in the third minute on the last %(count)s boards of this size: %(moves)s on "
        "average.",
        len(gains),
        count=len(gains),
        moves=format_decimal(sum(gains) / len(gains), "#,##0.#"),
    )
