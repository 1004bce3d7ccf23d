"""Batches: submitting several boards with one form, and the page of a batch."""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import Final
from uuid import UUID

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.errors import BoardError
from tilework.core.formats.board_list import BoardList
from tilework.core.links import batch_url
from tilework.core.model.job_options import JobOptions
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.metric import Metric
from tilework.core.services.history import SHOWN_CELLS
from tilework.core.services.jobs.submit import Submission
from tilework.web.clients import current_client_id, services
from tilework.web.i18n import gettext as _
from tilework.web.pages.batches.charts import make_histograms
from tilework.web.pages.batches.table import BatchTable
from tilework.web.pages.forms import FORM_ERRORS, describe_error, error_response
from tilework.web.pages.texts import state_names

PAGE_SIZE: Final = 100
_MAX_LINES: Final = 20
_LINE_NUMBERS: Final = re.compile(rf"[0-9]{{1,7}}(?: [0-9]{{1,7}}){{0,{_MAX_LINES - 1}}}")


def submit_batch(
    board_list: BoardList,
    make_goal: Callable[[Size], Board],
    options: JobOptions,
) -> str:
    """Submit a batch and return the URL of its page, which lists the skipped lines."""
    items, skipped_lines = _pair_with_goals(board_list, make_goal)
    submission = Submission(client_id=current_client_id(), boards=items, options=options)
    view = services().submit_batch(submission)
    skipped_numbers = sorted([*skipped_lines, *(error.line for error in board_list.errors)])
    named = skipped_numbers[:_MAX_LINES]
    unnamed = len(skipped_lines) + board_list.error_count - len(named)
    return url_for(
        "pages.batch",
        batch_id=view.id,
        left_out=" ".join(map(str, named)) or None,
        left_out_more=unnamed or None,
    )


def _pair_with_goals(
    board_list: BoardList, make_goal: Callable[[Size], Board]
) -> tuple[list[tuple[Board, Board]], list[int]]:
    """Return the boards with their goals, and the lines whose boards the goal does not fit."""
    goals: dict[Size, Board | None] = {}
    items, skipped_lines = [], []
    first_error: BoardError | None = None
    for line, board in board_list.boards:
        if board.size not in goals:
            try:
                goals[board.size] = make_goal(board.size)
            except BoardError as error:
                first_error, goals[board.size] = first_error or error, None
        goal = goals[board.size]
        if goal is None:
            skipped_lines.append(line)
        else:
            items.append((board, goal))
    if first_error is not None and not items:
        raise first_error
    return items, skipped_lines


def show(batch_id: UUID) -> str:
    """Anyone with the link can view a batch."""
    return _render_page(str(batch_id))


def prove_rest(batch_id: UUID) -> Response:
    """Submit the boards whose solutions can still be proven optimal, as another batch."""
    reader = services().read_batch
    view = reader.view(str(batch_id))
    indexes = [job.batch_index for job in reader.figures(view.id) if job.needs_proof]
    unproven = list(reader.jobs(view.id, indexes))
    if not unproven:
        return redirect(url_for("pages.batch", batch_id=batch_id), HTTPStatus.SEE_OTHER)
    submission = Submission(
        client_id=current_client_id(),
        boards=[(job.board, job.goal) for job in unproven],
        options=JobOptions(metric=unproven[0].options.metric),
    )
    try:
        new_batch = services().submit_batch(submission)
    except FORM_ERRORS as error:
        return error_response(_render_page(view.id, describe_error(error)), error)
    return redirect(url_for("pages.batch", batch_id=new_batch.id), HTTPStatus.SEE_OTHER)


def _render_page(batch_id: str, problem: str = "") -> str:
    reader = services().read_batch
    view = reader.view(batch_id)
    figures = reader.figures(view.id)
    table = BatchTable.from_query(figures, request.args)
    counts_slides = any(job.metric is Metric.SLIDES for job in figures)
    length_title = _("Slides") if counts_slides else _("Moves")
    left_out = request.args.get("left_out", "")
    return render_template(
        "batch.html",
        batch=view,
        problem=problem,
        states=sorted(view.states.items()),
        table=table,
        rows=list(reader.jobs(view.id, table.page(PAGE_SIZE))),
        length_title=length_title,
        page_size=PAGE_SIZE,
        max_picture_cells=SHOWN_CELLS,
        unproven=sum(job.needs_proof for job in figures),
        histograms=make_histograms(table.figures, length_title),
        skipped_lines=left_out.split() if _LINE_NUMBERS.fullmatch(left_out) else [],
        unnamed_lines=request.args.get("left_out_more", 0, type=int),
        api=batch_url(view.id),
        state_names=state_names(),
    )
