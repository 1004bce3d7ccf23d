"""The pages of comparisons: the form, and the results in a table.

The table has a row per run, or for sweeps a row of medians per method.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from statistics import median
from typing import Any, NamedTuple, Self
from uuid import UUID

from flask import redirect, render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from tilework.core.errors import InputError, OptionError
from tilework.core.lab.methods import (
    ALGORITHMS,
    DEFAULT_WEIGHT,
    DEFAULT_WIDTH,
    HEURISTICS,
    RUN_MEMORY_BYTES,
    LabAlgorithm,
    LabHeuristic,
    Method,
    format_number,
    proven_length,
)
from tilework.core.model.comparisons import (
    MAX_BOARDS,
    MAX_MOVES,
    MAX_RUN_NODES,
    MAX_RUN_SECONDS,
    MAX_SEED,
    RUN_NODES,
    RUN_SECONDS,
    ComparedRun,
    Comparison,
    ComparisonOptions,
    Sweep,
    check_cells,
)
from tilework.core.model.states import RunState
from tilework.core.puzzle.board import Board, Size
from tilework.web.clients import current_client_id, known_client_id, services
from tilework.web.i18n import format_decimal, pgettext
from tilework.web.i18n import gettext as _
from tilework.web.limits import MEBIBYTE
from tilework.web.pages.forms import (
    BoardForm,
    describe_goal,
    format_board,
    format_goal,
    goal_choices,
    parse_goal,
    read_options,
    submit_form,
)
from tilework.web.pages.lab.lab import MAX_PANELS, form_url, method_text
from tilework.web.pages.lab.texts import (
    algorithm_families,
    compare_texts,
    comparison_texts,
    comparison_title,
    describe_limits,
    method_title,
    run_note,
    stop_reason_names,
)
from tilework.web.pages.numbers import format_figure
from tilework.web.pages.texts import state_names

BOARD, SWEEP = "board", "sweep"

_TEXT_FIELDS = (
    *("kind", "width", "height", "boards", "moves", "seed"),
    *("time_limit_s", "node_limit", "memory_limit_mb"),
)


def box_name(method: Method) -> str:
    """Return the value of a method's checkbox; weight and width have fields of their own."""
    return f"{method.algorithm}:{method.heuristic}" if method.heuristic else method.algorithm


DEFAULT_BOXES = ("a-star:manhattan", "ida-star:manhattan", "breadth-first")


