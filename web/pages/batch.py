"""A batch: several boards out of one form, and the page on which they are followed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from flask import render_template, request, url_for

from tilework.core.errors import BoardError, OptionError
from tilework.core.formats.several_boards import SeveralBoards
from tilework.core.puzzle.board import Board, Size
from tilework.core.services.jobs.methods import method_of, solvers_names
from tilework.core.services.jobs.submission import BatchSubmission
from tilework.core.services.jobs.vocabulary import Metric, Target
from tilework.web.clients import current_client_id, services
from tilework.web.pages.board_form import goal_for
from tilework.web.pages.words import state_names

ROWS_A_PAGE: Final = 100
PICTURED_CELLS: Final = 144
"""Larger boards are only named: their tiles would be too small to tell."""

_MOST_LINES: Final = 20
_LINES: Final = re.compile(rf"[0-9]{{1,7}}(?: [0-9]{{1,7}}){{0,{_MOST_LINES - 1}}}")


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Boards of one text, and how all of them are to be solved."""

    several: SeveralBoards
    goal: str
    goal_board: str
    metric: Metric
    target: Target
    time_limit_s: float
    algorithm: str
    heuristic: str

    def submitted(self) -> str:
        """Store it and return the address of its page, which names the lines left out.

        Raises
        ------
        TileworkError
            As `SubmitBatch` says, and for a search that is not asked for with many boards.
        """
        if method_of(self.algorithm, self.heuristic) is not None:
            raise OptionError(
                "textbook-batch",
                "{algorithm} with {heuristic} takes one board at a time; choose auto, or compare "
                "searches over many boards on the page for that",
                algorithm=self.algorithm,
                heuristic=self.heuristic,
            )
        algorithm, heuristic = solvers_names(self.algorithm, self.heuristic)
        items, misfits = self._items()
        view = services().submit_batch(
            BatchSubmission(
                items=items,
                client_id=current_client_id(),
                metric=self.metric,
                target=self.target,
                time_limit_s=self.time_limit_s,
                algorithm=algorithm,
                heuristic=heuristic,
            )
        )
        left_out = sorted([*misfits, *(fault.line for fault in self.several.faults)])
        lines = " ".join(map(str, left_out[:_MOST_LINES])) or None
        return url_for("pages.batch", batch_id=view.id, left_out=lines)

    def _items(self) -> tuple[list[tuple[Board, Board]], list[int]]:
        """Return boards with their goals, and the lines of those that have none."""
        goals: dict[Size, Board | None] = {}
        items, misfits = [], []
        misfit: BoardError | None = None
        for line, board in self.several.boards:
            if board.size not in goals:
                try:
                    goals[board.size] = goal_for(board.size, self.goal, self.goal_board)
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
    """Show a batch; anyone with its address may look."""
    reader = services().read_batch
    view = reader.view(str(batch_id))
    first = min(request.args.get("first", 1, type=int), view.total)
    rows = reader.rows(view.id, max(first, 1) - 2, ROWS_A_PAGE, cells=PICTURED_CELLS)
    left_out = request.args.get("left_out", "")
    return render_template(
        "batch.html",
        batch=view,
        states=sorted(view.states.items()),
        rows=rows,
        first=max(first, 1),
        rows_a_page=ROWS_A_PAGE,
        left_out=left_out.split() if _LINES.fullmatch(left_out) else [],
        results=f"/api/v1/batches/{view.id}/results",
        state_names=state_names(),
    )
