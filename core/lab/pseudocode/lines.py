"""A line of pseudocode, and what of a step it stands for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Moment(StrEnum):
    """What happens in a search: the page lights the lines at which it does.

    ``start``, ``goal`` and ``exhausted`` are before the first step and after the last. A step is a
    node's expansion: ``again`` if it begins a new search at the start, ``back`` if the one before
    it had nothing left to try. The others are the outcomes of its successors, by the names that
    `tilework.core.lab.trace.Outcome` has for them.
    """

    START = "start"
    AGAIN = "again"
    BACK = "back"
    TAKE = "take"
    EXPAND = "expand"
    NEW = "new"
    DUPLICATE = "duplicate"
    CHEAPER = "cheaper"
    CUT = "cut"
    FORBIDDEN = "forbidden"
    GOAL = "goal"
    EXHAUSTED = "exhausted"


@dataclass(frozen=True, slots=True, init=False)
class CodeLine:
    """A line of an algorithm's pseudocode.

    Attributes
    ----------
    words : str
        In English; the catalogues have them in other languages.
    depth : int
        How far it is indented.
    moments : tuple of Moment
        May be empty: then no step stands at it.
    """

    words: str
    depth: int
    moments: tuple[Moment, ...]

    def __init__(self, words: str, depth: int = 0, *moments: Moment) -> None:
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "depth", depth)
        object.__setattr__(self, "moments", moments)


Code = tuple[CodeLine, ...]
