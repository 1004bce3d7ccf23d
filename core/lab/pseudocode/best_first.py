"""The searches that take the node that looks best."""

from __future__ import annotations

from typing import Final

from tilework.core.lab.pseudocode.lines import Code, CodeLine
from tilework.core.lab.pseudocode.lines import Moment as At

UNIFORM_COST: Final[Code] = (
    CodeLine("put the start into the frontier", 0, At.START),
    CodeLine("while the frontier holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node with the least g", 1, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("for each successor:", 1, At.EXPAND),
    CodeLine("if its board is known: leave it out", 2, At.DUPLICATE),
    CodeLine("put it into the frontier", 2, At.NEW),
)
GREEDY: Final[Code] = (
    CodeLine("put the start into the frontier", 0, At.START),
    CodeLine("while the frontier holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node with the least h", 1, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("for each successor:", 1, At.EXPAND),
    CodeLine("if its board is known: leave it out", 2, At.DUPLICATE),
    CodeLine("put it into the frontier", 2, At.NEW),
)
A_STAR: Final[Code] = (
    CodeLine("put the start into the frontier", 0, At.START),
    CodeLine("while the frontier holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node with the least f = g + h", 1, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("for each successor:", 1, At.EXPAND),
    CodeLine("if its board is known by a path as short: leave it out", 2, At.DUPLICATE),
    CodeLine("put it into the frontier", 2, At.NEW, At.CHEAPER),
)
A_STAR_CLOSED: Final[Code] = (
    CodeLine("put the start into the frontier", 0, At.START),
    CodeLine("while the frontier holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node with the least f = g + h whose board is not closed", 1, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("close its board", 1),
    CodeLine("for each successor:", 1, At.EXPAND),
    CodeLine("if its board is closed, or known by a path as short: leave it out", 2, At.DUPLICATE),
    CodeLine("put it into the frontier", 2, At.NEW, At.CHEAPER),
)
A_STAR_DECREASE_KEY: Final[Code] = (
    CodeLine("put the start into the frontier", 0, At.START),
    CodeLine("while the frontier holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node with the least f = g + h", 1, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("for each successor:", 1, At.EXPAND),
    CodeLine("if its board is known by a path as short: leave it out", 2, At.DUPLICATE),
    CodeLine("if its board is new: put it into the frontier", 2, At.NEW),
    CodeLine(
        "otherwise put this one in its place, moved up; again if it was expanded", 2, At.CHEAPER
    ),
)
A_STAR_REPLACE: Final[Code] = (
    CodeLine("put the start into the frontier, a binary heap compared on f alone", 0, At.START),
    CodeLine("while the frontier holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node at the top of the heap, and close its board", 1, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("for each successor:", 1, At.EXPAND),
    CodeLine("if its board is closed, or waits by a path as short: leave it out", 2, At.DUPLICATE),
    CodeLine("if its board waits: delete its entry from the heap's list", 2, At.CHEAPER),
    CodeLine("push it", 2, At.NEW, At.CHEAPER),
)
A_STAR_PARENT: Final[Code] = (
    CodeLine("put the start into the frontier", 0, At.START),
    CodeLine("while the frontier holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node with the least f = g + h", 1, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("for each successor, but not the one that leads back:", 1, At.EXPAND, At.FORBIDDEN),
    CodeLine("put it into the frontier", 2, At.NEW),
)
WEIGHTED_A_STAR: Final[Code] = (
    CodeLine("put the start into the frontier", 0, At.START),
    CodeLine("while the frontier holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node with the least f = g + w h", 1, At.TAKE),
    CodeLine("if it is the goal: done", 1, At.GOAL),
    CodeLine("for each successor:", 1, At.EXPAND),
    CodeLine("if its board is known by a path as short: leave it out", 2, At.DUPLICATE),
    CodeLine("put it into the frontier", 2, At.NEW, At.CHEAPER),
)
