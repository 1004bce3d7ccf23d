"""Handlers for search slices and checks that have ended.

A bound is proven once the record of its threshold has passed its check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tilework.core.errors import DamagedSolveError
from tilework.core.model.farm.changes import SliceAction
from tilework.core.model.farm.estimate import add_effort, add_slice, begin_threshold
from tilework.core.model.farm.solves import SearchConfig, Slice, SliceResult, Solve
from tilework.core.model.ids import new_id
from tilework.core.model.states import Queue, SliceKind, SliceState, SolveState
from tilework.core.services.farm.splitting import max_parts
from tilework.core.services.farm.state_machine.decision_builder import DecisionBuilder
from tilework.core.services.farm.state_machine.events import (
    InitialSearchEnded,
    ProofChecked,
    SearchSliceEnded,
)
from tilework.core.services.farm.state_machine.proof_pace import (
    likely_nodes,
    min_threshold_s,
)
from tilework.core.services.farm.state_machine.trial_events import add_trial_if_none, trial_slice
from tilework.core.services.farm.state_machine.work_supply import supply_work
from tilework.core.solver.strategy import MIN_ORDERED_NODES, choose_aimed_width, uses_aimed_beams
from tilework.core.solver.target import Algorithm, Heuristic, Target
from tilework.core.solver.trial import Trial, TrialKind
from tilework.core.solver.work_unit import WorkUnit


def add_first_threshold(
    builder: DecisionBuilder, event: InitialSearchEnded, threshold: int
) -> None:
    """Start the search of the first threshold, unless the bounds already meet."""
    builder.improve_bounds(threshold, None, Algorithm.IDA_STAR)
    if builder.solve.settled:
        return
    builder.solve = begin_threshold(builder.solve, builder.solve.lower_bound)
    _add_aimed_beam(builder, event.slice.priority)
    root = _search_slice(builder.solve, event.root, event.slice.priority, None)
    builder.add_slices([root], event.seconds)


def on_search_slice_ended(builder: DecisionBuilder, event: SearchSliceEnded) -> None:
    """End a slice of search: add its next threshold and its remainder."""
    slice_, outcome = event.slice, event.outcome
    before = builder.solve
    result = SliceResult(outcome.nodes, outcome.next_threshold, outcome.engine, event.seconds)
    builder.end_slice(slice_, SliceAction.FINISH, result=result)
    builder.improve_bounds(0, outcome.moves, Algorithm.IDA_STAR)
    remaining = sum(unit.share for unit in outcome.remaining)
    # Not less because of rounding: it was shown.
    covered = min(1.0, before.covered + max(0.0, slice_.share - remaining))
    since = builder.working_since(event.seconds)
    after = add_effort(builder.solve, outcome.nodes, since, builder.now)
    builder.solve = replace(
        add_slice(after, slice_.threshold, result, covered),
        next_threshold=_min_or_none(before.next_threshold, outcome.next_threshold),
    )
    is_complete = has_ended = False
    if not outcome.remaining:
        has_ended = all(group.state is SliceState.QUARANTINED for group in builder.parts())
        is_complete = has_ended and outcome.moves is None and not builder.parts()
    if is_complete and builder.solve.pending > 0 and slice_.threshold == before.threshold:
        # Slices that never ran are missing.
        raise DamagedSolveError(builder.solve.id)
    if is_complete:
        bound = builder.solve.next_threshold or slice_.threshold + 1
        _add_check(builder, slice_, bound)
        if builder.solve.upper_bound is None or bound < builder.solve.upper_bound:
            builder.solve = begin_threshold(builder.solve, bound)
    if has_ended or builder.solve.bounds != before.bounds:
        # Once a path is found, the other parts of the tree are not needed.
        is_tree_done = has_ended or outcome.moves is not None
        builder.end_jobs(quarantined=is_tree_done and not is_complete)
    if builder.solve.settled:
        return
    if outcome.remaining:
        slices = [
            _search_slice(builder.solve, unit, slice_.priority, slice_.id)
            for unit in outcome.remaining
        ]
        _add_slices(builder, slices, event.seconds)
    elif not is_complete:
        # Parts of the tree may have been parked when an earlier job ended.
        _supply_thresholds(builder, slice_.priority, event.seconds)
    elif builder.solve.threshold != slice_.threshold:
        # Otherwise a solution of the next length is already known.
        _add_aimed_beam(builder, slice_.priority)
        _add_slices(builder, _threshold_slices(builder, event), event.seconds)
    add_trial_if_none(builder, slice_.priority, event.seconds)


def on_proof_checked(builder: DecisionBuilder, event: ProofChecked) -> None:
    """Raise the lower bound, or search the threshold again."""
    slice_, upper = event.slice, builder.solve.upper_bound
    if event.bound is None:
        is_active = any(map(builder.uses_thresholds, builder.jobs))
        state = SliceState.READY if is_active else SliceState.PARKED
        builder.end_slice(slice_, SliceAction.RETURN, state=state)
        return
    builder.end_slice(slice_, SliceAction.DELETE)
    if event.error is None and (upper is None or event.bound <= upper):
        builder.improve_bounds(event.bound, None, Algorithm.IDA_STAR)
    elif builder.solve.lower_bound <= slice_.threshold:
        # A known solution makes the threshold of its own length unnecessary.
        restart_at = slice_.threshold if upper is None else min(slice_.threshold, upper - 2)
        _restart_threshold(builder, restart_at, event.root, slice_.priority)
    builder.end_jobs()
    if not builder.solve.settled:
        _supply_thresholds(builder, slice_.priority, event.seconds)


def _supply_thresholds(builder: DecisionBuilder, priority: float, seconds: float) -> None:
    jobs = filter(builder.uses_thresholds, builder.jobs)
    supply_work(builder, jobs, priority, cost_s=seconds)


def _restart_threshold(
    builder: DecisionBuilder, threshold: int, root: WorkUnit, priority: float
) -> None:
    """Search a threshold from its root again; delete the slices of this and higher thresholds."""
    builder.delete_from(threshold)
    builder.drop_groups(builder.parts())
    builder.solve = begin_threshold(builder.solve, threshold)
    _add_slices(builder, [_search_slice(builder.solve, root, priority, None)], None)


def _add_check(builder: DecisionBuilder, slice_: Slice, bound: int) -> None:
    """Add a check of a threshold's record, which is required to prove its bound."""
    solve = builder.solve
    check = replace(
        _search_slice(solve, WorkUnit(str(bound).encode(), 0.0), slice_.priority, None),
        kind=SliceKind.CHECK,
        threshold=slice_.threshold,
    )
    # The next worker runs the check. It takes a fiftieth of the search and is not charged.
    _add_slices(builder, [check], 0.0)


