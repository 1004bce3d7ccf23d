"""Trying for the shortest solution beside the proof: a beam whenever a new threshold begins.

It is aimed at the threshold, the least length that is not disproved: solutions that are longer
are not looked for, which takes less than half the nodes. One that is found ends the search. It
proves nothing, so that no threshold waits for it and no certificate tells of it.
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

# Boards in a level: fewer find what the first try has found, more fill the memory.
LEAST_WIDTH = 4_000
MOST_WIDTH = 1 << 20

# Seconds for each board of a level: some hundred levels, at some ten million nodes a second.
SECONDS_A_WIDTH = 1.2e-5

# Of the time that the next threshold takes at least, this part may go into a beam.
PART = 0.3


def improvement(
    session: Session, solve: Solve, piece: Slice, expected_s: float, now: float
) -> None:
    """Add a try with a beam, as wide as costs little beside the threshold that begins.

    Parameters
    ----------
    solve : Solve
        Locked, at the beginning of a threshold.
    piece : Slice
        The slice whose end led there.
    expected_s : float
        Seconds of all workers that the threshold takes at least.
    """
    width = min(int(PART * expected_s / SECONDS_A_WIDTH), MOST_WIDTH)
    wanted = solve.cells > BEAM_CELLS and piece.algorithm == Algorithm.AUTO
    if not wanted or width < LEAST_WIDTH:
        return
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
