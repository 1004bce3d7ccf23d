"""The form of a comparison."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from werkzeug.datastructures import MultiDict

from tilework.core.errors import InputError
from tilework.core.lab.methods import (
    ALGORITHMS,
    DEFAULT_METHODS,
    DEFAULT_WEIGHT,
    DEFAULT_WIDTH,
    MAX_WIDTH,
    Method,
    Parameter,
    format_number,
)
from tilework.core.model.comparisons import (
    MAX_BOARDS,
    MAX_MOVES,
    MAX_SEED,
    ComparisonRequest,
    RunLimits,
    Sweep,
    check_cells,
)
from tilework.core.puzzle.board import Board, Size
from tilework.web.clients import current_client_id, services
from tilework.web.i18n import gettext as _
from tilework.web.limits import MEBIBYTE
from tilework.web.pages.forms import BoardForm, parse_goal, read_integer, read_number

BOARD, SWEEP = "board", "sweep"

_TEXT_FIELDS = (
    *("kind", "width", "height", "boards", "moves", "seed"),
    *("time_limit_s", "node_limit", "memory_limit_mb"),
)
_MAX_NODES = 10**12


def box_name(method: Method) -> str:
    """Return the value of a method's checkbox; weight and width have fields of their own."""
    return f"{method.algorithm}:{method.heuristic}" if method.heuristic else method.algorithm


def read_method(algorithm: str, heuristic: str | None, weight: str, width: str) -> Method:
    """Return a method with its weight or width, if it has one, as typed."""
    parameter = ALGORITHMS[Method.of(algorithm).algorithm].parameter
    return Method.of(
        algorithm,
        heuristic,
        weight=read_number(_("Weight"), weight) if parameter is Parameter.WEIGHT else None,
        width=read_integer(_("Beam width"), width, 1, MAX_WIDTH)
        if parameter is Parameter.WIDTH
        else None,
    )


DEFAULT_BOXES = tuple(box_name(method) for method in DEFAULT_METHODS)


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

    def request(self) -> ComparisonRequest:
        start, goal, sweep = self._read_sweep() if self.kind == SWEEP else self._read_board()
        return ComparisonRequest(
            client_id=current_client_id(),
            start=start,
            goal=goal,
            methods=self._selected_methods(),
            limits=self._read_limits(),
            sweep=sweep,
        )

    def _read_board(self) -> tuple[Board, Board, None]:
        start, goal = self.read_puzzle(services().settings.lab_max_cells)
        return start, goal, None

    def _read_sweep(self) -> tuple[None, Board, Sweep]:
        settings = services().settings
        cells = settings.lab_max_cells
        size = Size(
            read_integer(_("Width"), self.width, 1, cells),
            read_integer(_("Height"), self.height, 1, cells),
        )
        check_cells(size, settings)
        return (
            None,
            parse_goal(size, self.goal, self.goal_board),
            Sweep(
                boards=read_integer(_("Boards"), self.boards, 1, MAX_BOARDS),
                moves=read_integer(_("Longest random walk"), self.moves, 1, MAX_MOVES),
                seed=read_integer(_("Seed"), self.seed, 0, MAX_SEED),
            ),
        )

    def _selected_methods(self) -> list[Method]:
        """Return the ticked methods; those of the default choice come first, from fast to slow."""
        rank = {box: index for index, box in enumerate(DEFAULT_BOXES)}
        boxes = sorted(dict.fromkeys(self.methods), key=lambda box: rank.get(box, len(rank)))
        pairs = (box.partition(":") for box in boxes)
        return [
            read_method(name, heuristic or None, self.weight, self.beam_width)
            for name, _colon, heuristic in pairs
        ]

    def _read_limits(self) -> RunLimits:
        seconds = nodes = memory_bytes = None
        if self.time_limit_s.strip():
            seconds = read_number(_("Seconds"), self.time_limit_s)
        if self.node_limit.strip():
            nodes = read_integer(_("Node limit"), self.node_limit, 1, _MAX_NODES)
        if self.memory_limit_mb.strip():
            max_memory = services().settings.lab_max_memory_bytes // MEBIBYTE
            megabytes = read_integer(_("Memory (MB)"), self.memory_limit_mb, 1, max_memory)
            memory_bytes = megabytes * MEBIBYTE
        return RunLimits(seconds=seconds, nodes=nodes, memory_bytes=memory_bytes)
