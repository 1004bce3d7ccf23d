"""The pseudocode of every algorithm, and the moment of a step that each line represents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tilework.core.lab.methods import LabAlgorithm


class Moment(StrEnum):
    """A moment of a search; the page highlights the lines that belong to the current one.

    ``start`` precedes the first step; ``goal`` or ``exhausted`` follow the last. A step is a node's
    expansion: ``again`` if it restarts at the root, ``back`` if the search has backtracked. The
    others are the outcomes of its successors, named as in `tilework.core.lab.result.Outcome`.
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
    words: str  # in English, translated by the message catalogues
    depth: int  # indentation
    moments: tuple[Moment, ...]  # may be empty

    def __init__(self, words: str, depth: int = 0, *moments: Moment) -> None:
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "depth", depth)
        object.__setattr__(self, "moments", moments)


Code = tuple[CodeLine, ...]

_DISCARD_DUPLICATE: Final = CodeLine(
    "if its board was already reached by an equally short or shorter path: discard it",
    2,
    Moment.DUPLICATE,
)
_SKIP_OUTDATED: Final = CodeLine(
    "if a shorter path to its board was found in the meantime: skip it", 1
)
_FOR_EACH_DIRECTION: Final = CodeLine(
    "for each direction of the blank (up, down, left, right), except back:",
    1,
    Moment.EXPAND,
    Moment.FORBIDDEN,
)
_FOR_SUCCESSORS_REVERSED: Final = CodeLine(
    "for each successor except the one that leads back, last to first:",
    2,
    Moment.EXPAND,
    Moment.FORBIDDEN,
)

