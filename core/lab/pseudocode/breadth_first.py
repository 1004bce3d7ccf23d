"""The searches that go level by level."""

from __future__ import annotations

from typing import Final

from tilework.core.lab.pseudocode.lines import Code, CodeLine
from tilework.core.lab.pseudocode.lines import Moment as At

BREADTH_FIRST: Final[Code] = (
    CodeLine("put the start into the frontier", 0, At.START),
    CodeLine("while the frontier holds a node:", 0, At.EXHAUSTED),
    CodeLine("take the node that was put in first", 1, At.TAKE),
    CodeLine("for each successor:", 1, At.EXPAND),
    CodeLine("if its board is known: leave it out", 2, At.DUPLICATE),
    CodeLine("if it is the goal: done", 2, At.GOAL),
    CodeLine("put it into the frontier", 2, At.NEW),
)
BIDIRECTIONAL: Final[Code] = (
    CodeLine("put the start into the one frontier, the goal into the other", 0, At.START),
    CodeLine("while both frontiers hold nodes:", 0, At.EXHAUSTED),
    CodeLine("for each node of the level on the side that has fewer:", 1, At.TAKE),
    CodeLine("for each successor:", 2, At.EXPAND),
    CodeLine("if this side knows its board: leave it out", 3, At.DUPLICATE),
    CodeLine("if the other side knows its board: join the two paths, done", 3, At.GOAL),
    CodeLine("put it into this side's frontier", 3, At.NEW),
)
BEAM: Final[Code] = (
    CodeLine("the beam is the start alone", 0, At.START),
    CodeLine("while the beam holds a node:", 0, At.EXHAUSTED),
    CodeLine("for each node of the beam:", 1, At.TAKE),
    CodeLine("make its successors", 2, At.EXPAND),
    CodeLine("leave out boards that were made or in a beam before", 2, At.DUPLICATE),
    CodeLine("if the goal is among the successors: done", 1, At.GOAL),
    CodeLine("those with the least h are the next beam, as many as the width", 1, At.NEW),
    CodeLine("leave out the others", 1, At.CUT),
)