def _threshold_slices(builder: DecisionBuilder, event: SearchSliceEnded) -> list[Slice]:
    solve, slice_ = builder.solve, event.slice
    # The worker that claims the root of a long threshold first orders the tree, then shares it.
    is_ordered = likely_nodes(solve) >= MIN_ORDERED_NODES * max(1, event.workers)
    parts = 1 if is_ordered else min(1 + event.missing_parts, max_parts(min_threshold_s(solve)))
    units = event.tree(parts)
    if len(units) == 1:
        return [_search_slice(solve, units[0], slice_.priority, None)]
    # The root is part of the proof, recorded as a slice that was only split.
    root = _search_slice(solve, event.tree(1)[0], slice_.priority, None)
    builder.changes.split_roots.append(root)
    return [_search_slice(solve, part, slice_.priority, root.id) for part in units]


def _add_slices(builder: DecisionBuilder, slices: Sequence[Slice], cost_s: float | None) -> None:
    if slices:
        state = _initial_state(builder)
        builder.add_slices([replace(slice_, state=state) for slice_ in slices], cost_s)


def _initial_state(builder: DecisionBuilder) -> SliceState:
    """Return the initial state of search slices: parked if no job needs a proof."""
    is_active = builder.solve.state is SolveState.ACTIVE and any(
        map(builder.uses_thresholds, builder.jobs)
    )
    return SliceState.READY if is_active else SliceState.PARKED


def _add_aimed_beam(builder: DecisionBuilder, priority: float) -> None:
    """Add a beam aimed at the length of the current threshold, if it is cheap in comparison.

    The beam ignores longer solutions, which saves more than half of the nodes. A solution that it
    finds makes the threshold unnecessary, so it is next in the client's turn: one worker runs it
    before the threshold, as a search in one process does, and several run it alongside. It proves
    nothing, so no bound waits for it.
    """
    solve = builder.solve
    length = solve.threshold or 0
    is_active = solve.state is SolveState.ACTIVE and uses_aimed_beams(solve.cells)
    width = choose_aimed_width(solve.nodes, length)
    if not is_active or width is None or not builder.has_auto_job():
        return
    trial = Trial(TrialKind.AIMED, width=width)
    builder.add_slices([trial_slice(solve, new_id(), trial, priority, length)], 0.0)


def _search_slice(solve: Solve, unit: WorkUnit, priority: float, parent_id: str | None) -> Slice:
    return Slice(
        id=new_id(),
        solve_id=solve.id,
        epoch=solve.epoch,
        kind=SliceKind.SEARCH,
        queue=Queue.SEARCH,
        state=SliceState.READY,
        threshold=solve.threshold or 0,
        cursor=unit.cursor,
        config=SearchConfig(Algorithm.AUTO, Heuristic.AUTO),
        target=Target(),
        share=unit.share,
        priority=priority,
        parent_id=parent_id,
    )


def _min_or_none(first: int | None, second: int | None) -> int | None:
    return min((value for value in (first, second) if value is not None), default=None)