BREADTH_FIRST: Final[Code] = (
    CodeLine("add the start to the frontier", 0, Moment.START),
    CodeLine("while the frontier is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("remove the node that was added first", 1, Moment.TAKE),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine("if its board is known: discard it", 2, Moment.DUPLICATE),
    CodeLine("if it is the goal: done", 2, Moment.GOAL),
    CodeLine("add it to the frontier", 2, Moment.NEW),
)
BIDIRECTIONAL: Final[Code] = (
    CodeLine("add the start to one frontier and the goal to the other", 0, Moment.START),
    CodeLine("while both frontiers have nodes:", 0, Moment.EXHAUSTED),
    CodeLine("for each node of the level, on the smaller side:", 1, Moment.TAKE),
    CodeLine("for each successor:", 2, Moment.EXPAND),
    CodeLine("if this side knows its board: discard it", 3, Moment.DUPLICATE),
    CodeLine("if the other side knows its board: join the two paths, done", 3, Moment.GOAL),
    CodeLine("add it to this side's frontier", 3, Moment.NEW),
)
BEAM: Final[Code] = (
    CodeLine("the beam contains only the start", 0, Moment.START),
    CodeLine("while the beam is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("for each node of the beam:", 1, Moment.TAKE),
    CodeLine("generate its successors", 2, Moment.EXPAND),
    CodeLine("discard boards already generated or in an earlier beam", 2, Moment.DUPLICATE),
    CodeLine("if the goal is among the successors: done", 1, Moment.GOAL),
    CodeLine("keep the nodes with the lowest h as the next beam, up to the width", 1, Moment.NEW),
    CodeLine("discard the others", 1, Moment.CUT),
)
BACKTRACKING: Final[Code] = (
    CodeLine("try a board:", 0, Moment.START, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    _FOR_EACH_DIRECTION,
    CodeLine("make the move", 2),
    CodeLine("try the board it leads to", 2, Moment.NEW),
    CodeLine("if the goal was found there: done", 2),
    CodeLine("undo the move", 2, Moment.BACK, Moment.EXHAUSTED),
)
BACKTRACKING_VISITED: Final[Code] = (
    CodeLine("try a board:", 0, Moment.START, Moment.TAKE),
    CodeLine("store it", 1),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    _FOR_EACH_DIRECTION,
    CodeLine("if the board it leads to was tried before: discard it", 2, Moment.DUPLICATE),
    CodeLine("make the move", 2),
    CodeLine("try the board it leads to", 2, Moment.NEW),
    CodeLine("if the goal was found there: done", 2),
    CodeLine("undo the move", 2, Moment.BACK, Moment.EXHAUSTED),
)
BACKTRACKING_STACK: Final[Code] = (
    CodeLine("push the start on the stack and mark it", 0, Moment.START),
    CodeLine("while the stack is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("pop the node that was pushed last", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    _FOR_EACH_DIRECTION,
    CodeLine("if the board it leads to is marked: discard it", 2, Moment.DUPLICATE),
    CodeLine("mark it and push it on the stack", 2, Moment.NEW),
)
DEPTH_FIRST_RECURSIVE: Final[Code] = (
    CodeLine("visit a board:", 0, Moment.START, Moment.TAKE),
    CodeLine("mark it", 1),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("generate all its successors", 1, Moment.EXPAND),
    CodeLine("for each successor:", 1, Moment.BACK, Moment.EXHAUSTED),
    CodeLine("if its board is marked: discard it", 2, Moment.DUPLICATE),
    CodeLine("visit it", 2, Moment.NEW),
    CodeLine("if the goal was found there: done", 2),
)
DEPTH_FIRST: Final[Code] = (
    CodeLine("push the start on the stack", 0, Moment.START),
    CodeLine("while the stack is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("pop the node that was pushed last", 1, Moment.TAKE),
    CodeLine("if its board is marked: skip it", 1),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("mark its board", 1),
    CodeLine("for each successor, last to first:", 1, Moment.EXPAND),
    CodeLine("if its board is marked: discard it", 2, Moment.DUPLICATE),
    CodeLine("push it on the stack", 2, Moment.NEW),
)
DEPTH_FIRST_UNCHECKED: Final[Code] = (
    CodeLine("push the start on the stack", 0, Moment.START),
    CodeLine("while the stack is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("pop the node that was pushed last", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("mark its board", 1),
    CodeLine("for each successor, first to last:", 1, Moment.EXPAND),
    CodeLine("if its board is marked: discard it", 2, Moment.DUPLICATE),
    CodeLine("push it on the stack", 2, Moment.NEW),
)
ITERATIVE_DEEPENING: Final[Code] = (
    CodeLine(
        "for limit = 1, 3, 5, … or 2, 4, 6, … (by parity):", 0, Moment.AGAIN, Moment.EXHAUSTED
    ),
    CodeLine("push the start on the stack", 1, Moment.START),
    CodeLine("while the stack is not empty:", 1),
    CodeLine("pop the node that was pushed last", 2, Moment.TAKE),
    _FOR_SUCCESSORS_REVERSED,
    CodeLine("if it is the goal: done", 3, Moment.GOAL),
    CodeLine(
        "if its board was searched with at least as many moves left: discard it",
        3,
        Moment.DUPLICATE,
    ),
    CodeLine("if it is limit moves from the start: discard it", 3, Moment.CUT),
    CodeLine("push it on the stack", 3, Moment.NEW),
)
IDA_STAR: Final[Code] = (
    CodeLine("threshold = h of the start", 0),
    CodeLine("repeat:", 0),
    CodeLine("push the start on the stack", 1, Moment.START),
    CodeLine("while the stack is not empty:", 1),
    CodeLine("pop the node that was pushed last", 2, Moment.TAKE),
    CodeLine("if it is the goal: done", 2, Moment.GOAL),
    _FOR_SUCCESSORS_REVERSED,
    CodeLine("if f = g + h exceeds the threshold: discard it", 3, Moment.CUT),
    CodeLine("push it on the stack", 3, Moment.NEW),
    CodeLine("threshold = the lowest f that exceeded it", 1, Moment.AGAIN, Moment.EXHAUSTED),
)
UNIFORM_COST: Final[Code] = (
    CodeLine("add the start to the frontier", 0, Moment.START),
    CodeLine("while the frontier is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("remove the node with the lowest g", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine("if its board is known: discard it", 2, Moment.DUPLICATE),
    CodeLine("add it to the frontier", 2, Moment.NEW),
)
GREEDY: Final[Code] = (
    CodeLine("add the start to the frontier", 0, Moment.START),
    CodeLine("while the frontier is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("remove the node with the lowest h", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine("if its board is known: discard it", 2, Moment.DUPLICATE),
    CodeLine("add it to the frontier", 2, Moment.NEW),
)
A_STAR: Final[Code] = (
    CodeLine("add the start to the frontier", 0, Moment.START),
    CodeLine("while the frontier is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("remove the node with the lowest f = g + h", 1, Moment.TAKE),
    _SKIP_OUTDATED,
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    _DISCARD_DUPLICATE,
    CodeLine("add it to the frontier", 2, Moment.NEW, Moment.CHEAPER),
)
A_STAR_CLOSED: Final[Code] = (
    CodeLine("add the start to the frontier", 0, Moment.START),
    CodeLine("while the frontier is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("remove the node with the lowest f = g + h whose board is not closed", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("close its board", 1),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine(
        "if its board is closed, or already reached by an equally short or shorter path: "
        "discard it",
        2,
        Moment.DUPLICATE,
    ),
    CodeLine("add it to the frontier", 2, Moment.NEW, Moment.CHEAPER),
)
A_STAR_DECREASE_KEY: Final[Code] = (
    CodeLine("add the start to the frontier", 0, Moment.START),
    CodeLine("while the frontier is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("remove the node with the lowest f = g + h", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    _DISCARD_DUPLICATE,
    CodeLine("if its board is new: add it to the frontier", 2, Moment.NEW),
    CodeLine(
        "otherwise replace it and move it up; put it back if it was expanded", 2, Moment.CHEAPER
    ),
)
A_STAR_REPLACE: Final[Code] = (
    CodeLine("add the start to the frontier, a binary heap ordered by f alone", 0, Moment.START),
    CodeLine("while the frontier is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("remove the node at the top of the heap and close its board", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine(
        "if its board is closed, or is in the frontier with an equal or shorter path: discard it",
        2,
        Moment.DUPLICATE,
    ),
    CodeLine(
        "if its board is in the frontier: delete its entry from the heap's list", 2, Moment.CHEAPER
    ),
    CodeLine("push it on the heap", 2, Moment.NEW, Moment.CHEAPER),
)
A_STAR_PARENT: Final[Code] = (
    CodeLine("add the start to the frontier", 0, Moment.START),
    CodeLine("while the frontier is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("remove the node with the lowest f = g + h", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine(
        "for each successor except the one that leads back:", 1, Moment.EXPAND, Moment.FORBIDDEN
    ),
    CodeLine("add it to the frontier", 2, Moment.NEW),
)
WEIGHTED_A_STAR: Final[Code] = (
    CodeLine("add the start to the frontier", 0, Moment.START),
    CodeLine("while the frontier is not empty:", 0, Moment.EXHAUSTED),
    CodeLine("remove the node with the lowest f = g + w·h", 1, Moment.TAKE),
    _SKIP_OUTDATED,
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    _DISCARD_DUPLICATE,
    CodeLine("add it to the frontier", 2, Moment.NEW, Moment.CHEAPER),
)


PSEUDOCODE: Final[dict[LabAlgorithm, Code]] = {
    LabAlgorithm.BACKTRACKING: BACKTRACKING,
    LabAlgorithm.BACKTRACKING_VISITED: BACKTRACKING_VISITED,
    LabAlgorithm.BACKTRACKING_STACK: BACKTRACKING_STACK,
    LabAlgorithm.DEPTH_FIRST_RECURSIVE: DEPTH_FIRST_RECURSIVE,
    LabAlgorithm.DEPTH_FIRST: DEPTH_FIRST,
    LabAlgorithm.DEPTH_FIRST_UNCHECKED: DEPTH_FIRST_UNCHECKED,
    LabAlgorithm.BREADTH_FIRST: BREADTH_FIRST,
    LabAlgorithm.ITERATIVE_DEEPENING: ITERATIVE_DEEPENING,
    LabAlgorithm.BIDIRECTIONAL: BIDIRECTIONAL,
    LabAlgorithm.UNIFORM_COST: UNIFORM_COST,
    LabAlgorithm.GREEDY: GREEDY,
    LabAlgorithm.A_STAR: A_STAR,
    LabAlgorithm.A_STAR_CLOSED: A_STAR_CLOSED,
    LabAlgorithm.A_STAR_DECREASE_KEY: A_STAR_DECREASE_KEY,
    LabAlgorithm.A_STAR_REPLACE: A_STAR_REPLACE,
    LabAlgorithm.A_STAR_PARENT: A_STAR_PARENT,
    LabAlgorithm.WEIGHTED_A_STAR: WEIGHTED_A_STAR,
    LabAlgorithm.IDA_STAR: IDA_STAR,
    LabAlgorithm.BEAM: BEAM,
}
