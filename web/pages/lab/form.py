"""The form of the lab: a board, one or two methods, and which steps are kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from flask_babel import gettext as _
from werkzeug.datastructures import MultiDict

from tilework.core.model.runs import ComparisonRequest
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
from tilework.web.pages.board_form import BoardForm
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
class LabForm(BoardForm):
    """A board, one or two methods, and which steps are kept, as text."""

    methods: tuple[MethodFields, ...] = (_FIRST, _SECOND)
    first: str = str(_WINDOW.first)
    last: str = str(_WINDOW.last)
    every: str = str(_WINDOW.every)
    exhaust: str = ""

    @classmethod
    def sent(cls, given: MultiDict[str, str]) -> Self:
        """Read a form's fields; those left out have their defaults."""
        methods = tuple(
            replace(one, **_given(given, prefix, "algorithm", "heuristic", "weight", "width"))
            for prefix, one in (("", _FIRST), ("second_", MethodFields()))
        )
        return replace(super().sent(given), methods=methods)

    @classmethod
    def linked(cls, given: MultiDict[str, str]) -> Self:
        """Read an address: a board, a goal, steps, up to two methods in a word each.

        Raises
        ------
        OptionError
            At a method that is not offered.
        """
        form = super().linked(given)
        first, last, every = (given.get(name, getattr(form, name)) for name in _STEPS)
        form = replace(form, first=first, last=last, every=every)
        methods = [MethodFields.of(Method.from_text(text)) for text in given.getlist("method")]
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
        start, goal = self.puzzle(services().settings.lab_max_cells)
        first, second = self.methods
        methods = [one.method() for one in (first, second) if one is first or one.algorithm]
        return ComparisonRequest(
            client_id=current_client_id(),
            start=start,
            goal=goal,
            methods=list(dict.fromkeys(methods)),
            window=TraceWindow(
                read_whole(_("The first"), self.first, 0, MAX_STEPS),
                read_whole(_("The last"), self.last, 0, MAX_STEPS),
                read_whole(_("Every n-th between"), self.every, 0, MAX_GAP),
            ),
            exhaust=bool(self.exhaust),
        )


def _given(fields: MultiDict[str, str], prefix: str, *names: str) -> dict[str, str]:
    return {name: fields[prefix + name] for name in names if prefix + name in fields}
