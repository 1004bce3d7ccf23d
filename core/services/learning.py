"""What a solve learns from a piece of work: bounds that only improve."""

from __future__ import annotations

from dataclasses import replace

from core.errors import BoundsError
from core.puzzle.moves import Moves
from core.services.ids import new_id
from core.services.records import Solve
from core.services.repositories import Session
from core.services.views import BoundEventView


def learned(
    solve: Solve, lower_bound: int, moves: Moves | None, nodes: int, seconds: float
) -> Solve:
    """Return a solve with better bounds where they are better, and the effort added.

    Raises
    ------
    BoundsError
        If a solution is shorter than what was proved: then some proof is wrong, and neither of
        the two may be stored as if they agreed.
    """
    upper = solve.upper_bound
    if moves is not None and (upper is None or len(moves) < upper):
        upper = len(moves)
    lower = max(solve.lower_bound, lower_bound)
    if upper is not None and upper < lower:
        raise BoundsError(f"{solve.key}: a solution of {upper} moves, yet {lower} were proved")
    return replace(
        solve,
        lower_bound=lower,
        upper_bound=upper,
        nodes=solve.nodes + nodes,
        seconds=solve.seconds + seconds,
    )


def store(
    session: Session,
    before: Solve,
    after: Solve,
    now: float,
    *,
    moves: Moves | None,
    algorithm: str,
) -> None:
    """Save a locked solve, its better moves, and an event if a bound improved."""
    if moves is not None and after.upper_bound != before.upper_bound:
        session.solves.save_with_moves(after, now, moves, algorithm)
    else:
        session.solves.save(after, now)
    bounds = (after.lower_bound, after.upper_bound)
    if bounds != (before.lower_bound, before.upper_bound):
        session.events.add(new_id(), after.id, BoundEventView(now, *bounds, after.nodes))
