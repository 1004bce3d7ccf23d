"""Batches: submitting several boards with one form, and the page of a batch."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from http import HTTPStatus
from itertools import pairwise
from statistics import fmean, median
from typing import Any, Final, NamedTuple, Self
from uuid import UUID

from flask import redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from tilework.core.errors import BoardError
from tilework.core.formats.board_list import BoardList
from tilework.core.links import batch_url
from tilework.core.model.batches import BatchFigures
from tilework.core.model.job_options import JobOptions
from tilework.core.model.states import JobState
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.metric import Metric
from tilework.core.services.history import SHOWN_CELLS
from tilework.core.services.jobs.submit import Submission
from tilework.web.clients import current_client_id, services
from tilework.web.i18n import format_decimal
from tilework.web.i18n import gettext as _
from tilework.web.pages.forms import FORM_ERRORS, describe_error, error_response
from tilework.web.pages.numbers import format_seconds
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
        solved=sum(job.is_solved for job in figures),
        taken_s=max((job.finished_at or 0.0 for job in figures), default=0.0) - view.created_at,
        search_s=sum(job.seconds or 0.0 for job in figures),
        table=table,
        rows=list(reader.jobs(view.id, table.page(PAGE_SIZE))),
        length_title=length_title,
        page_size=PAGE_SIZE,
        max_picture_cells=SHOWN_CELLS,
        unproven=sum(job.needs_proof for job in figures),
        histograms=_make_histograms(table.figures, length_title),
        skipped_lines=left_out.split() if _LINE_NUMBERS.fullmatch(left_out) else [],
        unnamed_lines=request.args.get("left_out_more", 0, type=int),
        api=batch_url(view.id),
        state_names=state_names(),
    )


_DEFAULT_COLUMN: Final = "number"
_KEYS: Final[Mapping[str, Callable[[BatchFigures], Any]]] = {
    _DEFAULT_COLUMN: lambda job: job.batch_index,
    "board": lambda job: (job.width * job.height, job.width),
    "state": lambda job: job.state,
    "moves": lambda job: job.upper_bound,
    "bound": lambda job: job.lower_bound,
    "nodes": lambda job: job.nodes,
    "seconds": lambda job: job.seconds,
}
"""The columns by which the table can be sorted."""


class BatchTable(NamedTuple):
    """The jobs that pass the filters, in the order of a column; ``first`` is counted from 1."""

    figures: Sequence[BatchFigures]
    sizes: Sequence[Size]  # of all boards, smallest first
    state: JobState | None
    size: Size | None
    sort: str
    descending: bool
    first: int

    @classmethod
    def from_query(cls, figures: Sequence[BatchFigures], query: Mapping[str, str]) -> Self:
        """Read the filters and the order from a URL; unknown values are ignored."""
        state = next((candidate for candidate in JobState if candidate == query.get("state")), None)
        sizes = sorted(
            {Size(job.width, job.height) for job in figures}, key=lambda size: size.cells
        )
        size = next((candidate for candidate in sizes if str(candidate) == query.get("size")), None)
        sort = query.get("sort", _DEFAULT_COLUMN)
        if sort not in _KEYS:
            sort = _DEFAULT_COLUMN
        descending = query.get("order") == "desc"
        matching_jobs = _sort_jobs(
            (
                job
                for job in figures
                if state in (None, job.state) and size in (None, Size(job.width, job.height))
            ),
            _KEYS[sort],
            descending=descending,
        )
        text = query.get("first", "")
        first = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1
        return cls(
            matching_jobs,
            sizes,
            state,
            size,
            sort,
            descending,
            max(1, min(first, len(matching_jobs))),
        )

    @property
    def filters(self) -> dict[str, str]:
        """The filters as parameters of the URL."""
        filters = {"state": self.state, "size": self.size}
        return {name: str(value) for name, value in filters.items() if value is not None}

    @property
    def order(self) -> dict[str, str]:
        """The order as parameters of the URL."""
        if (self.sort, self.descending) == (_DEFAULT_COLUMN, False):
            return {}
        return {"sort": self.sort} | ({"order": "desc"} if self.descending else {})

    def order_by(self, column: str) -> dict[str, str]:
        """Return the parameters for sorting by a column, or reversing its order."""
        reverses = column == self.sort and not self.descending
        return self.filters | {"sort": column} | ({"order": "desc"} if reverses else {})

    def starting_at(self, first: int) -> dict[str, str]:
        """Return the parameters of another page of the table."""
        return self.filters | self.order | {"first": str(max(1, first))}

    def page(self, size: int) -> list[int]:
        """Return the indexes of the jobs on this page."""
        return [job.batch_index for job in self.figures[self.first - 1 :][:size]]


def _sort_jobs(
    jobs: Iterable[BatchFigures], key: Callable[[BatchFigures], Any], *, descending: bool
) -> list[BatchFigures]:
    """Sort jobs. Those without a value come last in both orders."""
    with_value: list[BatchFigures] = []
    without_value: list[BatchFigures] = []
    for job in jobs:
        (without_value if key(job) is None else with_value).append(job)
    return sorted(with_value, key=key, reverse=descending) + without_value


_MAX_BARS: Final = 24
_MAX_LABELS: Final = 6
_MAX_LINES_Y: Final = 3
_STEPS: Final = (1, 2, 5)
_MIN_VALUES: Final = 2  # needed for a histogram
_MIN_S: Final = 1e-5


class Bar(NamedTuple):
    """A range of values: its label, and the jobs in it."""

    label: str
    jobs: int


class Histogram(NamedTuple):
    """The bars of a chart, the labels of their edges, the jobs at its lines, and its values."""

    name: str
    title: str
    bars: Sequence[Bar]
    ticks: Sequence[tuple[int, str]]
    lines: Sequence[int]
    jobs: int
    mean: str
    median: str
    minimum: str
    maximum: str


def _make_histograms(figures: Sequence[BatchFigures], length_title: str) -> Iterator[Histogram]:
    lengths = [job.upper_bound for job in figures if job.upper_bound is not None]
    # Boards that were answered without a search have no time.
    seconds = [job.seconds for job in figures if job.seconds]
    if len(lengths) >= _MIN_VALUES:
        edges = _integer_edges(lengths)
        yield _make_histogram("lengths", length_title, lengths, edges, _format_length)
    if len(seconds) >= _MIN_VALUES:
        title = _("Search time")
        yield _make_histogram("times", title, seconds, _round_edges(seconds), format_seconds)


def _format_length(length: float) -> str:
    return format_decimal(length, "#,##0.#")


def _make_histogram(
    name: str,
    title: str,
    values: Sequence[float],
    edges: Sequence[float],
    format_value: Callable[[float], str],
) -> Histogram:
    values = sorted(values)
    counts = [high - low for low, high in pairwise(bisect_left(values, edge) for edge in edges)]
    bars = [
        Bar(_format_range(low, high, format_value), count)
        for (low, high), count in zip(pairwise(edges), counts, strict=True)
    ]
    labelled = range(0, len(edges), -(-len(edges) // _MAX_LABELS))
    line_step = max(1, _round_step(max(counts), _MAX_LINES_Y))
    return Histogram(
        name,
        title,
        bars,
        [(index, format_value(edges[index])) for index in labelled],
        range(0, max(counts) + line_step, line_step),
        len(values),
        format_value(fmean(values)),
        format_value(median(values)),
        format_value(values[0]),
        format_value(values[-1]),
    )


def _round_step(span: float, count: int) -> int:
    """Return the smallest of 1, 2, 5, 10 … by which at most `count` steps cover a span."""
    power = int(10.0 ** max(0, math.floor(math.log10(max(span, 1) / count))))
    return next(step * power for step in (*_STEPS, 10) if step * power * count >= span)


def _format_range(low: float, high: float, format_value: Callable[[float], str]) -> str:
    if isinstance(low, int):
        return (
            format_value(low)
            if high == low + 1
            else f"{format_value(low)}–{format_value(high - 1)}"
        )
    return f"{format_value(low)} – {format_value(high)}"


def _integer_edges(values: Sequence[int]) -> list[int]:
    """Return integer edges at equal distances that enclose all values."""
    low, high = min(values), max(values)
    width = max(1, math.ceil((high - low + 1) / _MAX_BARS))
    return list(range(low, high + width + 1, width))


def _round_edges(values: Sequence[float]) -> list[float]:
    """Return the edges 1, 2, 5, 10 … that enclose all values, which span orders of magnitude."""
    low, high = max(_MIN_S, min(values)), max(_MIN_S, *values)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1
    edges = [step * 10.0**power for power in range(first, last + 1) for step in _STEPS]
    start = max(index for index, edge in enumerate(edges) if edge <= low)
    end = min(index for index, edge in enumerate(edges) if edge > high)
    return [min(edges[start], *values), *edges[start + 1 : end + 1]]
