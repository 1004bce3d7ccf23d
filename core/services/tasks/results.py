"""Replays results, before they are stored and whenever they are read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tilework.core.formats.solution_graph import SolutionGraph
from tilework.core.model.task_specs import GameSpec, Question, RunSpec, ShortestPathsSpec, Spec
from tilework.core.model.tasks import Result
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.packing import unpack
from tilework.core.puzzle.replay import replay
from tilework.core.solver.analysis.game import Game
from tilework.core.solver.analysis.result import check_better_paths
from tilework.core.solver.shortest_paths import stored_solutions


def check(spec: Spec, result: Result) -> None:
    """Replay a complete result.

    Raises ReplayError if a solution in it does not reach the goal.
    """
    if isinstance(spec, RunSpec):
        if result.solutions is not None:
            replay(spec.start, unpack(result.solutions), spec.goal)
    elif isinstance(spec, GameSpec | ShortestPathsSpec):
        check_document(spec, result.document)
        if isinstance(spec, ShortestPathsSpec):
            for _ in read_solutions(spec, result):
                pass
            read_graph(spec, result)


def check_document(spec: Question, document: dict[str, Any]) -> None:
    if isinstance(spec, GameSpec):
        check_better_paths(Game(spec.start, spec.goal, spec.moves), document)
    else:
        stored_solutions.check_document(spec.start, spec.goal, document)


def read_solutions(spec: ShortestPathsSpec, result: Result) -> Iterator[Moves]:
    """Yield the stored solutions of a result, each replayed."""
    if result.solutions is not None:
        document = result.document
        yield from stored_solutions.read_solutions(
            spec.start,
            spec.goal,
            result.solutions,
            count=document["listed"],
            length=document["length"],
        )


def read_graph(spec: ShortestPathsSpec, result: Result) -> SolutionGraph | None:
    """Return the stored graph of a result, replayed; None if there is none."""
    if result.detail is None:
        return None
    document = result.document
    return stored_solutions.read_graph(
        spec.start, spec.goal, result.detail, count=document["count"], length=document["length"]
    )
