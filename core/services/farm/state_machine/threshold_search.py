"""Searching threshold by threshold: what follows from the end of a slice of search, and of a check.

A bound is proved once the record of its threshold passed its check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilework.core.errors import DamagedRowError
from tilework.core.model.changes import SliceAction
from tilework.core.model.estimate import add_slice, begin_threshold
from tilework.core.model.solves import SearchConfig, Slice, SliceResult, Solve
from tilework.core.model.states import Queue, SliceKind, SliceState, SolveState, new_id
from tilework.core.services.farm.splitting import worth
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import Checked, Opened, Searched
from tilework.core.services.farm.state_machine.proof_pace import (
    STEP,
    expected_s,
    likely_nodes,
    likely_s,
)
from tilework.core.services.farm.state_machine.trial_events import resume, trial_slice
from tilework.core.services.farm.state_machine.work_supply import supply_work
from tilework.core.solver.strategy import LEAST_ORDERED_NODES, aimed_width, uses_aimed_beams
from tilework.core.solver.target import Algorithm, Heuristic, Target
from tilework.core.solver.trial import Trial, TrialKind
from tilework.core.solver.work_unit import WorkUnit


def start_threshold(draft: DecisionBuilder, threshold: int) -> None:
    """Start the search of a threshold, unless the lower bound proves the solution by now."""
    draft.take_bounds(threshold, None, Algorithm.IDA_STAR, 0, 0.0)
    if not draft.solve.settled:
        draft.solve = begin_threshold(draft.solve, draft.solve.lower_bound, draft.now)


def plan(draft: DecisionBuilder, event: Opened) -> None:
    """Add the root of the first threshold's tree, where the bounds are still apart."""
    solve = draft.solve
    if solve.settled:
        return
    root = _slice(solve, event.root, event.piece.turn, None)
    draft.add_slices([root], event.seconds)


def searched(draft: DecisionBuilder, event: Searched) -> None:
    """End a slice of search: add its nodes, its next threshold and what remains of it."""
    piece, outcome = event.piece, event.outcome
    before = draft.solve
    found = SliceResult(outcome.nodes, outcome.next_threshold, outcome.engine, event.seconds)
    draft.end_slice(piece, SliceAction.FINISH, found=found)
    draft.take_bounds(0, outcome.moves, Algorithm.IDA_STAR, outcome.nodes, event.seconds)
    left = sum(rest.share for rest in outcome.remaining)
    covered = min(1.0, max(0.0, before.covered + piece.share - left))
    after = add_slice(draft.solve, piece.threshold, found, covered, draft.now)
    draft.solve = replace(
        after, next_threshold=_least(before.next_threshold, outcome.next_threshold)
    )
    risen = ended = False
    if not outcome.remaining:
        ended = all(group.state is SliceState.QUARANTINED for group in draft.parts())
        risen = ended and outcome.moves is None and not draft.parts()
    if risen and draft.solve.pending > 0 and piece.threshold == before.threshold:
        # Some were never done: a part of the tree is missing.
        raise DamagedRowError(("work", draft.solve.id))
    if risen:
        bound = draft.solve.next_threshold or piece.threshold + 1
        _have_checked(draft, piece, bound)
        if draft.solve.upper_bound is None or bound < draft.solve.upper_bound:
            draft.solve = begin_threshold(draft.solve, bound, draft.now)
        fresh = _tree(draft, event)
    else:
        fresh = [_slice(draft.solve, rest, piece.turn, piece.id) for rest in outcome.remaining]
    if ended or draft.solve.bounds != before.bounds:
        # Once a path is found, what is left of the tree is of no use.
        tree_done = ended or outcome.moves is not None
        draft.end_jobs(quarantined=tree_done and not risen)
    if draft.solve.settled:
        return
    if not outcome.remaining and not risen:
        # Parts left by other clients may be parked.
        supply_work(draft, filter(draft.is_deepened, draft.jobs), piece.turn)
    _add(draft, fresh, event.seconds)
    if risen and draft.solve.state is SolveState.ACTIVE:
        _aim(draft, piece, shared=event.short > 0)
    resume(draft, piece.turn, event.seconds)


