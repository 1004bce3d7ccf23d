"""The page of the client's history: everything submitted, newest first."""

from __future__ import annotations

from typing import Final, NamedTuple

from flask import render_template, request, url_for

from tilework.core.arguments import check_choice
from tilework.core.model.batches import BatchView
from tilework.core.model.comparisons import Comparison
from tilework.core.model.history import Entry, EntryKind, EntryView
from tilework.core.model.jobs import JobView
from tilework.core.model.states import JobState, RunState
from tilework.core.model.tasks import GameSpec, ShortestPathsSpec, Task
from tilework.core.puzzle.board import Board
from tilework.core.services.history import SHOWN_CELLS
from tilework.web.clients import known_client_id, services
from tilework.web.i18n import format_decimal, ngettext
from tilework.web.i18n import gettext as _
from tilework.web.pages.lab.texts import comparison_title, method_title
from tilework.web.pages.numbers import format_ratio
from tilework.web.pages.questions.games import game_title
from tilework.web.pages.questions.shortest_paths import shortest_paths_title
from tilework.web.pages.texts import format_verdict, state_names

SMALL_CELLS: Final = 16
"""Larger boards are seldom solved optimally, so the quality of their solution is shown."""

_BADGES: Final = {
    RunState.QUEUED: JobState.QUEUED,
    RunState.RUNNING: JobState.RUNNING,
    RunState.DONE: "finished",
    RunState.FAILED: JobState.FAILED,
    RunState.CANCELLED: JobState.CANCELLED,
}


class Summary(NamedTuple):
    url: str
    title: str
    result: str  # the best one so far
    badge: str  # the style of the state
    state: str
    boards: tuple[Board, Board] | None = None  # a small board and its goal, for a picture
    picture: str = ""  # the URL of a picture of a large board
    size: str = ""  # of the board
    quality: str = ""  # of the solution of a large board


def kind_names() -> dict[EntryKind, str]:
    return {
        EntryKind.JOB: _("Boards"),
        EntryKind.BATCH: _("Batches"),
        EntryKind.COMPARISON: _("Comparisons"),
        EntryKind.LAB: _("Step by step"),
        EntryKind.GAME: _("Games"),
        EntryKind.SHORTEST_PATHS: _("All shortest solutions"),
    }


def _summarize(kind: EntryKind, view: EntryView) -> Summary:
    if isinstance(view, JobView):
        return _summarize_job(view)
    if isinstance(view, BatchView):
        return _summarize_batch(view)
    if isinstance(view, Task):
        return _summarize_question(view)
    return _summarize_comparison(view, kind)


def _summarize_job(job: JobView) -> Summary:
    size = f"{job.width}×{job.height}"
    is_large = job.width * job.height > SHOWN_CELLS
    return Summary(
        url=url_for("pages.job", job_id=job.id),
        title=_("%(size)s board", size=size),
        result=format_verdict(job),
        badge=job.state,
        state=state_names()[job.state],
        boards=None if is_large else (job.board, job.goal),
        picture=url_for("pages.job_thumbnail", job_id=job.id) if is_large else "",
        size=size,
        quality=_describe_quality(job),
    )


def _summarize_batch(batch: BatchView) -> Summary:
    state = "finished" if batch.finished else "running"
    title = ngettext(
        "Batch of %(count)s board",
        "Batch of %(count)s boards",
        batch.total,
        count=format_decimal(batch.total),
    )
    result = _(
        "%(ended)s of %(total)s done",
        ended=format_decimal(batch.ended),
        total=format_decimal(batch.total),
    )
    return Summary(
        url=url_for("pages.batch", batch_id=batch.id),
        title=str(title),
        result=str(result),
        badge=state,
        state=state_names()[state],
    )


def _summarize_question(view: Task[GameSpec] | Task[ShortestPathsSpec]) -> Summary:
    spec = view.spec
    if isinstance(spec, GameSpec):
        url = url_for("pages.analysis", analysis_id=view.id)
        title = game_title(spec)
    else:
        url = url_for("pages.shortest_paths_result", ways_id=view.id)
        title = shortest_paths_title(spec)
    return Summary(
        url=url,
        title=title,
        result="",
        badge=_BADGES[view.state],
        state=state_names()[view.state],
        boards=(spec.start, spec.goal) if spec.start.size.cells <= SHOWN_CELLS else None,
        size=str(spec.start.size),
    )


def _summarize_comparison(view: Comparison, kind: EntryKind) -> Summary:
    page = "pages.steps" if kind is EntryKind.LAB else "pages.comparison"
    boards = None
    if view.start is not None and view.start.size.cells <= SHOWN_CELLS:
        boards = (view.start, view.goal)
    return Summary(
        url=url_for(page, comparison_id=view.id),
        title=comparison_title(view),
        result=", ".join(map(method_title, view.methods)),
        badge=view.state,
        state=state_names()[view.state],
        boards=boards,
        size=str(view.goal.size),
    )


def _describe_quality(job: JobView) -> str:
    is_large = job.width * job.height > SMALL_CELLS
    if not is_large or job.upper_bound is None or not 0 < job.lower_bound < job.upper_bound:
        return ""
    ratio = format_ratio(job.upper_bound / job.lower_bound)
    if job.finished:
        return _("%(ratio)s × lower bound", ratio=ratio)
    return _("%(ratio)s × lower bound, improving", ratio=ratio)


PAGE_SIZE: Final = 20


def show() -> str:
    text, before = request.args.get("kind"), request.args.get("before")
    kind = check_choice(text, EntryKind) if text else None
    running, entries, older = _load_page(kind, before)
    return render_template(
        "history.html",
        running=[(view, _summarize(kind, view)) for kind, view in running],
        lines=[(view, _summarize(kind, view)) for kind, view in entries],
        kind=kind,
        kinds=kind_names(),
        older=older,
        before=before,
        unfinished=bool(running) or any(not view.finished for _kind, view in entries),
    )


def _load_page(
    kind: EntryKind | None, before: str | None
) -> tuple[list[Entry], list[Entry], str | None]:
    """Return what is running now, on the first page, and the other entries of a page."""
    client_id = known_client_id()
    if client_id is None:
        return [], [], None
    kinds = tuple(EntryKind) if kind is None else (kind,)
    entries, older = services().history.page(client_id, kinds, before, PAGE_SIZE)
    if before:
        return [], entries, older
    searched = services().history.searched(client_id, kinds, PAGE_SIZE)
    listed = {view.id for _kind, view in entries}
    running = [entry for entry in entries if not entry[1].finished]
    running += [entry for entry in searched if entry[1].id not in listed]
    return running, [entry for entry in entries if entry[1].finished], older
