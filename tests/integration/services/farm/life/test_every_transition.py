"""Every event in every situation that can be reached in some steps: what must hold, holds.

The situations are found by trying: from an unknown board on, whatever can happen happens, in any
order, and situations that differ in names alone count as one.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

from tests.integration.services.farm.life.beginnings import BEGINNINGS, NOW
from tests.integration.services.farm.life.happenings import possible
from tests.integration.services.farm.life.invariants import check
from tests.integration.services.farm.life.model import Model
from tests.integration.services.farm.life.table import documented
from tilework.core.puzzle.metric import Metric
from tilework.core.services.farm.life import events
from tilework.core.services.states import SliceState


def without_names(model, now):
    """What is the same for situations that differ in names alone."""
    solve = model.solve
    jobs = Counter((one.course, one.target, one.deadline) for one in model.jobs.values())
    slices = Counter(
        (one.kind, one.state, one.course, one.threshold, one.expiries, min(one.attempts, 2))
        for one in model.slices.values()
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


def explored(beginning: Model, steps: int) -> dict[tuple[str, str], set[str]]:
    """Try everything for so many steps; return the states that each event leads to."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    situations = [(beginning, NOW)]
    seen = {without_names(*situations[0])}
    for _ in range(steps):
        fresh = []
        for model, now in situations:
            for event, moment in possible(model, now):
                after = model.copy()
                decision = after.settle(event, moment)
                check(model, event, decision, after, moment)
                found[type(event).__name__, model.solve.state].add(after.solve.state)
                # Told again, by a worker that hears too late, it changes nothing.
                if isinstance(event, events.SliceEvent) and not isinstance(
                    event, events.Started | events.Noted
                ):
                    late = after.copy()
                    late.settle(event, moment)
                    assert without_names(late, moment) == without_names(after, moment)
                fresh.append((after, moment))
            for piece in model.slices.values():
                if piece.state is SliceState.READY:
                    after = model.copy()
                    after.take(piece)
                    fresh.append((after, now))
        situations = []
        for one in fresh:
            if (key := without_names(*one)) not in seen:
                seen.add(key)
                situations.append(one)
    return found


def test_every_event_leads_where_the_table_says():
    found = defaultdict(set)
    for beginning, steps in BEGINNINGS.values():
        for event, states in explored(beginning(), steps).items():
            found[event] |= states
    assert found == documented()


@pytest.mark.slow
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("name", BEGINNINGS)
def test_more_steps_lead_nowhere_else(name):
    beginning, steps = BEGINNINGS[name]
    table = documented()
    for event, states in explored(beginning(), steps + 3).items():
        assert states <= table[event]


def test_the_table_has_every_event():
    kinds = {kind.__name__ for kind in events.Event.__args__}
    assert {event for event, _ in documented()} == kinds
