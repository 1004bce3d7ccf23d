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
from tilework.core.services.farm.splitting import max_parts
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import (
    InitialSearchEnded,
    ProofChecked,
    SearchSliceEnded,
)
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


def start_threshold(builder: DecisionBuilder, threshold: int) -> None:
    """Start the search of a threshold, unless the lower bound proves the solution by now."""
    builder.take_bounds(threshold, None, Algorithm.IDA_STAR, 0, 0.0)
    if not builder.solve.settled:
        builder.solve = begin_threshold(builder.solve, builder.solve.lower_bound, builder.now)


def plan(builder: DecisionBuilder, event: InitialSearchEnded) -> None:
    """Add the root of the first threshold's tree, where the bounds are still apart."""
    solve = builder.solve
    if solve.settled:
        return
    root = _slice(solve, event.root, event.slice.priority, None)
    builder.add_slices([root], event.seconds)


def on_search_slice_ended(builder: DecisionBuilder, event: SearchSliceEnded) -> None:
    """End a slice of search: add its nodes, its next threshold and what remains of it."""
    slice_, outcome = event.slice, event.outcome
    before = builder.solve
    found = SliceResult(outcome.nodes, outcome.next_threshold, outcome.engine, event.seconds)
    builder.end_slice(slice_, SliceAction.FINISH, found=found)
    builder.take_bounds(0, outcome.moves, Algorithm.IDA_STAR, outcome.nodes, event.seconds)
    left = sum(rest.share for rest in outcome.remaining)
    covered = min(1.0, max(0.0, before.covered + slice_.share - left))
    after = add_slice(builder.solve, slice_.threshold, found, covered, builder.now)
    builder.solve = replace(
        after, next_threshold=_least(before.next_threshold, outcome.next_threshold)
    )
    risen = ended = False
    if not outcome.remaining:
        ended = all(group.state is SliceState.QUARANTINED for group in builder.parts())
        risen = ended and outcome.moves is None and not builder.parts()
    if risen and builder.solve.pending > 0 and slice_.threshold == before.threshold:
        # Some were never done: a part of the tree is missing.
        raise DamagedRowError(("work", builder.solve.id))
    if risen:
        bound = builder.solve.next_threshold or slice_.threshold + 1
        _have_checked(builder, slice_, bound)
        if builder.solve.upper_bound is None or bound < builder.solve.upper_bound:
            builder.solve = begin_threshold(builder.solve, bound, builder.now)
        fresh = _tree(builder, event)
    else:
        fresh = [
            _slice(builder.solve, rest, slice_.priority, slice_.id) for rest in outcome.remaining
        ]
    if ended or builder.solve.bounds != before.bounds:
        # Once a path is found, what is left of the tree is of no use.
        tree_done = ended or outcome.moves is not None
        builder.end_jobs(quarantined=tree_done and not risen)
    if builder.solve.settled:
        return
    if not outcome.remaining and not risen:
        # Parts left by other clients may be parked.
        supply_work(builder, filter(builder.is_deepened, builder.jobs), slice_.priority)
    _add(builder, fresh, event.seconds)
    if risen and builder.solve.state is SolveState.ACTIVE:
        _aim(builder, slice_, shared=event.short > 0)
    resume(builder, slice_.priority, event.seconds)


def on_proof_checked(builder: DecisionBuilder, event: ProofChecked) -> None:
    """Raise the lower bound, or search the threshold again."""
    slice_, upper = event.slice, builder.solve.upper_bound
    if event.bound is None:
        active = any(map(builder.is_deepened, builder.jobs))
        state = SliceState.READY if active else SliceState.PARKED
        builder.end_slice(slice_, SliceAction.RETURN, state=state)
        return
    builder.end_slice(slice_, SliceAction.DELETE)
    if event.fault is None and (upper is None or event.bound <= upper):
        builder.take_bounds(event.bound, None, Algorithm.IDA_STAR, 0, 0.0)
    elif builder.solve.lower_bound <= slice_.threshold:
        # A solution that is known by now spares the threshold that has its length.
        least = slice_.threshold if upper is None else min(slice_.threshold, upper - 2)
        _start_over(builder, least, event.root, slice_.priority)
    builder.end_jobs()
    if not builder.solve.settled:
        supply_work(builder, filter(builder.is_deepened, builder.jobs), slice_.priority)


