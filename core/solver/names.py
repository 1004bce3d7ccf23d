"""The names a user may give for an algorithm or a heuristic.

Names only: the web checks a request against them without loading a solver.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Algorithm(StrEnum):
    AUTO = "auto"
    A_STAR = "a-star"
    IDA_STAR = "ida-star"
    BEAM = "beam"
    CONSTRUCTIVE = "constructive"


class Heuristic(StrEnum):
    AUTO = "auto"
    MANHATTAN = "manhattan"
    LINEAR_CONFLICT = "linear-conflict"
    PATTERN_DATABASE = "pattern-database"


LOOK_UP: Final = "look-up"
"""What an answer is called that was read off a table of all distances. Nobody asks for it: where
the table is there, it serves whoever leaves the algorithm to us."""
