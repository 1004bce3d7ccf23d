"""Where a visitor may go from a job's page, with its board in hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import url_for
from flask_babel import gettext as _
from flask_babel import ngettext

from tilework.core.model.job_views import JobView
from tilework.core.services.jobs.read import MOST_OTHERS
from tilework.web.clients import services
from tilework.web.pages.board_words import board_lines, goal_text
from tilework.web.pages.games.analyse import analyse_address
from tilework.web.pages.play.address import play_address
from tilework.web.pages.ways.ask import ways_link

_LINKED_CELLS = 400
"""Boards of more are not put into an address."""


@dataclass(frozen=True)
class NextStep:
    """A link, what it leads to in a word, and what is to be had there.

    Attributes
    ----------
    icon : str
        Its name among the icons.
    """

    address: str
    icon: str
    title: str
    words: str


def next_steps(job: JobView) -> list[NextStep]:
    """Return what can be done with this board, the likeliest first."""
    steps = [*_with_board(job), NextStep(url_for("pages.home"), "shuffle", _("Another board"), "")]
    return [step for step in steps if step.address]


def _with_board(job: JobView) -> list[NextStep]:
    board, goal = job.board, job.goal
    steps = [
        NextStep(
            play_address(board, goal) or "",
            "play",
            _("Play it yourself"),
            _("with hints where you want them"),
        )
    ]
    if board.size.cells <= _LINKED_CELLS:
        given: dict[str, Any] = {"board": board_lines(board), "goal": goal_text(goal)}
        steps.append(
            NextStep(
                url_for("pages.home", **given),
                "edit",
                _("Edit this board"),
                _("and solve what comes of it"),
            )
        )
        if board.size.cells <= services().settings.lab_max_cells:
            steps += [
                NextStep(
                    url_for("pages.lab", **given),
                    "tree",
                    _("Watch a search"),
                    _("how a textbook search goes about it"),
                ),
                NextStep(
                    url_for("pages.compare", **given),
                    "bars",
                    _("Compare methods"),
                    _("what each of them needs for this board"),
                ),
            ]
    ways = NextStep(
        ways_link(board, goal) or "",
        "tree",
        _("All shortest solutions"),
        _("how many there are, and which"),
    )
    analyse = analyse_address(board, goal)
    analysis = NextStep(analyse or "", "chart", _("Analyse a game"), _("where it lost moves"))
    return [*steps, ways, analysis]


def others_words(job: JobView) -> str:
    """Return how many others had the same puzzle solved; empty for nobody."""
    count = services().read.others(job.id)
    if count == 0:
        return ""
    if count == MOST_OTHERS:
        words = _("Others asked for this puzzle %(count)s times and more.", count=count)
    else:
        words = ngettext(
            "Somebody else asked for this puzzle once.",
            "Others asked for this puzzle %(count)s times.",
            count,
            count=count,
        )
    return str(words)
