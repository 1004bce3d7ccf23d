"""The page of the client's history: everything submitted, newest first."""

from __future__ import annotations

from typing import Final, NamedTuple

from flask import render_template, request, url_for

from tilework.core.arguments import check_choice
from tilework.core.model.batches import BatchView
from tilework.core.model.history import Entry, EntryKind, EntryView
from tilework.core.model.jobs import JobView
from tilework.core.model.tasks import GameSpec, Task
from tilework.core.puzzle.board import Board
from tilework.core.services.history import SHOWN_CELLS
from tilework.web.api.history import entry_page
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


class Summary(NamedTuple):
    title: str
    result: str  # the best one so far
    state: str
    boards: tuple[Board, Board] | None = None  # a small board and its goal, for a picture
    picture: str = ""  # the URL of a picture of a large board
    quality: str = ""  # of the solution of a large board


def _summarize(view: EntryView) -> Summary:
    if isinstance(view, JobView):
        return _summarize_job(view)
    if isinstance(view, BatchView):
        return _summarize_batch(view)
    if isinstance(view, Task):
        spec = view.spec
        title = game_title(spec) if isinstance(spec, GameSpec) else shortest_paths_title(spec)
        return Summary(title, "", view.state, _shown_boards(spec.start, spec.goal))
    methods = ", ".join(map(method_title, view.methods))
    boards = None if view.start is None else _shown_boards(view.start, view.goal)
    return Summary(comparison_title(view), methods, view.state, boards)


def _shown_boards(start: Board, goal: Board) -> tuple[Board, Board] | None:
    return (start, goal) if start.size.cells <= SHOWN_CELLS else None


def _summarize_job(job: JobView) -> Summary:
    size = f"{job.width}×{job.height}"
    is_large = job.width * job.height > SHOWN_CELLS
    return Summary(
        _("%(size)s board", size=size),
        format_verdict(job),
        job.state,
        None if is_large else (job.board, job.goal),
        picture=url_for("pages.job_thumbnail", job_id=job.id) if is_large else "",
        quality=_describe_quality(job),
    )


def _summarize_batch(batch: BatchView) -> Summary:
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
    return Summary(title, result, "finished" if batch.finished else "running")


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
        running=_list_lines(running),
        lines=_list_lines(entries),
        state_names=state_names(),
        kind=kind,
        older=older,
        before=before,
        unfinished=bool(running) or any(not view.finished for _kind, view in entries),
    )


def _list_lines(entries: list[Entry]) -> list[tuple[EntryView, str, Summary]]:
    """Return entries with the paths of their pages."""
    return [(view, entry_page(kind, view), _summarize(view)) for kind, view in entries]


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