@dataclass(frozen=True)
class ComparisonForm(BoardForm):
    kind: str = BOARD  # `board` or `sweep`
    width: str = "3"
    height: str = "3"
    boards: str = "40"
    moves: str = "120"
    seed: str = "1"
    weight: str = f"{DEFAULT_WEIGHT:g}"
    beam_width: str = str(DEFAULT_WIDTH)
    time_limit_s: str = ""  # empty means the default limit
    node_limit: str = ""
    memory_limit_mb: str = ""
    methods: tuple[str, ...] = DEFAULT_BOXES  # the ticked boxes, named by `box_name`

    @classmethod
    def from_form(cls, values: MultiDict[str, str]) -> Self:
        return replace(super().from_form(values), methods=tuple(values.getlist("method")))

    @classmethod
    def from_query(cls, values: MultiDict[str, str]) -> Self:
        methods = []
        for text in values.getlist("method"):
            try:
                methods.append(Method.from_text(text))
            except InputError:
                continue
        weights = [format_number(method.weight) for method in methods if method.weight is not None]
        widths = [str(method.width) for method in methods if method.width is not None]
        text_fields = {name: values[name] for name in _TEXT_FIELDS if name in values}
        return replace(
            super().from_query(values),
            **text_fields,
            weight=(weights or [cls.weight])[0],
            beam_width=(widths or [cls.beam_width])[0],
            methods=tuple(map(box_name, methods)) or DEFAULT_BOXES,
        )

    @property
    def has_limits(self) -> bool:
        return any((self.time_limit_s, self.node_limit, self.memory_limit_mb))

    def submit(self) -> str:
        """Submit the comparison and return its id."""
        sweep = ("width", "height", "boards", "moves", "seed")
        options = read_options(
            ComparisonOptions,
            {
                "width": _("Width"),
                "height": _("Height"),
                "boards": _("Boards"),
                "moves": _("Longest random walk"),
                "seed": _("Seed"),
                "time_limit_s": _("Seconds"),
                "node_limit": _("Node limit"),
                "memory_limit_mb": _("Memory (MB)"),
            },
            methods=self._selected_methods(),
            time_limit_s=self.time_limit_s,
            node_limit=self.node_limit,
            memory_limit_mb=self.memory_limit_mb,
            sweep={name: getattr(self, name) for name in sweep} if self.kind == SWEEP else None,
        )
        start, goal = self._read_boards(options.sweep)
        return services().comparisons.submit(current_client_id(), start, goal, options).id

    def _read_boards(self, sweep: Sweep | None) -> tuple[Board | None, Board]:
        settings = services().settings
        if sweep is None:
            return self.read_puzzle(settings.lab_max_cells)
        size = Size(sweep.width, sweep.height)
        check_cells(size, settings)
        return None, parse_goal(size, self.goal, self.goal_board)

    def _selected_methods(self) -> list[str]:
        if not self.methods:
            raise OptionError("no-methods", "a comparison needs at least one method")
        pairs = (box.partition(":") for box in dict.fromkeys(self.methods))
        return [
            method_text(name, heuristic, self.weight, self.beam_width)
            for name, _colon, heuristic in pairs
        ]


_RECENT = 8
_FIRST_BOARD = "7 5 8\n2 3 4\n1 0 6"  # 27 moves, enough for searches to differ


_COURSE_VERSIONS = (LabAlgorithm.DEPTH_FIRST_UNCHECKED, LabAlgorithm.A_STAR_REPLACE)


class Box(NamedTuple):
    name: str
    title: str
    guarantees_optimum: bool
    group: int  # the index of its `Group`


class Group(NamedTuple):
    title: str
    explanation: str
    boxes: list[Box]


def show_form() -> str:
    form = ComparisonForm.from_query(request.args)
    return _render_page(replace(form, board=form.board or _FIRST_BOARD))


def submit() -> Response:
    return submit_form(ComparisonForm.from_form(request.form), _submit, _render_page)


def _submit(form: ComparisonForm) -> str:
    return url_for("pages.comparison", comparison_id=form.submit())


def _render_page(form: ComparisonForm, problem: str = "") -> str:
    settings = services().settings
    groups = _list_groups()
    boxes = {box.name: box for group in groups for box in group.boxes}
    return render_template(
        "lab/compare.html",
        form=form,
        picture=form.picture(),
        problem=problem,
        texts=compare_texts(),
        goals=goal_choices(),
        groups=groups,
        chosen=[boxes[name] for name in dict.fromkeys(form.methods) if name in boxes],
        presets=_list_presets(),
        limits={
            "time_limit_s": (RUN_SECONDS, MAX_RUN_SECONDS),
            "node_limit": (RUN_NODES, MAX_RUN_NODES),
            "memory_limit_mb": (
                RUN_MEMORY_BYTES // MEBIBYTE,
                settings.lab_max_memory_bytes // MEBIBYTE,
            ),
        },
        max_cells=settings.lab_max_cells,
        max_boards=MAX_BOARDS,
        max_moves=MAX_MOVES,
        max_seed=MAX_SEED,
        recent=_list_recent(known_client_id()),
        states=state_names(),
    )


def _list_recent(client_id: str | None) -> list[tuple[Comparison, str, str]]:
    views = services().comparisons.list_by_client(client_id, _RECENT) if client_id else []
    return [
        (view, comparison_title(view), ", ".join(map(method_title, view.methods))) for view in views
    ]


