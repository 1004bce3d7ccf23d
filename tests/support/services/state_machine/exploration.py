"""Applies all possible events in every order, and checks the invariants."""

import re
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.support.services.state_machine.initial_states import INITIAL_STATES, NOW, possible_events
from tests.support.services.state_machine.model import Model
from tilework.core.model.farm.changes import Changes
from tilework.core.model.states import JobState, SliceKind, SliceState, SolveState
from tilework.core.puzzle.metric import Metric
from tilework.core.search.limits import Statistics
from tilework.core.services.farm.state_machine import events

DOCS = Path(__file__).parents[4] / "docs" / "solve-states.md"


def documented_transitions() -> dict[tuple[str, str], set[str]]:
    """Read the transition table in docs/solve-states.md."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        (event, state): set(re.findall(r"\w+", cell))
        for event, cells in rows
        for state, cell in zip(("idle", "active", "settled"), cells.split("|")[:3], strict=True)
        if cell.strip() != "–"
    }


def explore_from(steps: dict[str, int]) -> dict[tuple[str, str], set[str]]:
    """Explore this many steps from each initial state."""
    transitions: dict[tuple[str, str], set[str]] = defaultdict(set)
    for name, limit in steps.items():
        for event, states in explore(INITIAL_STATES[name][0](), limit).items():
            transitions[event] |= states
    return transitions


def explore(initial: Model, steps: int) -> dict[tuple[str, str], set[str]]:
    """Apply all possible events for some steps; return the states reached by each event."""
    transitions: dict[tuple[str, str], set[str]] = defaultdict(set)
    states = [(initial, NOW)]
    visited = {_state_key(*states[0])}
    for _ in range(steps):
        neighbors = []
        for model, now in states:
            for event, time in possible_events(model, now):
                after = model.copy()
                changes = after.apply_event(event, time)
                check(model, event, changes, after, time)
                transitions[type(event).__name__, model.solve.state].add(after.solve.state)
                # A repeated event of a late worker changes nothing.
                if isinstance(event, events.SliceEvent) and not isinstance(
                    event, events.SliceRunning | events.BoundsImproved
                ):
                    late = after.copy()
                    late.apply_event(event, time)
                    assert _state_key(late, time) == _state_key(after, time)
                    assert late.solve.nodes == after.solve.nodes
                neighbors.append((after, time))
            for slice_ in model.slices.values():
                if slice_.state is SliceState.READY:
                    after = model.copy()
                    after.lease(slice_)
                    neighbors.append((after, now))
        states = []
        for state in neighbors:
            if (key := _state_key(*state)) not in visited:
                visited.add(key)
                states.append(state)
    return transitions


def _state_key(model: Model, now: float) -> tuple[object, ...]:
    """Return a key that is equal for states that differ only in names."""
    solve = model.solve
    jobs = Counter((job.config, job.target, job.deadline) for job in model.jobs.values())
    slices = Counter(
        (
            slice_.kind,
            slice_.state,
            slice_.config,
            slice_.threshold,
            slice_.expiries,
            min(slice_.attempts, 2),
        )
        for slice_ in model.slices.values()
    )
    return (
        now,
        solve.state,
        solve.bounds,
        solve.threshold,
        solve.tried,
        solve.iterations if solve.metric is Metric.SLIDES else None,
        frozenset(jobs.items()),
        frozenset(slices.items()),
    )


def check(before: Model, event: events.Event, changes, after: Model, now: float) -> None:
    solve = after.solve
    # A solve is active exactly while a job is unfinished, and settled once its bounds are equal.
    assert (solve.state is SolveState.ACTIVE) == (bool(after.jobs) and not solve.settled)
    assert (solve.state is SolveState.SETTLED) == solve.settled
    # Bounds only improve.
    if not isinstance(event, events.SolutionInvalidated):
        assert solve.lower_bound >= before.solve.lower_bound
        if before.solve.upper_bound is not None:
            assert solve.upper_bound <= before.solve.upper_bound
    check_effort(before.solve, event, solve, changes.ended_jobs)
    # The event of a slice changes the slice first, and only its holder can do that.
    if isinstance(event, events.SliceEvent) and changes != Changes(before.solve):
        assert changes.slice_change is not None
        assert changes.slice_change.slice == event.slice
    check_ends(event, changes, solve, now)
    check_work(after)


def check_effort(before, event, solve, endings) -> None:
    """The effort of each event counts once, and nothing that a reader was shown gets less."""
    effort = event.effort if isinstance(event, events.SliceEvent) else Statistics()
    assert solve.nodes == before.nodes + effort.generated
    assert solve.seconds == pytest.approx(before.seconds + effort.seconds)
    assert before.wall_s <= solve.wall_s
    for ending in endings:
        assert (ending.effort.nodes, ending.effort.wall_s) == (solve.nodes, solve.wall_s)
    is_restart = isinstance(event, events.SolutionInvalidated | events.WorkDamaged) or (
        isinstance(event, events.ProofChecked) and event.error
    )
    if not is_restart:
        shown, known = ((one.threshold or 0, one.covered) for one in (before, solve))
        assert shown <= known


def check_ends(event, changes, solve, now) -> None:
    """Each job ends for a valid reason."""
    for ending in changes.ended_jobs:
        # Otherwise its work is in quarantine, which a message reports.
        assert (
            ending.job.target.is_met_by(*ending.bounds)
            or (isinstance(event, events.JobCancelled) and event.job_id == ending.job.id)
            or ending.job.deadline <= now
            or ending.job.config in solve.tried
            or ending.message is not None
        ), ending
        if ending.state is JobState.OPTIMAL:
            assert ending.bounds.lower == ending.bounds.upper


def serves(slice_, active) -> bool:
    if slice_.kind is SliceKind.INITIAL:
        return slice_.config == active.config
    return active.config.algorithm == "auto"


def check_work(after: Model) -> None:
    slices = after.slices.values()
    states = (SliceState.READY, SliceState.LEASED)
    unfinished = [slice_ for slice_ in slices if slice_.state in states]
    # Each job has work, and all waiting work has a job.
    for active in after.jobs.values():
        assert any(serves(slice_, active) for slice_ in unfinished), active
    for slice_ in unfinished:
        if slice_.state is SliceState.READY:
            assert any(serves(slice_, active) for active in after.jobs.values()), slice_
    # A threshold's tree is covered once, by finished and remaining slices.
    parts = [slice_ for slice_ in slices if slice_.kind is SliceKind.SEARCH]
    assert after.solve.pending == len(parts)
    if parts:
        assert after.solve.covered + sum(part.share for part in parts) == pytest.approx(1)
    # A search configuration has one initial search.
    openings = Counter(slice_.config for slice_ in slices if slice_.kind is SliceKind.INITIAL)
    assert set(openings.values()) <= {1}
