"""What the command line says of an analysis."""

from __future__ import annotations

from tilework.core.cli.phrases import between
from tilework.core.messages import Message, plural
from tilework.core.puzzle.phrases import moves
from tilework.core.search.limits import StopReason
from tilework.core.solver.analysis.result import Analysis


def verdict_words(analysis: Analysis) -> Message:
    """Say whether a game is a solution, and how long it is."""
    if analysis.is_solution:
        return Message("game-solves", "a solution of {moves}", moves=moves(analysis.moves))
    return Message("game-open", "not a solution: {moves}", moves=moves(analysis.moves))


def shortest_words(analysis: Analysis) -> Message:
    """Say how long a shortest solution of the first position is."""
    lower, upper = analysis.lower[0], analysis.upper[0]
    if upper is None:
        return Message("at-least", "at least {moves}", moves=moves(lower))
    return moves(lower) if lower == upper else between(lower, upper)


def lost_words(analysis: Analysis) -> Message:
    """Say how many moves were lost, and by how many moves."""
    least, most = analysis.least_excess, analysis.most_excess
    if least != most:
        return (
            Message("at-least", "at least {moves}", moves=moves(least))
            if most is None
            else between(least, most)
        )
    return plural(
        "lost-by",
        "{moves}, by {count} move",
        "{moves}, by {count} moves",
        moves=moves(least),
        count=len(analysis.losses),
    )


def stopped_words(reason: StopReason) -> Message:
    """Say what ended an analysis early, and what that means."""
    if reason is StopReason.CANCELLED:
        return Message(
            "analysis-interrupted",
            "interrupted: what is told is proved, and there may be more losses",
        )
    return Message(
        "analysis-stopped", "out of time: what is told is proved, and there may be more losses"
    )
