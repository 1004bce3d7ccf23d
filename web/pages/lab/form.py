"""The form of the lab: a board, one or two methods, and which steps are kept."""

from __future__ import annotations

from dataclasses import dataclass, replace

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from tilework.core.formats.board_text import read_board
from tilework.core.puzzle.goals import GoalName, is_name
from tilework.core.services.lab.requests import ComparisonRequest
from tilework.core.services.lab.vocabulary import (
    ALGORITHMS,
    DEFAULT_HEURISTIC,
    DEFAULT_WEIGHT,
    DEFAULT_WIDTH,
    MAX_GAP,
    MAX_STEPS,
    MAX_WIDTH,
    LabAlgorithm,
    Method,
    Parameter,
    TraceWindow,
    exact,
)
from tilework.web.clients import current_client_id, services
from tilework.web.pages.boards import OWN_GOAL, board_for, goal_for, unsolvable_words
from tilework.web.pages.typed_numbers import read_number, read_whole

SIDE_BY_SIDE = 2
"""Methods that the page of steps shows."""

_WINDOW = TraceWindow()
_STEPS = ("first", "last", "every")


@dataclass(frozen=True)
class MethodFields:
    """The form's fields of one method, as text; without an algorithm there is no method."""

    algorithm: str = ""
    heuristic: str = DEFAULT_HEURISTIC
    weight: str = f"{DEFAULT_WEIGHT:g}"
    width: str = str(DEFAULT_WIDTH)

    @classmethod
    def of(cls, method: Method) -> MethodFields:
        """Return the fields of a method."""
        given: dict[str, object] = {
            "heuristic": method.heuristic,
            "weight": method.weight and exact(method.weight),
            "width": method.width,
        }
        filled = {name: str(value) for name, value in given.items() if value is not None}
        return cls(method.algorithm, **filled)

    def method(self) -> Method:
        """Read them; what the algorithm does not take is ignored.

        Raises
        ------
        OptionError
            At a name that is not offered, or a number that cannot be read.
        """
        known = self.algorithm in list(LabAlgorithm)
        facts = ALGORITHMS[LabAlgorithm(self.algorithm)] if known else None
        parameter = facts.parameter if facts else None
        weight = width = None
        if parameter is Parameter.WEIGHT:
            weight = read_number(_("Weight"), self.weight)
        elif parameter is Parameter.WIDTH:
            width = read_whole(_("Beam width"), self.width, 1, MAX_WIDTH)
        heuristic = self.heuristic if facts and facts.informed else None
        return Method.of(self.algorithm, heuristic, weight=weight, width=width)


_FIRST = MethodFields(LabAlgorithm.A_STAR)
_SECOND = MethodFields(LabAlgorithm.BREADTH_FIRST)


@dataclass(frozen=True)
class LabForm:
    """The form's fields as text, the way the browser sends them and gets them back."""

    board: str = ""
    goal: str = GoalName.BLANK_LAST
    goal_board: str = ""
    methods: tuple[MethodFields, ...] = (_FIRST, _SECOND)
    first: str = str(_WINDOW.first)
    last: str = str(_WINDOW.last)
    every: str = str(_WINDOW.every)
    exhaust: str = ""

    @classmethod
    def sent(cls, fields: MultiDict[str, str]) -> LabForm:
        """Read a form's fields; those left out have their defaults."""
        methods = tuple(
            replace(one, **_given(fields, prefix, "algorithm", "heuristic", "weight", "width"))
            for prefix, one in (("", _FIRST), ("second_", MethodFields()))
        )
        names = ("board", "goal", "goal_board", "exhaust", *_STEPS)
        return cls(methods=methods, **_given(fields, "", *names))

    @classmethod
    def linked(cls, query: MultiDict[str, str]) -> LabForm:
        """Read an address: a board, a goal, steps, up to two methods in a word each.

        Raises
        ------
        OptionError
            At a method that is not offered.
        """
        form = cls(methods=cls.methods, **_given(query, "", "board", *_STEPS))
        goal = query.get("goal", GoalName.BLANK_LAST)
        own = not is_name(goal)
        form = replace(form, goal=OWN_GOAL if own else goal, goal_board=goal if own else "")
        methods = [MethodFields.of(Method.from_text(text)) for text in query.getlist("method")]
        if methods:
            form = replace(form, methods=(*methods, MethodFields())[:SIDE_BY_SIDE])
        return form

    def request(self) -> ComparisonRequest:
        """Read the fields as a request for a comparison with its steps.

        Raises
        ------
        InputError
            At a field that cannot be read.
        """
        start = board_for(self.board, services().settings.lab_max_cells)
        first, second = self.methods
        methods = [one.method() for one in (first, second) if one is first or one.algorithm]
        return ComparisonRequest(
            client_id=current_client_id(),
            start=start,
            goal=goal_for(start.size, self.goal, self.goal_board),
            methods=list(dict.fromkeys(methods)),
            window=TraceWindow(
                read_whole(_("The first"), self.first, 0, MAX_STEPS),
                read_whole(_("The last"), self.last, 0, MAX_STEPS),
                read_whole(_("Every n-th between"), self.every, 0, MAX_GAP),
            ),
            exhaust=bool(self.exhaust),
        )

    def parity_words(self) -> str:
        """Return that the board cannot be solved, and why, in the visitor's language."""
        start = read_board(self.board)
        return unsolvable_words(start, goal_for(start.size, self.goal, self.goal_board))


def _given(fields: MultiDict[str, str], prefix: str, *names: str) -> dict[str, str]:
    return {name: fields[prefix + name] for name in names if prefix + name in fields}