def _start_over(builder: DecisionBuilder, threshold: int, root: WorkUnit, priority: float) -> None:
    """Search a threshold from its beginning; what was searched of it and above is forgotten."""
    builder.forget(threshold)
    builder.lose(builder.parts())
    builder.solve = begin_threshold(builder.solve, threshold, builder.now)
    _add(builder, [_slice(builder.solve, root, priority, None)], None)


def _have_checked(builder: DecisionBuilder, slice_: Slice, bound: int) -> None:
    """Have the record of a threshold's search checked: only then its bound is proved."""
    solve = builder.solve
    check = replace(
        _slice(solve, WorkUnit(str(bound).encode(), 0.0), slice_.priority, None),
        kind=SliceKind.CHECK,
        threshold=slice_.threshold,
    )
    # By who knows of it first, and free of charge: it takes a fiftieth of what was searched.
    _add(builder, [check], 0.0)


def _tree(builder: DecisionBuilder, event: SearchSliceEnded) -> list[Slice]:
    """Make the slices of the threshold that starts, unless a solution as short is known."""
    solve, slice_ = builder.solve, event.slice
    if solve.threshold == slice_.threshold:
        return []
    # A long one is put in order by who claims its root, and shared only then.
    is_ordered = likely_nodes(solve) >= LEAST_ORDERED_NODES * max(1, event.workers)
    parts = 1 if is_ordered else min(1 + event.short, max_parts(expected_s(solve)))
    pieces = event.tree(parts)
    if len(pieces) == 1:
        return [_slice(solve, pieces[0], slice_.priority, None)]
    # Its root is in the proof all the same, as a slice that was only split.
    root = _slice(solve, event.tree(1)[0], slice_.priority, None)
    builder.changes.split_roots.append(root)
    return [_slice(solve, part, slice_.priority, root.id) for part in pieces]


def _add(builder: DecisionBuilder, fresh: Sequence[Slice], cost_s: float | None) -> None:
    if fresh:
        state = _state(builder)
        builder.add_slices([replace(one, state=state) for one in fresh], cost_s)


def _state(builder: DecisionBuilder) -> SliceState:
    """Return how slices of the search begin: parked where nobody asks for a proof."""
    active = builder.solve.state is SolveState.ACTIVE and any(
        map(builder.is_deepened, builder.jobs)
    )
    return SliceState.READY if active else SliceState.PARKED


def _aim(builder: DecisionBuilder, slice_: Slice, *, shared: bool) -> None:
    """Add a beam aimed at the threshold after the one that starts, where it is cheap in comparison.

    It looks for no longer solutions, which takes less than half the nodes. One that is found ends
    the search with the threshold that is under way: so the beam has to run beside that, not after.
    It proves nothing, so that no threshold waits for it. It takes nearly as long as two workers
    take for the threshold, and is one worker's alone: where others search, it begins at once. One
    worker alone searches the threshold first, whose solution would spare it.
    """
    solve = builder.solve
    aim = (solve.threshold or 0) + STEP
    known = solve.upper_bound is not None and solve.upper_bound <= aim
    # None starts where a solution of the next length is known already.
    starts = solve.threshold != slice_.threshold
    if (
        known
        or not starts
        or not uses_aimed_beams(solve.cells)
        or all(job.config.algorithm != Algorithm.AUTO for job in builder.jobs)
    ):
        return
    width = aimed_width(solve.nodes + likely_nodes(solve), aim)
    if width is None:
        return
    trial = Trial(TrialKind.AIMED, width=width)
    priority = slice_.priority if shared else slice_.priority + likely_s(solve)
    builder.add_slices([trial_slice(solve, new_id(), trial, priority, aim)])


def _slice(solve: Solve, rest: WorkUnit, priority: float, parent_id: str | None) -> Slice:
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
        priority=priority,
        parent_id=parent_id,
    )


def _least(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return one if other is None else other
    return min(one, other)
