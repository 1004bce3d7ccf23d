"""Trying for shorter solutions beside the proof: a wider beam whenever a new threshold begins.

A better solution saves the thresholds above it. It proves nothing, so that no threshold waits for
it and no certificate tells of it.
"""

from __future__ import annotations

from dataclasses import replace

from core.search.catalogue import Algorithm
from core.search.result import SearchResult
from core.services.closing import close_jobs
from core.services.ids import new_id
from core.services.learning import learned, store
from core.services.records import Claim, Slice, Solve
from core.services.repositories import Session
from core.services.states import Queue, SliceKind, SliceState

# The first try at a board of more cells has had a beam.
BEAM_CELLS = 16

# Boards in a level of the widest beam that the first try comes to, and of the widest of all.
FIRST_WIDTH = 16_000
MOST_WIDTH = 1 << 20
WIDER = 4

# Seconds for each board of a level: some hundred levels, at a few million nodes a second.
SECONDS_A_WIDTH = 5e-5

# Of the time that the next threshold takes at least, this part may go into a beam.
PART = 0.1


def improvement(
    session: Session, solve: Solve, piece: Slice, expected_s: float, now: float
) -> Solve:
    """Add a try with a wider beam where it costs little beside the threshold that begins.

    Parameters
    ----------
    solve : Solve
        Locked, at the beginning of a threshold.
    piece : Slice
        The slice whose end led there.
    expected_s : float
        Seconds of all workers that the threshold takes at least.
    """
    width = WIDER * (solve.beam_width or FIRST_WIDTH)
    wanted = solve.cells > BEAM_CELLS and piece.algorithm == Algorithm.AUTO
    if not wanted or width > MOST_WIDTH or width * SECONDS_A_WIDTH > PART * expected_s:
        return solve
    beam = replace(
        piece,
        id=new_id(),
        kind=SliceKind.IMPROVE,
        queue=Queue.SEARCH,
        state=SliceState.READY,
        threshold=solve.threshold or 0,
        cursor=str(width).encode(),
        share=0.0,
        attempts=0,
        expiries=0,
        parent_id=None,
        # Behind the pieces of the search itself that wait already.
        turn=piece.turn + width * SECONDS_A_WIDTH,
    )
    session.slices.add([beam], now)
    return replace(solve, beam_width=width)


def width_of(piece: Slice) -> int:
    """Return the width of the beam that a slice of this kind asks for."""
    return int(piece.cursor)


def finish_improve(
    session: Session, claim: Claim, result: SearchResult, seconds: float, now: float
) -> None:
    """End a try: a better solution lowers the upper bound, and may end the solve with it."""
    piece = claim.slice
    before = session.solves.lock(piece.solve_id)
    if before.epoch != piece.epoch or not session.slices.drop(piece.id):
        return
    nodes = result.statistics.generated
    after = learned(before, before.lower_bound, result.moves, nodes, seconds)
    if after.upper_bound != before.upper_bound:
        after = close_jobs(session, after, now)
    store(session, before, after, now, moves=result.moves, algorithm=result.algorithm)
