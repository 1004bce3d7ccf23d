"""How a run of a textbook search ended and what it cost, in one line."""

from __future__ import annotations

from tilework.core.lab.result import RunResult
from tilework.core.messages import Message
from tilework.core.puzzle.phrases import moves as moves_of


def run_note(result: RunResult) -> Message:
    """Tell a run's end and its figures."""
    counts = result.statistics
    return Message(
        "run-note",
        "{ending} {visited} visited, {generated} generated, largest frontier {frontier}, "
        "{seconds} s",
        ending=_ending(result),
        visited=counts.visited,
        generated=counts.generated,
        frontier=counts.max_frontier,
        seconds=f"{counts.seconds:.3f}",
    )


def _ending(result: RunResult) -> Message:
    moves = result.moves
    if moves is None:
        return Message("run-no-solution", "no solution: {reason}", reason=result.message)
    if not len(moves):
        return Message("run-already-solved", "0 moves, already solved:")
    if result.optimal:
        return Message("run-shortest", "{moves}, a shortest solution:", moves=moves_of(len(moves)))
    return Message(
        "run-solution", "{moves}, perhaps not a shortest solution:", moves=moves_of(len(moves))
    )