def _list_presets() -> list[tuple[str, tuple[str, ...]]]:
    heuristics = ("hamming", "manhattan", "linear-conflict", "walking-distance", "pattern-database")
    return [
        (_("A* and IDA*"), ("a-star:manhattan", "ida-star:manhattan")),
        (_("Heuristics of A*"), tuple(f"a-star:{name}" for name in heuristics)),
        (
            _("Uninformed"),
            ("bidirectional", "breadth-first", "uniform-cost", "iterative-deepening"),
        ),
    ]


def _list_groups() -> list[Group]:
    """Return every method by family; those for lessons on what goes wrong come last."""
    families = [Group(family, "", []) for family, _names in algorithm_families()]
    course = Group(
        _("Course versions"), _("As often taught, with a flaw: the solution can be too long."), []
    )
    faulty = Group(
        _("Faulty heuristics"),
        _("They overestimate or miss distances, to show what goes wrong."),
        [],
    )
    groups = [*families, course, faulty]
    for family, (_title, names) in zip(families, algorithm_families(), strict=True):
        for name in names:
            for heuristic in LabHeuristic if ALGORITHMS[name].informed else (None,):
                group = course if name in _COURSE_VERSIONS else family
                if heuristic is not None and _is_faulty(heuristic):
                    group = faulty
                method = Method.of(name, heuristic)
                title = method_title(Method(name, heuristic))
                number = groups.index(group)
                group.boxes.append(Box(box_name(method), title, method.guarantees_optimum, number))
    return groups


def _is_faulty(heuristic: LabHeuristic) -> bool:
    return heuristic is LabHeuristic.FAULTY or not HEURISTICS[heuristic].admissible


def show(comparison_id: UUID) -> str:
    view = services().comparisons.view(str(comparison_id))
    return render_template(
        "lab/comparison.html",
        comparison=view,
        api=f"/api/v1/comparisons/{view.id}",
        title=comparison_title(view),
        summary=f"{describe_goal(view.goal)} · {describe_limits(view)}",
        states=state_names(),
        ended=len(view.runs) - view.unfinished,
        headings=headings(),
        rows=table_rows(view),
        proved=None if view.sweep else proven_length((run.method, run.length) for run in view.runs),
        form_url=_form_url(view),
        can_cancel=view.state == "running" and known_client_id() == view.client_id,
        texts=comparison_texts(view),
    )


def cancel(comparison_id: UUID) -> Response:
    services().comparisons.cancel(str(comparison_id), known_client_id() or "")
    return redirect(url_for("pages.comparison", comparison_id=comparison_id), HTTPStatus.SEE_OTHER)


def _form_url(view: Comparison) -> str:
    options: dict[str, Any] = {"goal": format_goal(view.goal)}
    if view.start is not None:
        options["board"] = format_board(view.start)
    if view.sweep is not None:
        sweep = view.sweep
        options |= {"kind": SWEEP, "width": view.goal.width, "height": view.goal.height}
        options |= {"boards": sweep.boards, "moves": sweep.moves, "seed": sweep.seed}
    limits = view.limits
    if limits != ComparisonOptions().limits:
        memory = None if limits.memory_bytes is None else limits.memory_bytes // MEBIBYTE
        seconds = None if limits.seconds is None else format_number(limits.seconds)
        options |= {"time_limit_s": seconds, "node_limit": limits.nodes, "memory_limit_mb": memory}
    return url_for("pages.compare", **options, method=[method.text for method in view.methods])


_COUNTS = ("visited", "generated", "max_frontier", "duplicates", "depth")
_STATISTICS = (*_COUNTS, "branching", "memory_bytes", "seconds")
_MISSING = "–"


class Figure(NamedTuple):
    """A cell, and the number by which it is sorted (None comes last)."""

    text: str
    value: float | None


class Row(NamedTuple):
    method: str
    title: str
    badge: str  # the style of the ending, named after a job's state
    ending: str
    note: str  # why a run ended without a solution, or empty
    figures: tuple[Figure, ...]
    steps: str | None  # the URL of the step-by-step view


