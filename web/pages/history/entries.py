"""An entry of the history as a line of its page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import url_for
from flask_babel import format_decimal, ngettext
from flask_babel import gettext as _

from tilework.core.model.batches import BatchView
from tilework.core.model.comparison_views import ComparisonView
from tilework.core.model.history import EntryKind, HistoryEntry
from tilework.core.model.job_views import JobView
from tilework.core.model.questions import AnalysisView, GameSpec, WaysSpec
from tilework.core.model.states import JobState, RunState
from tilework.core.puzzle.board import Board
from tilework.core.services.history.read import SHOWN_CELLS
from tilework.web.pages.filters import ratio
from tilework.web.pages.games.words import game_title, state_words
from tilework.web.pages.jobs.verdict import verdict_words
from tilework.web.pages.lab.comparison_words import (
    FINISHED,
    RUNNING,
    comparison_state,
    comparison_states,
    comparison_title,
)
from tilework.web.pages.lab.words import method_title
from tilework.web.pages.ways.words import ways_title
from tilework.web.pages.words import state_names

PROVED_CELLS: Final = 16
"""Of larger boards it is told how good a solution is; of these the optimum is soon known."""

_BADGES: Final = {
    RunState.QUEUED: JobState.QUEUED,
    RunState.RUNNING: JobState.RUNNING,
    RunState.DONE: FINISHED,
    RunState.FAILED: JobState.FAILED,
    RunState.CANCELLED: JobState.CANCELLED,
}


@dataclass(frozen=True)
class Summary:
    """What an entry tells of, in a few words.

    Attributes
    ----------
    told : str
        What came out so far.
    badge, state : str
        Its state, for the style and for people.
    boards : tuple of Board or None
        A board and its goal, to be drawn; None where there is none, or a large one.
    size : str
        Of its board.
    quality : str
        How good a large board's solution is.
    """

    address: str
    title: str
    told: str
    badge: str
    state: str
    boards: tuple[Board, Board] | None = None
    size: str = ""
    quality: str = ""


@dataclass(frozen=True)
class Line:
    """An entry as it is shown: under the visitor's own name, or as what it is."""

    entry: HistoryEntry
    summary: Summary

    @property
    def title(self) -> str:
        """The name, else what it is."""
        return self.entry.name or self.summary.title

    @property
    def told(self) -> str:
        """What came out; under a name of one's own, after what it is."""
        if self.entry.name is None:
            return self.summary.told
        return " · ".join(filter(None, (self.summary.title, self.summary.told)))


def kind_names() -> dict[EntryKind, str]:
    """The kinds, as the list's filter names them."""
    return {
        EntryKind.JOB: _("Boards"),
        EntryKind.BATCH: _("Batches"),
        EntryKind.COMPARISON: _("Comparisons"),
        EntryKind.LAB: _("Step by step"),
        EntryKind.GAME: _("Games"),
        EntryKind.WAYS: _("All shortest"),
    }


def line_of(entry: HistoryEntry) -> Line:
    """Return an entry as it is shown."""
    return Line(entry, _summary(entry))


def _summary(entry: HistoryEntry) -> Summary:
    view = entry.view
    if isinstance(view, JobView):
        return _of_job(view)
    if isinstance(view, BatchView):
        return _of_batch(view)
    if isinstance(view, AnalysisView):
        return _of_question(view)
    return _of_comparison(view, entry.kind)


def _of_job(job: JobView) -> Summary:
    size = f"{job.width}×{job.height}"
    return Summary(
        address=url_for("pages.job", job_id=job.id),
        title=str(_("%(size)s board", size=size)),
        told=verdict_words(job),
        badge=job.state,
        state=state_names()[job.state],
        boards=(job.board, job.goal) if job.width * job.height <= SHOWN_CELLS else None,
        size=size,
        quality=_quality(job),
    )


def _of_batch(batch: BatchView) -> Summary:
    state = FINISHED if batch.finished else RUNNING
    title = ngettext(
        "A batch of %(count)s board",
        "A batch of %(count)s boards",
        batch.total,
        count=format_decimal(batch.total),
    )
    told = _(
        "%(ended)s of %(total)s have ended",
        ended=format_decimal(batch.total - batch.unfinished),
        total=format_decimal(batch.total),
    )
    return Summary(
        address=url_for("pages.batch", batch_id=batch.id),
        title=str(title),
        told=str(told),
        badge=state,
        state=comparison_states()[state],
    )


def _of_question(view: AnalysisView[GameSpec] | AnalysisView[WaysSpec]) -> Summary:
    spec = view.spec
    if isinstance(spec, GameSpec):
        address = url_for("pages.analysis", analysis_id=view.id)
        title = game_title(spec)
    else:
        address = url_for("pages.ways_found", ways_id=view.id)
        title = ways_title(spec)
    return Summary(
        address=address,
        title=title,
        told="",
        badge=_BADGES[view.state],
        state=state_words()[view.state],
        boards=(spec.start, spec.goal) if spec.start.size.cells <= SHOWN_CELLS else None,
        size=str(spec.start.size),
    )


def _of_comparison(view: ComparisonView, kind: EntryKind) -> Summary:
    page = "pages.steps" if kind is EntryKind.LAB else "pages.comparison"
    state = comparison_state(view)
    boards = None
    if view.start is not None and view.start.size.cells <= SHOWN_CELLS:
        boards = (view.start, view.goal)
    return Summary(
        address=url_for(page, comparison_id=view.id),
        title=comparison_title(view),
        told=", ".join(map(method_title, view.methods)),
        badge=state,
        state=comparison_states()[state],
        boards=boards,
        size=str(view.goal.size),
    )


def _quality(job: JobView) -> str:
    """How good the solution of a large board is, and whether it is still being improved."""
    large = job.width * job.height > PROVED_CELLS
    if not large or job.upper_bound is None or not 0 < job.lower_bound < job.upper_bound:
        return ""
    times = ratio(job.upper_bound / job.lower_bound)
    if job.finished:
        return str(_("%(ratio)s × lower bound", ratio=times))
    return str(_("%(ratio)s × lower bound, being improved", ratio=times))
