"""The searches that go on from the node they made last."""

from __future__ import annotations

from typing import Final

from tilework.core.lab.pseudocode.lines import Code, CodeLine
from tilework.core.lab.pseudocode.lines import Moment as At

BACKTRACKING: Final[Code] = (
    CodeLine("try a board:", 0, At.START, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine(
        "for each way the blank can go, up, down, left, right, but not back:",
        1,
        At.EXPAND,
        At.FORBIDDEN,
    ),
    CodeLine("make the move", 2),
    CodeLine("try the board that it leads to", 2, At.NEW),
    CodeLine("if the goal was found there: done", 2),
    CodeLine("take the move back", 2, At.BACK, At.EXHAUSTED),
)
BACKTRACKING_VISITED: Final[Code] = (
    CodeLine("try a board:", 0, At.START, At.TAKE),
    CodeLine("remember it", 1),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine(
        "for each way the blank can go, up, down, left, right, but not back:",
        1,
        At.EXPAND,
        At.FORBIDDEN,
    ),
    CodeLine("if the board that it leads to was tried before: leave it out", 2, At.DUPLICATE),
    CodeLine("make the move", 2),
    CodeLine("try the board that it leads to", 2, At.NEW),
    CodeLine("if the goal was found there: done", 2),
    CodeLine("take the move back", 2, At.BACK, At.EXHAUSTED),
)
BACKTRACKING_STACK: Final[Code] = (
    CodeLine("put the start on the stack and mark it", 0, At.START),
    CodeLine("while the stack holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node that was put on last", 1, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine(
        "for each way the blank can go, up, down, left, right, but not back:",
        1,
        At.EXPAND,
        At.FORBIDDEN,
    ),
    CodeLine("if the board that it leads to is marked: leave it out", 2, At.DUPLICATE),
    CodeLine("mark it and put it on the stack", 2, At.NEW),
)
DEPTH_FIRST_RECURSIVE: Final[Code] = (
    CodeLine("visit a board:", 0, At.START, At.TAKE),
    CodeLine("mark it", 1),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("make all its successors", 1, At.EXPAND),
    CodeLine("for each successor:", 1, At.BACK, At.EXHAUSTED),
    CodeLine("if its board is marked: leave it out", 2, At.DUPLICATE),
    CodeLine("visit it", 2, At.NEW),
    CodeLine("if the goal was found there: done", 2),
)
DEPTH_FIRST: Final[Code] = (
    CodeLine("put the start on the stack", 0, At.START),
    CodeLine("while the stack holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node that was put on last", 1, At.TAKE),
    CodeLine("if its board is marked: pass it over", 1),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("mark its board", 1),
    CodeLine("for each successor, the last one first:", 1, At.EXPAND),
    CodeLine("if its board is marked: leave it out", 2, At.DUPLICATE),
    CodeLine("put it on the stack", 2, At.NEW),
)
DEPTH_FIRST_UNCHECKED: Final[Code] = (
    CodeLine("put the start on the stack", 0, At.START),
    CodeLine("while the stack holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node that was put on last", 1, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("mark its board", 1),
    CodeLine("for each successor, the first one first:", 1, At.EXPAND),
    CodeLine("if its board is marked: leave it out", 2, At.DUPLICATE),
    CodeLine("put it on the stack", 2, At.NEW),
)
ITERATIVE_DEEPENING: Final[Code] = (
    CodeLine("for limit = 1, 2, 3, …:", 0, At.AGAIN, At.EXHAUSTED),
    CodeLine("put the start on the stack", 1, At.START),
    CodeLine("while the stack holds a node:", 1),
    CodeLine("take the node that was put on last", 2, At.TAKE),
    CodeLine("for each successor, but not the one that leads back:", 2, At.EXPAND, At.FORBIDDEN),
    CodeLine("if it is the goal: done", 3, At.GOAL),
    CodeLine("if its board was searched with as many moves left: leave it out", 3, At.DUPLICATE),
    CodeLine("if it is limit moves from the start: leave it out", 3, At.CUT),
    CodeLine("put it on the stack", 3, At.NEW),
)
IDA_STAR: Final[Code] = (
    CodeLine("threshold = h of the start", 0),
    CodeLine("repeat:", 0),
    CodeLine("put the start on the stack", 1, At.START),
    CodeLine("while the stack holds a node:", 1),
    CodeLine("take the node that was put on last", 2, At.TAKE),
    CodeLine("if it is the goal: done", 2, At.GOAL),
    CodeLine("for each successor, but not the one that leads back:", 2, At.EXPAND, At.FORBIDDEN),
    CodeLine("if f = g + h is over the threshold: leave it out", 3, At.CUT),
    CodeLine("put it on the stack", 3, At.NEW),
    CodeLine("threshold = the least f that was over it", 1, At.AGAIN, At.EXHAUSTED),
)