def headings() -> list[str]:
    """Return the titles of the columns; soft hyphens allow long words to break."""
    return [
        pgettext("column", "Length"),
        _("Optimal"),
        _("Visited"),
        _("Generated"),
        _("Largest frontier"),
        pgettext("column", "Duplicates"),
        pgettext("column", "Depth"),
        pgettext("column", "Branching"),
        _("Memory"),
        _("Time"),
    ]


def table_rows(view: Comparison) -> list[Row]:
    if view.sweep is None:
        return [_make_run_row(view, run) for run in view.runs]
    by_method: dict[str, list[ComparedRun]] = {method.text: [] for method in view.methods}
    for run in view.runs:
        by_method[run.method.text].append(run)
    return [_make_sweep_row(runs) for runs in by_method.values()]


def _make_run_row(view: Comparison, run: ComparedRun) -> Row:
    badge, ending = _describe_ending(run)
    return Row(
        run.method.text,
        method_title(run.method),
        badge,
        ending,
        run_note(run),
        _make_figures([run], _make_optimal_figure(run)),
        _steps_url(view, run),
    )


def _describe_ending(run: ComparedRun) -> tuple[str, str]:
    if run.state is RunState.QUEUED:
        return "queued", _("waiting")
    if run.state is RunState.RUNNING:
        return "running", _("searching")
    if run.state is RunState.FAILED:
        return "failed", _("failed")
    if run.state is RunState.CANCELLED:
        return "cancelled", _("cancelled")
    if run.length is not None:
        return ("optimal" if run.optimal else "bounded"), _("solved")
    if run.stopped_by is not None:
        return "expired", stop_reason_names()[run.stopped_by]
    return "expired", _("none found")


def _make_optimal_figure(run: ComparedRun) -> Figure:
    if run.optimal is None:
        return Figure(_MISSING, None)
    return Figure(_("yes") if run.optimal else _("no"), float(run.optimal))


def _steps_url(view: Comparison, run: ComparedRun) -> str | None:
    if view.start is None:
        return None
    if view.window is not None and run in view.runs[:MAX_PANELS]:
        return url_for("pages.steps", comparison_id=view.id)
    return form_url(view, [run.method])


def _make_sweep_row(runs: Sequence[ComparedRun]) -> Row:
    ended = [run for run in runs if run.state.ended]
    solved = sum(run.length is not None for run in ended)
    shortest = sum(bool(run.optimal) for run in ended)
    badge = "optimal" if shortest == len(runs) else "bounded" if solved else "expired"
    ending = _("%(solved)s of %(boards)s solved", solved=solved, boards=len(runs))
    if len(ended) < len(runs):
        badge = "running" if ended else "queued"
        ending = _("%(ended)s of %(boards)s done", ended=len(ended), boards=len(runs))
    share = shortest / len(ended) if ended else None
    # A method that rejects one board of a sweep rejects all of them.
    notes = (run_note(run) for run in ended if run.state is RunState.FAILED)
    return Row(
        runs[0].method.text,
        method_title(runs[0].method),
        badge,
        ending,
        next(notes, ""),
        _make_figures(ended, Figure(f"{shortest} / {len(ended)}" if ended else _MISSING, share)),
        None,
    )


def _make_figures(runs: Sequence[ComparedRun], optimal: Figure) -> tuple[Figure, ...]:
    length = _median([run.length for run in runs if run.length is not None])
    counted = [run for run in runs if run.generated is not None]
    values = {name: _median([getattr(run, name) for run in counted]) for name in _STATISTICS}
    return (
        _make_length_figure(length),
        optimal,
        *(
            Figure(_MISSING if value is None else format_figure(name, value), value)
            for name, value in values.items()
        ),
    )


def _median(values: Sequence[float]) -> float | None:
    return median(values) if values else None


def _make_length_figure(value: float | None) -> Figure:
    return Figure(_MISSING if value is None else format_decimal(value, "#,##0.#"), value)