def checked(draft: DecisionBuilder, event: Checked) -> None:
    """Raise the lower bound, or search the threshold again."""
    piece, upper = event.piece, draft.solve.upper_bound
    if event.bound is None:
        active = any(map(draft.is_deepened, draft.jobs))
        state = SliceState.READY if active else SliceState.PARKED
        draft.end_slice(piece, SliceAction.RETURN, state=state)
        return
    draft.end_slice(piece, SliceAction.DELETE)
    if event.fault is None and (upper is None or event.bound <= upper):
        draft.take_bounds(event.bound, None, Algorithm.IDA_STAR, 0, 0.0)
    elif draft.solve.lower_bound <= piece.threshold:
        # A solution that is known by now spares the threshold that has its length.
        least = piece.threshold if upper is None else min(piece.threshold, upper - 2)
        _start_over(draft, least, event.root, piece.turn)
    draft.end_jobs()
    if not draft.solve.settled:
        supply_work(draft, filter(draft.is_deepened, draft.jobs), piece.turn)


def _start_over(draft: DecisionBuilder, threshold: int, root: WorkUnit, turn: float) -> None:
    """Search a threshold from its beginning; what was searched of it and above is forgotten."""
    draft.forget(threshold)
    draft.lose(draft.parts())
    draft.solve = begin_threshold(draft.solve, threshold, draft.now)
    _add(draft, [_slice(draft.solve, root, turn, None)], None)


def _have_checked(draft: DecisionBuilder, piece: Slice, bound: int) -> None:
    """Have the record of a threshold's search checked: only then its bound is proved."""
    solve = draft.solve
    check = replace(
        _slice(solve, WorkUnit(str(bound).encode(), 0.0), piece.turn, None),
        kind=SliceKind.CHECK,
        threshold=piece.threshold,
    )
    # By who knows of it first, and free of charge: it takes a fiftieth of what was searched.
    _add(draft, [check], 0.0)


def _tree(draft: DecisionBuilder, event: Searched) -> list[Slice]:
    """Make the slices of the threshold that starts, unless a solution as short is known."""
    solve, piece = draft.solve, event.piece
    if solve.threshold == piece.threshold:
        return []
    # A long one is put in order by who claims its root, and shared only then.
    is_ordered = likely_nodes(solve) >= LEAST_ORDERED_NODES * max(1, event.workers)
    parts = 1 if is_ordered else min(1 + event.short, worth(expected_s(solve)))
    pieces = event.tree(parts)
    if len(pieces) == 1:
        return [_slice(solve, pieces[0], piece.turn, None)]
    # Its root is in the proof all the same, as a slice that was only split.
    root = _slice(solve, event.tree(1)[0], piece.turn, None)
    draft.changes.split_roots.append(root)
    return [_slice(solve, part, piece.turn, root.id) for part in pieces]


def _add(draft: DecisionBuilder, fresh: Sequence[Slice], cost_s: float | None) -> None:
    if fresh:
        state = _state(draft)
        draft.add_slices([replace(one, state=state) for one in fresh], cost_s)


def _state(draft: DecisionBuilder) -> SliceState:
    """Return how slices of the search begin: parked where nobody asks for a proof."""
    active = draft.solve.state is SolveState.ACTIVE and any(map(draft.is_deepened, draft.jobs))
    return SliceState.READY if active else SliceState.PARKED


def _aim(draft: DecisionBuilder, piece: Slice, *, shared: bool) -> None:
    """Add a beam aimed at the threshold after the one that starts, where it is cheap in comparison.

    It looks for no longer solutions, which takes less than half the nodes. One that is found ends
    the search with the threshold that is under way: so the beam has to run beside that, not after.
    It proves nothing, so that no threshold waits for it. It takes nearly as long as two workers
    take for the threshold, and is one worker's alone: where others search, it begins at once. One
    worker alone searches the threshold first, whose solution would spare it.
    """
    solve = draft.solve
    aim = (solve.threshold or 0) + STEP
    known = solve.upper_bound is not None and solve.upper_bound <= aim
    # None starts where a solution of the next length is known already.
    starts = solve.threshold != piece.threshold
    if (
        known
        or not starts
        or not uses_aimed_beams(solve.cells)
        or all(job.config.algorithm != Algorithm.AUTO for job in draft.jobs)
    ):
        return
    width = aimed_width(solve.nodes + likely_nodes(solve), aim)
    if width is None:
        return
    trial = Trial(TrialKind.AIMED, width=width)
    turn = piece.turn if shared else piece.turn + likely_s(solve)
    draft.add_slices([trial_slice(solve, new_id(), trial, turn, aim)])


def _slice(solve: Solve, rest: WorkUnit, turn: float, parent_id: str | None) -> Slice:
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
        config=SearchConfig(Algorithm.AUTO, Heuristic.AUTO),
        target=Target(),
        share=rest.share,
        turn=turn,
        parent_id=parent_id,
    )


def _least(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return min(one, other)
