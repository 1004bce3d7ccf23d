"""Searching threshold by threshold: what follows from the end of a slice of search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.errors import DamagedRowError
from core.services.farm.course import Course
from core.services.farm.cutting import worth
from core.services.farm.effort import at_threshold, with_slice
from core.services.farm.life.draft import Draft
from core.services.farm.life.effects import AddProof, AddSlices, Finish
from core.services.farm.life.events import Opened, Searched
from core.services.farm.life.improving import trial_slice
from core.services.farm.life.proof_pace import expected_s
from core.services.farm.life.situation import WorkGroup
from core.services.farm.life.work import see_to
from core.services.farm.records import Found, Slice, Solve
from core.services.ids import new_id
from core.services.states import Queue, SliceKind, SliceState, SolveState
from core.solver.names import Algorithm, Heuristic
from core.solver.piece import Piece
from core.solver.strategy import aimed_width, aims_beams
from core.solver.target import Target
from core.solver.trial import Trial, TrialKind

# A beam's seconds for each board of a level: some hundred levels, some ten million nodes a second.
SECONDS_A_WIDTH = 1.2e-5


def start_threshold(draft: Draft, threshold: int) -> None:
    """Start the search of a threshold, unless the lower bound proves the solution by now."""
    draft.take_bounds(threshold, None, Algorithm.IDA_STAR, 0, 0.0)
    if not draft.solve.settled:
        draft.solve = at_threshold(draft.solve, draft.solve.lower_bound, draft.now)


def plan(draft: Draft, event: Opened) -> None:
    """Add the root of the first threshold's tree, where the bounds are still apart."""
    solve = draft.solve
    if solve.settled:
        return
    root = _slice(solve, event.root, event.piece.turn, None)
    draft.add(AddSlices((root,), event.seconds))
    draft.work.append(WorkGroup(root.kind, root.state, root.course, 1, None, draft.now))


def searched(draft: Draft, event: Searched) -> None:
    """End a slice of search: add its nodes, its next threshold and what remains of it."""
    piece, outcome = event.piece, event.outcome
    before = draft.solve
    found = Found(outcome.nodes, outcome.next_threshold, outcome.engine, event.seconds)
    draft.add(Finish(piece, found))
    draft.take_bounds(0, outcome.moves, Algorithm.IDA_STAR, outcome.nodes, event.seconds)
    left = sum(rest.share for rest in outcome.remaining)
    covered = min(1.0, max(0.0, before.covered + piece.share - left))
    after = with_slice(draft.solve, piece.threshold, found, covered, draft.now)
    draft.solve = replace(
        after, next_threshold=_least(before.next_threshold, outcome.next_threshold)
    )
    risen = ended = False
    if not outcome.remaining and outcome.moves is None:
        ended = all(group.state is SliceState.QUARANTINED for group in draft.groups_of(None))
        risen = ended and not draft.groups_of(None)
        if risen and draft.solve.pending and piece.threshold == before.threshold:
            # Some were never done: a part of the tree is missing.
            raise DamagedRowError(("work", draft.solve.id))
        if risen:
            over = draft.solve.next_threshold
            start_threshold(draft, piece.threshold + 1 if over is None else over)
    fresh = _following(draft, event, risen=risen)
    if ended or draft.solve.bounds != before.bounds:
        draft.end_jobs(quarantined=ended and not risen)
    if draft.solve.settled:
        return
    if not outcome.remaining and not risen:
        # Parts left by other clients may be parked.
        see_to(draft, filter(draft.is_deepened, draft.jobs), piece.turn)
    _add(draft, fresh, event.seconds)
    if risen and draft.solve.state is SolveState.ACTIVE:
        _aim(draft, piece)


def _following(draft: Draft, event: Searched, *, risen: bool) -> list[Slice]:
    """Make the slices that follow a slice: its rest, or the tree of the threshold that starts."""
    solve, piece = draft.solve, event.piece
    if solve.settled:
        return []
    pieces: Sequence[Piece] = event.outcome.remaining
    parent = piece.id if pieces else None
    if risen:
        pieces = event.tree(min(1 + event.short, worth(expected_s(solve))))
        if len(pieces) > 1:
            # Its root is in the proof all the same, as a slice that was only split.
            root = _slice(solve, event.tree(1)[0], piece.turn, None)
            draft.add(AddProof(root))
            parent = root.id
    return [_slice(solve, rest, piece.turn, parent) for rest in pieces]


def _add(draft: Draft, fresh: Sequence[Slice], cost_s: float) -> None:
    if not fresh:
        return
    active = draft.solve.state is SolveState.ACTIVE and any(map(draft.is_deepened, draft.jobs))
    state = SliceState.READY if active else SliceState.PARKED
    draft.add(AddSlices(tuple(replace(one, state=state) for one in fresh), cost_s))


def _aim(draft: Draft, piece: Slice) -> None:
    """Add a beam search aimed at the threshold that starts, where it is cheap in comparison.

    Solutions that are longer are not looked for, which takes less than half the nodes; one that is
    found ends the search. It proves nothing, so that no threshold waits for it.
    """
    solve = draft.solve
    if not aims_beams(solve.cells) or all(
        job.course.algorithm != Algorithm.AUTO for job in draft.jobs
    ):
        return
    width = aimed_width(solve.nodes, solve.threshold or 0)
    if width is None:
        return
    # Behind the pieces of the search itself that wait already.
    turn = piece.turn + width * SECONDS_A_WIDTH
    trial = Trial(TrialKind.AIMED, width=width)
    draft.add(AddSlices((trial_slice(solve, new_id(), trial, turn, solve.threshold or 0),)))


def _slice(solve: Solve, rest: Piece, turn: float, parent_id: str | None) -> Slice:
    """Make a slice of the present threshold's search, for whoever asks for a proof."""
    return Slice(
        id=new_id(),
        solve_id=solve.id,
        epoch=solve.epoch,
        kind=SliceKind.SEARCH,
        queue=Queue.SEARCH,
        state=SliceState.READY,
        threshold=solve.threshold or 0,
        cursor=rest.cursor,
        course=Course(Algorithm.AUTO, Heuristic.AUTO),
        target=Target(),
        share=rest.share,
        turn=turn,
        parent_id=parent_id,
    )


def _least(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return min(one, other)
