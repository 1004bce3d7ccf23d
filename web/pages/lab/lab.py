"""The lab: the form for one or two methods, and the page that shows their steps.

The script of that page loads the traces of the runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Final, NamedTuple, Self, cast
from uuid import UUID

from flask import render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from tilework.core.errors import OptionError
from tilework.core.lab.methods import (
    ALGORITHMS,
    DEFAULT_HEURISTIC,
    DEFAULT_WEIGHT,
    DEFAULT_WIDTH,
    PATH_SEARCHES,
    LabAlgorithm,
    Method,
    Parameter,
    format_number,
)
from tilework.core.lab.result import MAX_STEPS, Outcome, TraceWindow
from tilework.core.model.comparisons import ComparedRun, Comparison, ComparisonOptions
from tilework.core.search.limits import StopReason
from tilework.web.clients import current_client_id, services
from tilework.web.i18n import gettext as _
from tilework.web.pages.examples import lab_examples
from tilework.web.pages.forms import (
    BoardForm,
    describe_error,
    describe_goal,
    encode_tiles,
    format_board,
    format_goal,
    goal_choices,
    read_options,
    submit_form,
)
from tilework.web.pages.lab.texts import (
    PseudocodeLine,
    algorithm_families,
    algorithm_names,
    code_lines,
    describe_guarantee,
    heuristic_names,
    method_title,
    run_note,
    statistic_names,
    stop_reason_names,
)
from tilework.web.pages.texts import board_texts, home_texts, unit_texts

MAX_PANELS = 2
"""Methods shown side by side on the page of steps."""

_DEFAULT_WINDOW = TraceWindow()
_STEPS = ("first", "last", "every")


@dataclass(frozen=True)
class MethodFields:
    """The form fields of a method; an empty algorithm means no method."""

    algorithm: str = ""
    heuristic: str = DEFAULT_HEURISTIC
    weight: str = f"{DEFAULT_WEIGHT:g}"
    width: str = str(DEFAULT_WIDTH)

    @classmethod
    def from_method(cls, method: Method) -> MethodFields:
        options: dict[str, object] = {
            "heuristic": method.heuristic,
            "weight": method.weight and format_number(method.weight),
            "width": method.width,
        }
        texts = {name: str(value) for name, value in options.items() if value is not None}
        return cls(method.algorithm, **texts)

    def text(self) -> str:
        return method_text(self.algorithm, self.heuristic, self.weight, self.width)


_FIRST_METHOD = MethodFields(LabAlgorithm.A_STAR)
_SECOND_METHOD = MethodFields(LabAlgorithm.BREADTH_FIRST)


@dataclass(frozen=True)
class LabForm(BoardForm):
    methods: tuple[MethodFields, ...] = (_FIRST_METHOD, _SECOND_METHOD)
    first: str = str(_DEFAULT_WINDOW.first)
    last: str = str(_DEFAULT_WINDOW.last)
    every: str = str(_DEFAULT_WINDOW.every)
    exhaust: str = ""

    @property
    def has_steps(self) -> bool:
        """Whether the steps to record are not the default ones."""
        return any(getattr(self, name) != getattr(LabForm, name) for name in _STEPS)

    @classmethod
    def from_form(cls, values: MultiDict[str, str]) -> Self:
        methods = tuple(
            replace(
                fields,
                **_select_values(values, prefix, "algorithm", "heuristic", "weight", "width"),
            )
            for prefix, fields in (("", _FIRST_METHOD), ("second_", MethodFields()))
        )
        return replace(super().from_form(values), methods=methods)

    @classmethod
    def from_query(cls, values: MultiDict[str, str]) -> Self:
        """Parse a URL with a board, a goal, the steps and up to two methods."""
        form = super().from_query(values)
        first, last, every = (values.get(name, getattr(form, name)) for name in _STEPS)
        exhaust = values.get("exhaust", "")
        form = replace(form, first=first, last=last, every=every, exhaust=exhaust)
        methods = [
            MethodFields.from_method(Method.from_text(text)) for text in values.getlist("method")
        ]
        if methods:
            form = replace(form, methods=(*methods, MethodFields())[:MAX_PANELS])
        return form

    def submit(self) -> str:
        """Submit the comparison and return its id."""
        start, goal = self.read_puzzle(services().settings.lab_max_cells)
        first, second = self.methods
        options = read_options(
            ComparisonOptions,
            {
                "first": _("First steps"),
                "last": _("Last steps"),
                "every": _("Every nth step in between"),
            },
            methods=[
                fields.text() for fields in (first, second) if fields is first or fields.algorithm
            ],
            trace={name: getattr(self, name) for name in _STEPS},
            exhaust=bool(self.exhaust),
        )
        return services().comparisons.submit(current_client_id(), start, goal, options).id


def method_text(algorithm: str, heuristic: str, weight: str, width: str) -> str:
    """Return a method as text, with its heuristic and its weight or width, if it has them."""
    facts = ALGORITHMS.get(cast("LabAlgorithm", algorithm))
    if facts is None:
        return algorithm
    number = {Parameter.WEIGHT: weight, Parameter.WIDTH: width, None: ""}[facts.parameter]
    parts = (algorithm, heuristic if facts.informed else "", number.replace(",", "."))
    return ":".join(filter(None, parts))


def _select_values(fields: MultiDict[str, str], prefix: str, *names: str) -> dict[str, str]:
    return {name: fields[prefix + name] for name in names if prefix + name in fields}


def form_url(view: Comparison, methods: Sequence[Method]) -> str:
    """Return the URL of the form with the board, the goal and the steps of a comparison."""
    start, window = view.start, view.window
    return url_for(
        "pages.lab",
        **({} if window in (None, _DEFAULT_WINDOW) else asdict(window)),
        board=None if start is None else format_board(start),
        goal=format_goal(view.goal),
        method=[method.text for method in methods],
        exhaust=None if start is None or start.is_solvable(view.goal) else "yes",
    )


def show() -> str:
    try:
        form, problem = LabForm.from_query(request.args), ""
    except OptionError as error:
        form, problem = LabForm(board=request.args.get("board", "")), describe_error(error)
    return _render_page(replace(form, board=form.board or _first_board()), problem)


def submit() -> Response:
    return submit_form(LabForm.from_form(request.form), _submit, _render_page)


def _submit(form: LabForm) -> str:
    return url_for("pages.steps", comparison_id=form.submit())


def _render_page(form: LabForm, problem: str = "") -> str:
    return render_template(
        "lab/lab.html",
        form=form,
        picture=form.picture(),
        problem=problem,
        texts=home_texts(),
        examples=lab_examples(),
        first_text=_first_board(),
        goals=goal_choices(),
        algorithms=algorithm_names(),
        families=algorithm_families(),
        heuristics=heuristic_names(),
        facts=ALGORITHMS,
        describe_guarantee=describe_guarantee,
        max_trace_steps=MAX_STEPS,
        max_cells=services().settings.lab_max_cells,
    )


def _first_board() -> str:
    return lab_examples()[1].text


_MAX_WORKSHEET_CELLS: Final = 25
"""The boards of a worksheet's tree with more cells would be too small to fill in."""


