"""What of an answer is replayed: before it is stored, and whenever it is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilework.core.formats.ways_graph import WaysGraph
from tilework.core.model.questions import Answer, GameSpec, Spec, WaysSpec
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.analysis.game import Game
from tilework.core.solver.analysis.result import check_ways
from tilework.core.solver.shortest_paths.kept import check_document, read_graph, read_solutions


def check(spec: Spec, answer: Answer) -> None:
    """Replay all of an answer.

    Raises
    ------
    ReplayError
        Here and below, if something in it does not lead to the goal as it is told to.
    """
    check_document_of(spec, answer.document)
    if isinstance(spec, WaysSpec):
        for _ in solutions_of(spec, answer):
            pass
        graph_of(spec, answer)


def check_document_of(spec: Spec, document: dict[str, Any]) -> None:
    """Replay what is in an answer's document alone."""
    if isinstance(spec, GameSpec):
        check_ways(Game(spec.start, spec.goal, spec.moves), document)
    else:
        check_document(spec.start, spec.goal, document)


def solutions_of(spec: WaysSpec, answer: Answer) -> Iterator[Moves]:
    """Yield the solutions that are kept of an answer, each replayed; nothing where none are."""
    if answer.solutions is not None:
        told = answer.document
        yield from read_solutions(
            spec.start,
            spec.goal,
            answer.solutions,
            count=told["listed"],
            length=told["length"],
        )


def graph_of(spec: WaysSpec, answer: Answer) -> WaysGraph | None:
    """Return the graph that is kept of an answer, replayed; None where none is."""
    if answer.onward is None:
        return None
    told = answer.document
    return read_graph(
        spec.start, spec.goal, answer.onward, count=told["count"], length=told["length"]
    )
