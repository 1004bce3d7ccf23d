"""Batches: submitting several boards with one form, and the page of a batch."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final
from uuid import UUID

from flask import render_template, request, url_for

from tilework.core.errors import BoardError, OptionError
from tilework.core.formats.board_list import BoardList
from tilework.core.model.job_options import JobOptions
from tilework.core.puzzle.board import Board, Size
from tilework.core.services.history import SHOWN_CELLS
from tilework.core.services.jobs.submission import Submission
from tilework.web.clients import current_client_id, services
from tilework.web.pages.texts import state_names

PAGE_SIZE: Final = 100
_MAX_LINES: Final = 20
_LINES: Final = re.compile(rf"[0-9]{{1,7}}(?: [0-9]{{1,7}}){{0,{_MAX_LINES - 1}}}")


def submit_batch(
    board_list: BoardList,
    goal_of: Callable[[Size], Board],
    options: JobOptions,
) -> str:
    """Submit a batch and return the URL of its page, which lists the skipped lines."""
    if options.method() is not None:
        raise OptionError(
            "textbook-batch",
            "{algorithm} with {heuristic} takes one board at a time; choose auto, or use the "
            "Compare page for many boards",
            algorithm=options.algorithm,
            heuristic=options.heuristic,
        )
    items, misfits = _pair_with_goals(board_list, goal_of)
    submission = Submission(client_id=current_client_id(), boards=items, options=options)
    view = services().submit_batch(submission)
    left_out = sorted([*misfits, *(fault.line for fault in board_list.faults)])
    lines = " ".join(map(str, left_out[:_MAX_LINES])) or None
    return url_for("pages.batch", batch_id=view.id, left_out=lines)


def _pair_with_goals(
    board_list: BoardList, goal_of: Callable[[Size], Board]
) -> tuple[list[tuple[Board, Board]], list[int]]:
    """Return the boards with their goals, and the lines of boards that no goal fits."""
    goals: dict[Size, Board | None] = {}
    items, misfits = [], []
    misfit: BoardError | None = None
    for line, board in board_list.boards:
        if board.size not in goals:
            try:
                goals[board.size] = goal_of(board.size)
            except BoardError as error:
                misfit, goals[board.size] = misfit or error, None
        goal = goals[board.size]
        if goal is None:
            misfits.append(line)
        else:
            items.append((board, goal))
    if misfit is not None and not items:
        raise misfit
    return items, misfits


def show(batch_id: UUID) -> str:
    """Anyone with the link can view a batch."""
    reader = services().read_batch
    view = reader.view(str(batch_id))
    first = min(request.args.get("first", 1, type=int), view.total)
    rows = reader.rows(view.id, max(first, 1) - 2, PAGE_SIZE)
    left_out = request.args.get("left_out", "")
    return render_template(
        "batch.html",
        batch=view,
        states=sorted(view.states.items()),
        rows=rows,
        first=max(first, 1),
        page_size=PAGE_SIZE,
        max_picture_cells=SHOWN_CELLS,
        skipped_lines=left_out.split() if _LINES.fullmatch(left_out) else [],
        results=f"/api/v1/batches/{view.id}/results",
        state_names=state_names(),
    )
