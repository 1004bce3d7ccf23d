"""The pseudocode of every algorithm of the lab: what its file begins with, line by line."""

from __future__ import annotations

from typing import Final

from tilework.core.lab.names import LabAlgorithm
from tilework.core.lab.pseudocode import best_first, breadth_first, depth_first
from tilework.core.lab.pseudocode.lines import Code

PSEUDOCODE: Final[dict[LabAlgorithm, Code]] = {
    LabAlgorithm.BACKTRACKING: depth_first.BACKTRACKING,
    LabAlgorithm.BACKTRACKING_VISITED: depth_first.BACKTRACKING_VISITED,
    LabAlgorithm.BACKTRACKING_STACK: depth_first.BACKTRACKING_STACK,
    LabAlgorithm.DEPTH_FIRST_RECURSIVE: depth_first.DEPTH_FIRST_RECURSIVE,
    LabAlgorithm.DEPTH_FIRST: depth_first.DEPTH_FIRST,
    LabAlgorithm.DEPTH_FIRST_UNCHECKED: depth_first.DEPTH_FIRST_UNCHECKED,
    LabAlgorithm.BREADTH_FIRST: breadth_first.BREADTH_FIRST,
    LabAlgorithm.ITERATIVE_DEEPENING: depth_first.ITERATIVE_DEEPENING,
    LabAlgorithm.BIDIRECTIONAL: breadth_first.BIDIRECTIONAL,
    LabAlgorithm.UNIFORM_COST: best_first.UNIFORM_COST,
    LabAlgorithm.GREEDY: best_first.GREEDY,
    LabAlgorithm.A_STAR: best_first.A_STAR,
    LabAlgorithm.A_STAR_CLOSED: best_first.A_STAR_CLOSED,
    LabAlgorithm.A_STAR_DECREASE_KEY: best_first.A_STAR_DECREASE_KEY,
    LabAlgorithm.A_STAR_REPLACE: best_first.A_STAR_REPLACE,
    LabAlgorithm.A_STAR_PARENT: best_first.A_STAR_PARENT,
    LabAlgorithm.WEIGHTED_A_STAR: best_first.WEIGHTED_A_STAR,
    LabAlgorithm.IDA_STAR: depth_first.IDA_STAR,
    LabAlgorithm.BEAM: breadth_first.BEAM,
}