class Panel(NamedTuple):
    """The part of the page for one run; the message says why it has no solution."""

    run: ComparedRun
    title: str
    keeps_path: bool
    message: str
    code: list[PseudocodeLine]


def show_steps(comparison_id: UUID) -> str:
    comparison = services().comparisons.view(str(comparison_id))
    is_traced = comparison.window is not None and comparison.start is not None
    return render_template(
        "lab/steps.html",
        comparison=comparison,
        api=f"/api/v1/comparisons/{comparison.id}",
        size=str(comparison.goal.size),
        goal=describe_goal(comparison.goal),
        tiles=encode_tiles(comparison.start) if comparison.start is not None else "",
        panels=[_make_panel(run) for run in comparison.runs[:MAX_PANELS]] if is_traced else [],
        omitted_methods=max(0, len(comparison.runs) - MAX_PANELS) if is_traced else 0,
        has_worksheet=has_worksheet(comparison),
        form_url=form_url(comparison, comparison.methods[:MAX_PANELS]),
        statistics=statistic_names(),
        texts=steps_texts(),
    )


def _make_panel(run: ComparedRun) -> Panel:
    return Panel(
        run,
        method_title(run.method),
        run.method.algorithm in PATH_SEARCHES,
        run_note(run),
        code_lines(run.method.algorithm),
    )


def outcome_names() -> dict[str, str]:
    return {
        Outcome.NEW: _("new"),
        Outcome.DUPLICATE: _("already known"),
        Outcome.CHEAPER: _("cheaper path"),
        Outcome.CUT: _("pruned"),
        Outcome.FORBIDDEN: _("not allowed"),
    }


def steps_texts() -> dict[str, str | dict[str, str]]:
    return {
        **board_texts(),
        "play": _("Play"),
        "pause": _("Pause"),
        "speed": _("{speed} steps/s"),
        "before_steps": _("Start"),
        "after_steps": _("End"),
        "step_of": _("Step {step} of {steps}"),
        "ended_after": _("Finished after {steps} steps."),
        "ended_after_one": _("Finished after 1 step."),
        "not_kept": _("Step {step} was not recorded; showing step {shown}."),
        "expands": _("Expanded in step {step}"),
        "the_start": _("Start"),
        "the_goal": _("The goal, where the backward search starts"),
        "ended_at_goal": _("Goal reached"),
        "ended_where_met": _("The two searches met here"),
        "ended": _("Search finished"),
        "waits": _("In the frontier"),
        "depth": _("depth {depth}"),
        "kinds": {
            "current": _("Expanded now"),
            "expanded": _("Already expanded"),
            "waiting": _("In the frontier"),
            "cheaper": _("In the frontier, reached by a cheaper path"),
            "duplicate": _("A board already known"),
            "cut": _("Pruned: not expanded"),
            "forbidden": _("Not allowed: it would undo the previous move"),
        },
        "outcomes": outcome_names(),
        "tree": _("Search tree after step {step}, {nodes} nodes"),
        "and_more": _("and {count} more"),
        "frontier_empty": _("The frontier is empty."),
        "no_gap": _("Every step is recorded."),
        "gap": _("Steps {first} to {last} were not recorded."),
        "gap_one": _("Step {step} was not recorded."),
        "gaps": _(
            "{kept} of {steps} steps were recorded; some steps from {first} to {last} are missing."
        ),
        "endings": {
            "already_solved": _("already solved"),
            "optimal": _("{moves} moves, optimal"),
            "optimal_one": _("1 move, optimal"),
            "longer": _("{moves} moves, not optimal"),
            "solved": _("{moves} moves"),
            "solved_one": _("1 move"),
            "none": _("no solution found"),
            "failed": _("failed"),
            **{str(reason): words for reason, words in stop_reason_names().items()},
            str(StopReason.CANCELLED): _("cancelled"),
        },
        **unit_texts(),
        "no_step": _("the search ended before its first step"),
        "no_steps": _("the steps of this run were not recorded"),
        "no_trace": _("The steps cannot be shown: {reason}"),
        "lost": _("Connection lost. Retrying in {seconds} s; the runs continue in the meantime."),
    }


def has_worksheet(comparison: Comparison) -> bool:
    start, window = comparison.start, comparison.window
    if start is None or window is None:
        return False
    return window.first > 0 and start.size.cells <= _MAX_WORKSHEET_CELLS
