"""What must hold after any event in any situation."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from tests.support.services.life.model import Model
from tilework.core.services.farm.life import effects, events
from tilework.core.services.farm.life.effects import SliceEnd
from tilework.core.services.states import JobState, SliceKind, SliceState, SolveState


def check(before: Model, event: events.Event, decision, after: Model, now: float) -> None:
    solve = after.solve
    # A solve is at work exactly while a job is unfinished, and settled once its bounds meet.
    assert (solve.state is SolveState.ACTIVE) == (bool(after.jobs) and not solve.settled)
    assert (solve.state is SolveState.SETTLED) == solve.settled
    # Bounds only improve.
    if not isinstance(event, events.Disproved):
        assert solve.lower_bound >= before.solve.lower_bound
        if before.solve.upper_bound is not None:
            assert solve.upper_bound <= before.solve.upper_bound
    # What concerns a slice begins with what only its holder may do.
    if isinstance(event, events.SliceEvent) and decision.effects:
        first, *rest = decision.effects
        if isinstance(first, effects.Overdue):
            first, *rest = rest
        assert isinstance(first, SliceEnd)
        assert not any(isinstance(one, SliceEnd) for one in rest)
    check_ends(before, event, decision, solve, now)
    check_work(after)


def check_ends(before, event, decision, solve, now) -> None:
    """Nobody's job ends but for its own sake."""
    for effect in decision.effects:
        if not isinstance(effect, effects.EndJob):
            continue
        ending = effect.ending
        met = ending.job.target.met_by(ending.lower_bound, ending.upper_bound)
        piece = getattr(event, "piece", None)
        reasons = {
            "it is good enough": met,
            "it was cancelled": isinstance(event, events.Cancelled)
            and event.job_id == ending.job.id,
            "its time is over": ending.job.deadline <= now,
            "its algorithm has done all it can": ending.job.course in solve.tried,
            "its work is in quarantine": ending.message is not None
            and any(
                one.state is SliceState.QUARANTINED and serves(one, ending.job)
                for one in (*before.slices.values(), *quarantined(decision, piece))
            ),
        }
        assert any(reasons.values()), ending
        if ending.state is JobState.OPTIMAL:
            assert ending.lower_bound == ending.upper_bound


def quarantined(decision, piece):
    return [
        replace(piece, state=one.state)
        for one in decision.effects
        if isinstance(one, effects.Return)
    ]


def serves(piece, active) -> bool:
    if piece.kind is SliceKind.OPEN:
        return piece.course == active.course
    return active.course.algorithm == "auto"


def check_work(after: Model) -> None:
    pieces = after.slices.values()
    live = [one for one in pieces if one.state in (SliceState.READY, SliceState.LEASED)]
    # Somebody works, or can, for each job; and nothing waits that serves none.
    for active in after.jobs.values():
        assert any(serves(piece, active) for piece in live), active
    for piece in live:
        if piece.state is SliceState.READY:
            assert any(serves(piece, active) for active in after.jobs.values()), piece
    # A threshold's tree is covered once: by what is done, and by what is left.
    parts = [one for one in pieces if one.kind is SliceKind.SEARCH]
    assert after.solve.pending == len(parts)
    if parts:
        assert after.solve.covered + sum(one.share for one in parts) == pytest.approx(1)
    # Of a course there is one opening.
    openings = Counter(one.course for one in pieces if one.kind is SliceKind.OPEN)
    assert set(openings.values()) <= {1}
