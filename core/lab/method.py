"""A method: an algorithm with its heuristic and parameter."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tilework.core.errors import OptionError
from tilework.core.lab.names import (
    ALGORITHMS,
    HEURISTICS,
    PUBLISHED,
    PUBLISHED_NAMES,
    Guarantee,
    LabAlgorithm,
    LabHeuristic,
    Parameter,
)

DEFAULT_HEURISTIC = LabHeuristic.MANHATTAN
DEFAULT_WEIGHT = 2.0
MAX_WEIGHT = 100.0
DEFAULT_WIDTH = 100
MAX_WIDTH = 100_000


@dataclass(frozen=True, slots=True)
class Method:
    """An algorithm with its heuristic and parameter; create it with `Method.of`."""

    algorithm: LabAlgorithm
    heuristic: LabHeuristic | None = None  # None if the algorithm uses none
    weight: float | None = None  # from 1 to 100; only for weighted A*
    width: int | None = None  # from 1 to 100,000; only for beam search

    @classmethod
    def of(
        cls,
        algorithm: str,
        heuristic: str | None = None,
        weight: float | None = None,
        width: int | None = None,
    ) -> Method:
        """Check the names and numbers, and apply defaults."""
        name = _parse_algorithm(algorithm)
        facts = ALGORITHMS[name]
        heuristic_name = None if heuristic is None else _parse_heuristic(heuristic)
        if heuristic_name is not None and not facts.informed:
            raise OptionError(
                "heuristic-unused",
                "{algorithm} uses no heuristic; omit {heuristic!r}",
                algorithm=name,
                heuristic=heuristic,
            )
        if weight is not None and facts.parameter is not Parameter.WEIGHT:
            raise OptionError(
                "weight-unused",
                "{algorithm} takes no weight; omit {weight:g}",
                algorithm=name,
                weight=weight,
            )
        if width is not None and facts.parameter is not Parameter.WIDTH:
            raise OptionError(
                "width-unused",
                "{algorithm} takes no width; omit {width}",
                algorithm=name,
                width=width,
            )
        if weight is not None and not 1 <= weight <= MAX_WEIGHT:
            raise OptionError(
                "weight",
                "invalid weight {weight:g}; use 1 to {max:g}",
                weight=weight,
                max=MAX_WEIGHT,
            )
        if width is not None and not 1 <= width <= MAX_WIDTH:
            raise OptionError(
                "beam-width",
                "invalid width {width}; use 1 to {max}",
                width=str(width)[:40],
                max=MAX_WIDTH,
            )
        return cls(
            name,
            (heuristic_name or DEFAULT_HEURISTIC) if facts.informed else None,
            (weight or DEFAULT_WEIGHT) if facts.parameter is Parameter.WEIGHT else None,
            (width or DEFAULT_WIDTH) if facts.parameter is Parameter.WIDTH else None,
        )

    @classmethod
    def from_text(cls, text: str) -> Method:
        """Parse the form of `text`: ``a-star:manhattan``, ``beam:manhattan:50``."""
        name, *parts = text.strip().split(":")
        if len(parts) > 2:
            raise OptionError(
                "method",
                "{text!r} is not a method; write one like a-star:manhattan",
                text=text[:60],
            )
        if not parts and name in PUBLISHED_NAMES.values():
            return cls.of(PUBLISHED, name)
        facts = ALGORITHMS[_parse_algorithm(name)]
        heuristic = parts[0] if parts else None
        if len(parts) < 2:
            return cls.of(name, heuristic)
        number = _parse_number(parts[1])
        if facts.parameter is Parameter.WIDTH:
            if number != int(number):
                raise OptionError(
                    "fractional-width", "invalid width {width:g}; use a whole number", width=number
                )
            return cls.of(name, heuristic, width=int(number))
        return cls.of(name, heuristic, weight=number)

    @property
    def text(self) -> str:
        parts: list[str] = [self.algorithm]
        if self.heuristic is not None:
            parts.append(self.heuristic)
        if self.weight is not None:
            parts.append(format_number(self.weight))
        if self.width is not None:
            parts.append(str(self.width))
        return ":".join(parts)

    @property
    def title(self) -> str:
        """The English title, such as ``Weighted A* · Manhattan · 2``."""
        return " · ".join(self.title_parts)

    @property
    def title_parts(self) -> list[str]:
        parts = [ALGORITHMS[self.algorithm].title]
        if self.heuristic is not None:
            parts.append(HEURISTICS[self.heuristic].title)
        if self.weight is not None:
            parts.append(format_number(self.weight))
        if self.width is not None:
            parts.append(str(self.width))
        return parts

    @property
    def guarantees_optimum(self) -> bool:
        """Whether solutions found by the algorithm with this heuristic are shortest."""
        guarantee = ALGORITHMS[self.algorithm].optimal
        if self.heuristic is None or guarantee in (Guarantee.ALWAYS, Guarantee.NEVER):
            return guarantee is Guarantee.ALWAYS
        facts = HEURISTICS[self.heuristic]
        return facts.consistent if guarantee is Guarantee.CONSISTENT else facts.admissible


def _parse_algorithm(name: str) -> LabAlgorithm:
    try:
        return LabAlgorithm(name)
    except ValueError:
        choices = ", ".join(LabAlgorithm)
        raise OptionError(
            "lab-algorithm",
            "unknown algorithm {name!r}; choose from {choices}",
            name=name[:40],
            choices=choices,
        ) from None


def _parse_heuristic(name: str) -> LabHeuristic:
    try:
        return LabHeuristic(name)
    except ValueError:
        choices = ", ".join(LabHeuristic)
        raise OptionError(
            "lab-heuristic",
            "unknown heuristic {name!r}; choose from {choices}",
            name=name[:40],
            choices=choices,
        ) from None


def _parse_number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise OptionError(
            "number", "{text!r} is not a number; write one like 2 or 1.5", text=text[:40]
        )
    return number


def format_number(number: float) -> str:
    """Return all digits of a number, without a fraction if it is whole."""
    return repr(number).removesuffix(".0")


# The methods compared by default, fast ones first
DEFAULT_METHODS = tuple(
    Method.from_text(text)
    for text in (
        "a-star:manhattan",
        "a-star:linear-conflict",
        "a-star:hamming",
        "ida-star:manhattan",
        "greedy:manhattan",
        "weighted-a-star:manhattan:2",
        "beam:manhattan:100",
        "bidirectional",
        "breadth-first",
        "depth-first",
    )
)


def pair_methods(algorithms: Sequence[str], heuristics: Sequence[str] = ()) -> tuple[Method, ...]:
    """Pair every algorithm with every heuristic; an uninformed algorithm appears once."""
    names = [_parse_heuristic(name) for name in heuristics] or [DEFAULT_HEURISTIC]
    methods = []
    for algorithm in algorithms:
        is_informed = ALGORITHMS[_parse_algorithm(algorithm)].informed
        methods += [Method.of(algorithm, name) for name in (names if is_informed else [None])]
    return tuple(dict.fromkeys(methods))


def proven_length(runs: Iterable[tuple[Method, int | None]]) -> int | None:
    """Return the optimal length of a board if the method of one of its runs guarantees it."""
    return next(
        (length for method, length in runs if length is not None and method.guarantees_optimum),
        None,
    )


def is_optimal(method: Method, length: int | None, optimum: int | None) -> bool | None:
    """Return whether a method's solution is shortest; None if unknown."""
    if length is None:
        return None
    if method.guarantees_optimum:
        return True
    return None if optimum is None else length == optimum
