"""Situations found by trying: whatever can happen happens, in any order.

Situations that differ in names alone count as one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from pathlib import Path

from tests.support.services.life.beginnings import NOW
from tests.support.services.life.happenings import possible
from tests.support.services.life.invariants import check
from tests.support.services.life.model import Model
from tilework.core.puzzle.metric import Metric
from tilework.core.services.farm.life import events
from tilework.core.services.states import SliceState

DOCS = Path(__file__).parents[4] / "docs" / "life.md"


def documented() -> dict[tuple[str, str], set[str]]:
    """Read the table of transitions of docs/life.md."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        (event, before): set(re.findall(r"\w+", cell))
        for event, cells in rows
        for before, cell in zip(("idle", "active", "settled"), cells.split("|"), strict=True)
        if cell.strip() != "–"
    }


def explored(beginning: Model, steps: int) -> dict[tuple[str, str], set[str]]:
    """Try everything for so many steps; return the states that each event leads to."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    situations = [(beginning, NOW)]
    seen = {_without_names(*situations[0])}
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
                    assert _without_names(late, moment) == _without_names(after, moment)
                fresh.append((after, moment))
            for piece in model.slices.values():
                if piece.state is SliceState.READY:
                    after = model.copy()
                    after.take(piece)
                    fresh.append((after, now))
        situations = []
        for one in fresh:
            if (key := _without_names(*one)) not in seen:
                seen.add(key)
                situations.append(one)
    return found


def _without_names(model: Model, now: float) -> tuple[object, ...]:
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
