"""The form of a comparison: its fields as text, and what they ask for."""

from __future__ import annotations

from dataclasses import dataclass, fields

from flask import request

from core.errors import InputError, OptionError
from core.formats.board_text import read_board, read_goal
from core.puzzle.board import Board, Size
from core.puzzle.goals import GoalName, is_name
from core.puzzle.solvability import explain
from core.search.lab_names import ALGORITHMS, Parameter
from core.search.method import (
    DEFAULT_METHODS,
    DEFAULT_WEIGHT,
    DEFAULT_WIDTH,
    MAX_WIDTH,
    Method,
    exact,
)
from core.services.lab.requests import ComparisonRequest, RunLimits
from core.services.lab.sweep import MAX_BOARDS, MAX_MOVES, MAX_SEED, Sweep
from web.clients import current_client_id, services
from web.pages.boards import OWN_GOAL, goal_for
from web.pages.language import current
from web.pages.typed_numbers import read_number, read_whole

BOARD, SWEEP = "board", "sweep"

_PLAIN = (
    *("kind", "board", "width", "height", "boards", "moves", "seed"),
    *("time_limit_s", "node_limit", "memory_limit_mb"),
)
_MOST_NODES = 10**12
_MEBIBYTE = 2**20


def box_of(method: Method) -> str:
    """Name a method's box in the form: the method without weight and width, typed beside it."""
    return f"{method.algorithm}:{method.heuristic}" if method.heuristic else method.algorithm


DEFAULT_BOXES = tuple(box_of(method) for method in DEFAULT_METHODS)


@dataclass(frozen=True)
class ComparisonForm:
    """The fields as text, the way the browser sends them and gets them back.

    Attributes
    ----------
    kind : str
        ``board`` or ``sweep``.
    methods : tuple of str
        The ticked boxes, as `box_of` names them.
    time_limit_s, node_limit, memory_limit_mb : str
        Nothing is the service's own limit.
    """

    kind: str = BOARD
    board: str = ""
    goal: str = GoalName.BLANK_LAST
    goal_board: str = ""
    width: str = "3"
    height: str = "3"
    boards: str = "40"
    moves: str = "120"
    seed: str = "1"
    weight: str = f"{DEFAULT_WEIGHT:g}"
    beam_width: str = str(DEFAULT_WIDTH)
    time_limit_s: str = ""
    node_limit: str = ""
    memory_limit_mb: str = ""
    methods: tuple[str, ...] = DEFAULT_BOXES

    @classmethod
    def sent(cls) -> ComparisonForm:
        """Read what this request sends; fields left out have their first value."""
        form = request.form
        given = {field.name: form[field.name] for field in fields(cls) if field.name in form}
        return cls(**given | {"methods": tuple(form.getlist("method"))})  # type: ignore[arg-type]

    @classmethod
    def of_address(cls) -> ComparisonForm:
        """Return the empty form, or one with the board, goal and methods of the address."""
        given = request.args
        goal = given.get("goal", GoalName.BLANK_LAST)
        own = not is_name(goal)
        methods = []
        for text in given.getlist("method"):
            try:
                methods.append(Method.from_text(text))
            except InputError:
                continue
        weights = [exact(one.weight) for one in methods if one.weight is not None]
        widths = [str(one.width) for one in methods if one.width is not None]
        plain = {name: given[name] for name in _PLAIN if name in given}
        return cls(
            **plain,
            goal=OWN_GOAL if own else goal,
            goal_board=goal if own else "",
            weight=(weights or [cls.weight])[0],
            beam_width=(widths or [cls.beam_width])[0],
            methods=tuple(map(box_of, methods)) or DEFAULT_BOXES,
        )

    @property
    def limited(self) -> bool:
        """Whether the form brings limits of its own."""
        return any((self.time_limit_s, self.node_limit, self.memory_limit_mb))

    def request(self) -> ComparisonRequest:
        """Read the fields as a request.

        Raises
        ------
        InputError
            At a field that cannot be read.
        """
        start, goal, sweep = self._of_sweep() if self.kind == SWEEP else self._of_board()
        return ComparisonRequest(
            client_id=current_client_id(),
            start=start,
            goal=goal,
            methods=self._chosen(),
            limits=self._limits(),
            sweep=sweep,
        )

    def parity_words(self) -> str:
        """Return why the board cannot be solved, in the visitor's language."""
        start, goal, _ = self._of_board()
        return explain(start, goal, current()).words

    def _of_board(self) -> tuple[Board, Board, None]:
        start = read_board(self.board, max_cells=services().settings.lab_max_cells)
        return start, goal_for(start, self.goal, self.goal_board), None

    def _of_sweep(self) -> tuple[None, Board, Sweep]:
        settings = services().settings
        cells = settings.lab_max_cells
        size = Size(read_whole(self.width, 1, cells), read_whole(self.height, 1, cells))
        if size.cells > cells:
            raise OptionError(
                f"a board of {size} has {size.cells} cells; this service takes at most {cells}"
            )
        goal = read_goal(self.goal_board if self.goal == OWN_GOAL else self.goal, size)
        return (
            None,
            goal,
            Sweep(
                boards=read_whole(self.boards, 1, MAX_BOARDS),
                moves=read_whole(self.moves, 1, MAX_MOVES),
                seed=read_whole(self.seed, 0, MAX_SEED),
            ),
        )

    def _chosen(self) -> list[Method]:
        """The ticked methods; those of the default choice first and in its order, quick to slow."""
        rank = {box: place for place, box in enumerate(DEFAULT_BOXES)}
        boxes = sorted(dict.fromkeys(self.methods), key=lambda box: rank.get(box, len(rank)))
        return [self._method(box) for box in boxes]

    def _method(self, box: str) -> Method:
        name, _, heuristic = box.partition(":")
        parameter = ALGORITHMS[Method.of(name).algorithm].parameter
        return Method.of(
            name,
            heuristic or None,
            weight=read_number(self.weight) if parameter is Parameter.WEIGHT else None,
            width=read_whole(self.beam_width, 1, MAX_WIDTH)
            if parameter is Parameter.WIDTH
            else None,
        )

    def _limits(self) -> RunLimits:
        most = services().settings.lab_max_memory_bytes // _MEBIBYTE
        return RunLimits(
            seconds=read_number(self.time_limit_s) if self.time_limit_s.strip() else None,
            nodes=read_whole(self.node_limit, 1, _MOST_NODES) if self.node_limit.strip() else None,
            memory_bytes=read_whole(self.memory_limit_mb, 1, most) * _MEBIBYTE
            if self.memory_limit_mb.strip()
            else None,
        )
