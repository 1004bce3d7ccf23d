"""The pseudocode of every algorithm, and the moment of a step that each line represents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from tilework.core.lab.names import LabAlgorithm


class Moment(StrEnum):
    """A moment of a search; the page highlights the lines that belong to the current one.

    ``start`` precedes the first step; ``goal`` or ``exhausted`` follow the last. A step is a node's
    expansion: ``again`` if it restarts at the root, ``back`` if the search has backtracked. The
    others are the outcomes of its successors, named as in `tilework.core.lab.trace.Outcome`.
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
    words: str  # in English; translated by the message catalogues
    depth: int  # indentation
    moments: tuple[Moment, ...]  # may be empty

    def __init__(self, words: str, depth: int = 0, *moments: Moment) -> None:
        object.__setattr__(self, "words", words)
        object.__setattr__(self, "depth", depth)
        object.__setattr__(self, "moments", moments)


Code = tuple[CodeLine, ...]


BREADTH_FIRST: Final[Code] = (
    CodeLine("put the start into the frontier", 0, Moment.START),
    CodeLine("while the frontier holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node that was put in first", 1, Moment.TAKE),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine("if its board is known: leave it out", 2, Moment.DUPLICATE),
    CodeLine("if it is the goal: done", 2, Moment.GOAL),
    CodeLine("put it into the frontier", 2, Moment.NEW),
)
BIDIRECTIONAL: Final[Code] = (
    CodeLine("put the start into the one frontier, the goal into the other", 0, Moment.START),
    CodeLine("while both frontiers hold nodes:", 0, Moment.EXHAUSTED),
    CodeLine("for each node of the level on the side that has fewer:", 1, Moment.TAKE),
    CodeLine("for each successor:", 2, Moment.EXPAND),
    CodeLine("if this side knows its board: leave it out", 3, Moment.DUPLICATE),
    CodeLine("if the other side knows its board: join the two paths, done", 3, Moment.GOAL),
    CodeLine("put it into this side's frontier", 3, Moment.NEW),
)
BEAM: Final[Code] = (
    CodeLine("the beam is the start alone", 0, Moment.START),
    CodeLine("while the beam holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("for each node of the beam:", 1, Moment.TAKE),
    CodeLine("make its successors", 2, Moment.EXPAND),
    CodeLine("leave out boards that were made or in a beam before", 2, Moment.DUPLICATE),
    CodeLine("if the goal is among the successors: done", 1, Moment.GOAL),
    CodeLine("those with the least h are the next beam, as many as the width", 1, Moment.NEW),
    CodeLine("leave out the others", 1, Moment.CUT),
)


BACKTRACKING: Final[Code] = (
    CodeLine("try a board:", 0, Moment.START, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine(
        "for each way the blank can go, up, down, left, right, but not back:",
        1,
        Moment.EXPAND,
        Moment.FORBIDDEN,
    ),
    CodeLine("make the move", 2),
    CodeLine("try the board that it leads to", 2, Moment.NEW),
    CodeLine("if the goal was found there: done", 2),
    CodeLine("take the move back", 2, Moment.BACK, Moment.EXHAUSTED),
)
BACKTRACKING_VISITED: Final[Code] = (
    CodeLine("try a board:", 0, Moment.START, Moment.TAKE),
    CodeLine("remember it", 1),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine(
        "for each way the blank can go, up, down, left, right, but not back:",
        1,
        Moment.EXPAND,
        Moment.FORBIDDEN,
    ),
    CodeLine("if the board that it leads to was tried before: leave it out", 2, Moment.DUPLICATE),
    CodeLine("make the move", 2),
    CodeLine("try the board that it leads to", 2, Moment.NEW),
    CodeLine("if the goal was found there: done", 2),
    CodeLine("take the move back", 2, Moment.BACK, Moment.EXHAUSTED),
)
BACKTRACKING_STACK: Final[Code] = (
    CodeLine("put the start on the stack and mark it", 0, Moment.START),
    CodeLine("while the stack holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node that was put on last", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine(
        "for each way the blank can go, up, down, left, right, but not back:",
        1,
        Moment.EXPAND,
        Moment.FORBIDDEN,
    ),
    CodeLine("if the board that it leads to is marked: leave it out", 2, Moment.DUPLICATE),
    CodeLine("mark it and put it on the stack", 2, Moment.NEW),
)
DEPTH_FIRST_RECURSIVE: Final[Code] = (
    CodeLine("visit a board:", 0, Moment.START, Moment.TAKE),
    CodeLine("mark it", 1),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("make all its successors", 1, Moment.EXPAND),
    CodeLine("for each successor:", 1, Moment.BACK, Moment.EXHAUSTED),
    CodeLine("if its board is marked: leave it out", 2, Moment.DUPLICATE),
    CodeLine("visit it", 2, Moment.NEW),
    CodeLine("if the goal was found there: done", 2),
)
DEPTH_FIRST: Final[Code] = (
    CodeLine("put the start on the stack", 0, Moment.START),
    CodeLine("while the stack holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node that was put on last", 1, Moment.TAKE),
    CodeLine("if its board is marked: pass it over", 1),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("mark its board", 1),
    CodeLine("for each successor, the last one first:", 1, Moment.EXPAND),
    CodeLine("if its board is marked: leave it out", 2, Moment.DUPLICATE),
    CodeLine("put it on the stack", 2, Moment.NEW),
)
DEPTH_FIRST_UNCHECKED: Final[Code] = (
    CodeLine("put the start on the stack", 0, Moment.START),
    CodeLine("while the stack holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node that was put on last", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("mark its board", 1),
    CodeLine("for each successor, the first one first:", 1, Moment.EXPAND),
    CodeLine("if its board is marked: leave it out", 2, Moment.DUPLICATE),
    CodeLine("put it on the stack", 2, Moment.NEW),
)
ITERATIVE_DEEPENING: Final[Code] = (
    CodeLine("for limit = 1, 2, 3, …:", 0, Moment.AGAIN, Moment.EXHAUSTED),
    CodeLine("put the start on the stack", 1, Moment.START),
    CodeLine("while the stack holds a node:", 1),
    CodeLine("take the node that was put on last", 2, Moment.TAKE),
    CodeLine(
        "for each successor, but not the one that leads back:", 2, Moment.EXPAND, Moment.FORBIDDEN
    ),
    CodeLine("if it is the goal: done", 3, Moment.GOAL),
    CodeLine(
        "if its board was searched with as many moves left: leave it out", 3, Moment.DUPLICATE
    ),
    CodeLine("if it is limit moves from the start: leave it out", 3, Moment.CUT),
    CodeLine("put it on the stack", 3, Moment.NEW),
)
IDA_STAR: Final[Code] = (
    CodeLine("threshold = h of the start", 0),
    CodeLine("repeat:", 0),
    CodeLine("put the start on the stack", 1, Moment.START),
    CodeLine("while the stack holds a node:", 1),
    CodeLine("take the node that was put on last", 2, Moment.TAKE),
    CodeLine("if it is the goal: done", 2, Moment.GOAL),
    CodeLine(
        "for each successor, but not the one that leads back:", 2, Moment.EXPAND, Moment.FORBIDDEN
    ),
    CodeLine("if f = g + h is over the threshold: leave it out", 3, Moment.CUT),
    CodeLine("put it on the stack", 3, Moment.NEW),
    CodeLine("threshold = the least f that was over it", 1, Moment.AGAIN, Moment.EXHAUSTED),
)


UNIFORM_COST: Final[Code] = (
    CodeLine("put the start into the frontier", 0, Moment.START),
    CodeLine("while the frontier holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node with the least g", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine("if its board is known: leave it out", 2, Moment.DUPLICATE),
    CodeLine("put it into the frontier", 2, Moment.NEW),
)
GREEDY: Final[Code] = (
    CodeLine("put the start into the frontier", 0, Moment.START),
    CodeLine("while the frontier holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node with the least h", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine("if its board is known: leave it out", 2, Moment.DUPLICATE),
    CodeLine("put it into the frontier", 2, Moment.NEW),
)
A_STAR: Final[Code] = (
    CodeLine("put the start into the frontier", 0, Moment.START),
    CodeLine("while the frontier holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node with the least f = g + h", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine("if its board is known by a path as short: leave it out", 2, Moment.DUPLICATE),
    CodeLine("put it into the frontier", 2, Moment.NEW, Moment.CHEAPER),
)
A_STAR_CLOSED: Final[Code] = (
    CodeLine("put the start into the frontier", 0, Moment.START),
    CodeLine("while the frontier holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node with the least f = g + h whose board is not closed", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("close its board", 1),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine(
        "if its board is closed, or known by a path as short: leave it out", 2, Moment.DUPLICATE
    ),
    CodeLine("put it into the frontier", 2, Moment.NEW, Moment.CHEAPER),
)
A_STAR_DECREASE_KEY: Final[Code] = (
    CodeLine("put the start into the frontier", 0, Moment.START),
    CodeLine("while the frontier holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node with the least f = g + h", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine("if its board is known by a path as short: leave it out", 2, Moment.DUPLICATE),
    CodeLine("if its board is new: put it into the frontier", 2, Moment.NEW),
    CodeLine(
        "otherwise put this one in its place, moved up; again if it was expanded", 2, Moment.CHEAPER
    ),
)
A_STAR_REPLACE: Final[Code] = (
    CodeLine("put the start into the frontier, a binary heap compared on f alone", 0, Moment.START),
    CodeLine("while the frontier holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node at the top of the heap, and close its board", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine(
        "if its board is closed, or waits by a path as short: leave it out", 2, Moment.DUPLICATE
    ),
    CodeLine("if its board waits: delete its entry from the heap's list", 2, Moment.CHEAPER),
    CodeLine("push it", 2, Moment.NEW, Moment.CHEAPER),
)
A_STAR_PARENT: Final[Code] = (
    CodeLine("put the start into the frontier", 0, Moment.START),
    CodeLine("while the frontier holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node with the least f = g + h", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine(
        "for each successor, but not the one that leads back:", 1, Moment.EXPAND, Moment.FORBIDDEN
    ),
    CodeLine("put it into the frontier", 2, Moment.NEW),
)
WEIGHTED_A_STAR: Final[Code] = (
    CodeLine("put the start into the frontier", 0, Moment.START),
    CodeLine("while the frontier holds a node:", 0, Moment.EXHAUSTED),
    CodeLine("take the node with the least f = g + w h", 1, Moment.TAKE),
    CodeLine("if it is the goal: done", 1, Moment.GOAL),
    CodeLine("for each successor:", 1, Moment.EXPAND),
    CodeLine("if its board is known by a path as short: leave it out", 2, Moment.DUPLICATE),
    CodeLine("put it into the frontier", 2, Moment.NEW, Moment.CHEAPER),
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
