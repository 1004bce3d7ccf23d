"""Seeing to it that somebody works on a solve that somebody asks for."""

from __future__ import annotations

from core.search.target import Target
from core.services.ids import new_id
from core.services.records import Slice, Solve
from core.services.repositories import Session
from core.services.states import Queue, SliceKind, SliceState, SolveState

# A board of more cells may take longer than interactive work should.
INTERACTIVE_CELLS = 10_000

BROKEN = "Work on this board broke its workers and was set aside."


def queue_of(cells: int, batched: bool) -> Queue:
    """Return where the first try at a board waits."""
    if cells > INTERACTIVE_CELLS:
        return Queue.SEARCH
    return Queue.BATCH if batched else Queue.INTERACTIVE


def open_slice(
    solve: Solve, queue: Queue, turn: float, *, algorithm: str, heuristic: str, target: Target
) -> Slice:
    """Make the first try at a board."""
    return Slice(
        id=new_id(),
        solve_id=solve.id,
        epoch=solve.epoch,
        kind=SliceKind.OPEN,
        queue=queue,
        state=SliceState.READY,
        threshold=0,
        cursor=b"",
        algorithm=algorithm,
        heuristic=heuristic,
        target=target,
        share=1.0,
        turn=turn,
    )


def ensure_work(
    session: Session, solve: Solve, first: Slice, now: float, poison_rest_s: float
) -> str | None:
    """Give a locked solve that a job asks for a slice that can be claimed.

    What was parked goes on; what was set aside long enough ago gets another chance; where there
    is nothing at all, ``first`` is added.

    Returns
    -------
    str or None
        Why nothing can be done; None where work is under way.
    """
    if solve.state is SolveState.ACTIVE:
        return None
    counts = session.slices.counts(solve.id)
    if not counts:
        session.slices.add([first], now)
        return None
    revived = 0
    if SliceState.PARKED in counts:
        revived += session.slices.change_all(
            solve.id, SliceState.PARKED, SliceState.READY, turn=first.turn, now=now
        )
    if SliceState.ASIDE in counts:
        revived += session.slices.change_all(
            solve.id,
            SliceState.ASIDE,
            SliceState.READY,
            turn=first.turn,
            now=now,
            latest=now - poison_rest_s,
        )
    if revived or SliceState.LEASED in counts or SliceState.READY in counts:
        return None
    return session.slices.aside_message(solve.id) or BROKEN
