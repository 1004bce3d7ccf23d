"""The lab: watch one or two methods search step by step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Self

from flask import render_template, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from tilework.core.errors import OptionError
from tilework.core.lab.methods import (
    ALGORITHMS,
    DEFAULT_HEURISTIC,
    DEFAULT_WEIGHT,
    DEFAULT_WIDTH,
    LabAlgorithm,
    Method,
    format_number,
)
from tilework.core.lab.result import MAX_GAP, MAX_STEPS, TraceWindow
from tilework.core.model.comparisons import ComparisonRequest, ComparisonView
from tilework.web.clients import current_client_id, services
from tilework.web.i18n import gettext as _
from tilework.web.pages.examples import lab_examples
from tilework.web.pages.forms import (
    BoardForm,
    describe_error,
    format_board,
    format_goal,
    goal_choices,
    read_integer,
    submit_form,
)
from tilework.web.pages.lab.comparison_form import read_method
from tilework.web.pages.lab.texts import (
    algorithm_families,
    algorithm_names,
    describe_guarantee,
    heuristic_names,
)
from tilework.web.pages.texts import home_texts

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

    def method(self) -> Method:
        informed = ALGORITHMS[Method.of(self.algorithm).algorithm].informed
        return read_method(
            self.algorithm, self.heuristic if informed else None, self.weight, self.width
        )


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

    def request(self) -> ComparisonRequest:
        start, goal = self.read_puzzle(services().settings.lab_max_cells)
        first, second = self.methods
        methods = [
            fields.method() for fields in (first, second) if fields is first or fields.algorithm
        ]
        return ComparisonRequest(
            client_id=current_client_id(),
            start=start,
            goal=goal,
            methods=list(dict.fromkeys(methods)),
            window=TraceWindow(
                read_integer(_("First steps"), self.first, 0, MAX_STEPS),
                read_integer(_("Last steps"), self.last, 0, MAX_STEPS),
                read_integer(_("Every nth step in between"), self.every, 0, MAX_GAP),
            ),
            exhaust=bool(self.exhaust),
        )


def _select_values(fields: MultiDict[str, str], prefix: str, *names: str) -> dict[str, str]:
    return {name: fields[prefix + name] for name in names if prefix + name in fields}


def form_url(view: ComparisonView, methods: Sequence[Method]) -> str:
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
    return url_for("pages.steps", comparison_id=services().comparisons.submit(form.request()).id)


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
