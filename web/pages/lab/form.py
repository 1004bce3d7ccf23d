"""The form of the lab, which compares methods or shows their steps.

Both pages have the same template. Their scripts and forms differ in what is recorded.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, Self, cast

from flask import render_template, request, url_for
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
    Parameter,
    format_number,
)
from tilework.core.lab.result import MAX_STEPS, TraceWindow
from tilework.core.model.comparisons import (
    MAX_BOARDS,
    MAX_MOVES,
    MAX_RUN_NODES,
    MAX_RUN_SECONDS,
    MAX_SEED,
    RUN_NODES,
    RUN_SECONDS,
    Comparison,
    ComparisonOptions,
    Sweep,
    check_cells,
)
from tilework.core.puzzle.board import Board, Size
from tilework.web.clients import current_client_id, services
from tilework.web.i18n import gettext as _
from tilework.web.limits import MEBIBYTE
from tilework.web.pages.examples import lab_examples
from tilework.web.pages.forms import (
    BoardForm,
    format_board,
    format_goal,
    goal_choices,
    parse_goal,
    read_options,
    submit_form,
)
from tilework.web.pages.lab.texts import algorithm_families, method_title

BOARD, SWEEP = "board", "sweep"

_SWEEP = ("width", "height", "boards", "moves", "seed")
_LIMITS = ("time_limit_s", "node_limit", "memory_limit_mb")
_STEPS = ("first", "last", "every")
_DEFAULT_WINDOW = TraceWindow()


def box_name(method: Method) -> str:
    """Return the value of a method's checkbox; weight and width have fields of their own."""
    return f"{method.algorithm}:{method.heuristic}" if method.heuristic else method.algorithm


@dataclass(frozen=True)
class LabForm(BoardForm):
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
    first: str = str(_DEFAULT_WINDOW.first)
    last: str = str(_DEFAULT_WINDOW.last)
    every: str = str(_DEFAULT_WINDOW.every)
    exhaust: str = ""
    methods: tuple[str, ...] = ()  # the ticked boxes, named by `box_name`

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
        names = ("kind", *_SWEEP, *_LIMITS, *_STEPS, "exhaust")
        return replace(
            super().from_query(values),
            **{name: values[name] for name in names if name in values},
            weight=(weights or [cls.weight])[0],
            beam_width=(widths or [cls.beam_width])[0],
            methods=tuple(map(box_name, methods)),
        )

    @property
    def has_options(self) -> bool:
        """Whether a limit or the steps to record are not the default ones."""
        names = (*_LIMITS, *_STEPS, "exhaust")
        return any(getattr(self, name) != getattr(LabForm, name) for name in names)

    def submit(self, *, traced: bool) -> str:
        """Submit the comparison, with the steps of its runs if it is `traced`; return its id."""
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
                "first": _("First steps"),
                "last": _("Last steps"),
                "every": _("Every nth step in between"),
            },
            methods=self._selected_methods(),
            **self._values(_LIMITS),
            sweep=self._values(_SWEEP) if self.kind == SWEEP else None,
            trace=self._values(_STEPS) if traced else None,
            exhaust=bool(self.exhaust),
        )
        start, goal = self._read_boards(options.sweep)
        return services().comparisons.submit(current_client_id(), start, goal, options).id

    def _values(self, names: Sequence[str]) -> dict[str, str]:
        return {name: getattr(self, name) for name in names}

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
        return list(map(self._complete, dict.fromkeys(self.methods)))

    def _complete(self, box: str) -> str:
        """Return the method of a box with the form's weight or width, unless it has its own."""
        facts = ALGORITHMS.get(cast("LabAlgorithm", box.partition(":")[0]))
        if facts is None or facts.parameter is None or box.count(":") > facts.informed:
            return box
        number = self.weight if facts.parameter is Parameter.WEIGHT else self.beam_width
        return f"{box}:{number.replace(',', '.')}"


def form_url(view: Comparison, methods: Sequence[Method] | None = None) -> str:
    """Return the URL of the form with the boards, options and methods of a comparison."""
    options: dict[str, Any] = {"goal": format_goal(view.goal)}
    if view.start is not None:
        options["board"] = format_board(view.start)
        options["exhaust"] = None if view.start.is_solvable(view.goal) else "yes"
    if view.sweep is not None:
        sweep = view.sweep
        options |= {"kind": SWEEP, "width": view.goal.width, "height": view.goal.height}
        options |= {"boards": sweep.boards, "moves": sweep.moves, "seed": sweep.seed}
    limits = view.limits
    if limits != ComparisonOptions().limits:
        memory = None if limits.memory_bytes is None else limits.memory_bytes // MEBIBYTE
        seconds = None if limits.seconds is None else format_number(limits.seconds)
        options |= {"time_limit_s": seconds, "node_limit": limits.nodes, "memory_limit_mb": memory}
    if view.window not in (None, _DEFAULT_WINDOW):
        options |= asdict(view.window)
    page = "pages.compare" if view.window is None else "pages.lab"
    texts = [method.text for method in (view.methods if methods is None else methods)]
    return url_for(page, **options, method=texts)


_FIRST_BOARD = "7 5 8\n2 3 4\n1 0 6"  # 27 moves, enough for searches to differ
_FIRST_METHODS = ("a-star:manhattan", "ida-star:manhattan", "breadth-first")
_TWO_METHODS = ("a-star:manhattan", "breadth-first")
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


def show_comparison_form() -> str:
    form = LabForm.from_query(request.args)
    board, methods = form.board or _FIRST_BOARD, form.methods or _FIRST_METHODS
    return _render_page(replace(form, board=board, methods=methods), traced=False)


def show_steps_form() -> str:
    form = LabForm.from_query(request.args)
    board, methods = form.board or lab_examples()[1].text, form.methods or _TWO_METHODS
    return _render_page(replace(form, board=board, methods=methods), traced=True)


def submit() -> Response:
    """Submit either form, which differ in their URLs."""
    traced = request.endpoint == "pages.submit_lab"

    def run(form: LabForm) -> str:
        page = "pages.steps" if traced else "pages.comparison"
        return url_for(page, comparison_id=form.submit(traced=traced))

    def render(form: LabForm, problem: str) -> str:
        return _render_page(form, problem, traced=traced)

    return submit_form(LabForm.from_form(request.form), run, render)


def _render_page(form: LabForm, problem: str = "", *, traced: bool) -> str:
    settings = services().settings
    groups = _list_groups()
    boxes = {box.name: box for group in groups for box in group.boxes}
    return render_template(
        "lab/form.html",
        form=form,
        traced=traced,
        picture=form.picture(),
        problem=problem,
        goals=goal_choices(),
        groups=groups,
        chosen=[boxes[name] for name in dict.fromkeys(form.methods) if name in boxes],
        presets=_list_presets(traced=traced),
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
        max_trace_steps=MAX_STEPS,
        examples=lab_examples() if traced else [],
    )


def _list_presets(*, traced: bool) -> list[tuple[str, tuple[str, ...]]]:
    if traced:
        return [
            (_("A* and IDA*"), ("a-star:manhattan", "ida-star:manhattan")),
            (_("A* and greedy search"), ("a-star:manhattan", "greedy:manhattan")),
            (_("Uninformed"), ("breadth-first", "iterative-deepening")),
        ]
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
