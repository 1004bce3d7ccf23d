"""Every event in every situation that can be reached in some steps: what must hold, holds.

The situations are found by trying: from an unknown board on, whatever can happen happens, in any
order, and situations that differ in names alone count as one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from tests.core.services.farm.life.model import Model
from tilework.core.messages import as_told
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import StopReason
from tilework.core.search.statistics import Statistics
from tilework.core.services.farm.course import Course
from tilework.core.services.farm.jobs import NewJob
from tilework.core.services.farm.life import effects, events
from tilework.core.services.farm.life.effects import SliceEnd
from tilework.core.services.farm.records import Solve
from tilework.core.services.states import JobState, Queue, SliceKind, SliceState, SolveState
from tilework.core.solver.piece import Piece, SliceOutcome
from tilework.core.solver.result import SearchResult
from tilework.core.solver.slides.result import SearchedThreshold, SlidesResult
from tilework.core.solver.target import Target, TargetKind
from tilework.core.solver.trial import Trial, TrialKind, TrialOutcome

DOCS = Path(__file__).parents[5] / "docs" / "life.md"
OPTIMAL, ANY = Target(), Target(TargetKind.ANY)
SOON, LATER = 100.0, 1e6
NOW, LATE = 10.0, 1_000.0
LENGTH = 8
SIZES = {12: Size(4, 3), 20: Size(5, 4), 25: Size(5, 5), 49: Size(7, 7)}
ROOT = Piece(b"root", 1.0)
_ids = count()


def moves(length):
    return from_letters("LR" * (length // 2))


def unknown(cells):
    return Model(
        Solve("s", "k", SIZES[cells], 4, None, SolveState.IDLE, None, None, 0.0, 0, 0, 0.0)
    )


def unknown_in_slides(cells):
    model = unknown(cells)
    return Model(replace(model.solve, key=Metric.SLIDES.key("k")))


def job(algorithm, target, deadline):
    return NewJob(
        id=f"job {next(_ids)}",
        solve_id="s",
        client_id="someone",
        board_bytes=b"",
        goal_bytes=b"",
        width=4,
        height=3,
        transform="",
        target=target,
        course=Course(algorithm, "auto"),
        time_limit_s=deadline,
        deadline=deadline,
        queue=Queue.INTERACTIVE,
        state=JobState.QUEUED,
        cached=False,
        created_at=NOW,
    )


def searching(*, expiries=0, nodes=0):
    """A search of a board of 20 cells, whose one slice is under way."""
    model = unknown(20)
    model.settle(events.Asked(job("auto", OPTIMAL, LATER), NOW, lambda: NOW), NOW)
    [opening] = map(model.take, list(model.slices.values()))
    result = SearchResult(6, moves(LENGTH + 2), "x", Statistics(generated=nodes), StopReason.TIME)
    model.settle(events.Opened(opening, result, 4, ROOT, NOW, 0.1), NOW)
    [root] = model.slices.values()
    model.take(replace(root, expiries=expiries))
    return model


def last_threshold():
    """A search of the threshold that has the solution, with a beam aimed at it."""
    model = searching(nodes=10**9)
    [root] = model.slices.values()
    outcome = SliceOutcome(7, LENGTH, None, (), "e")
    model.settle(events.Searched(root, outcome, 1.0, 0, lambda _: [ROOT]), NOW)
    for piece in list(model.slices.values()):
        held = model.take(piece)
        if held.kind is SliceKind.CHECK:
            model.settle(events.Checked(held, LENGTH, None, ROOT), NOW)
    return model


def asked(model) -> Iterator[events.Event]:
    if len(model.jobs) >= 2:
        return
    others = (("beam", OPTIMAL, SOON), ("constructive", OPTIMAL, LATER))
    if model.solve.metric is Metric.SLIDES:
        others = (("auto", OPTIMAL, SOON),)
    for algorithm, target, deadline in (
        ("auto", OPTIMAL, LATER),
        ("auto", ANY, LATER),
        *others,
    ):
        yield events.Asked(job(algorithm, target, deadline), NOW, lambda: NOW)


def of_opening(piece, cells) -> Iterator[events.Event]:
    yield events.Noted(piece, 4, moves(LENGTH + 4), "x", NOW)
    threshold = 4 if cells <= 36 and piece.course.algorithm == "auto" else None
    for lower, length, stopped_by in (
        (LENGTH, LENGTH, None),
        (6, LENGTH + 2, None),
        (6, LENGTH, StopReason.TIME),
        (4, None, StopReason.TIME),
        (4, None, StopReason.CANCELLED),
    ):
        found = None if length is None else moves(length)
        result = SearchResult(lower, found, "x", Statistics(generated=5), stopped_by)
        yield events.Opened(piece, result, None if result.optimal else threshold, ROOT, NOW, 0.1)


def of_sliding(piece) -> Iterator[events.Event]:
    # There and back again: as many slides as moves.
    yield events.Noted(piece, 4, moves(LENGTH + 4), "x", NOW)
    yield events.Noted(piece, 6, moves(LENGTH + 2), "x", NOW)
    for lower, length, stopped_by in (
        (LENGTH, LENGTH, None),
        (6, LENGTH + 2, StopReason.TIME),
        (6, LENGTH + 2, StopReason.CANCELLED),
        (4, None, StopReason.CANCELLED),
    ):
        found = None if length is None else moves(length)
        thresholds = (SearchedThreshold(4, 5, 0.1, lower),) if lower > 4 else ()
        result = SlidesResult(
            lower, found, "x", Statistics(generated=5), stopped_by, thresholds=thresholds
        )
        yield events.Slid(piece, result, NOW, 0.1)


def of_search(model, piece) -> Iterator[events.Event]:
    def searched(next_threshold, found, *shares):
        rest = tuple(Piece(b"rest", share) for share in shares)
        outcome = SliceOutcome(7, next_threshold, found, rest, "e")
        return events.Searched(piece, outcome, 1.0, 0, lambda _: [ROOT])

    if piece.expiries == 3:
        yield events.Halved(piece, (Piece(b"a", piece.share / 2), Piece(b"b", piece.share / 2)))
        yield events.Halved(piece, None)
        return
    if piece.threshold < LENGTH:
        yield searched(piece.threshold + 2, None)
    else:
        yield searched(None, moves(LENGTH))
    if sum(one.kind is SliceKind.SEARCH for one in model.slices.values()) < 2:
        yield searched(piece.threshold + 2, None, piece.share / 4, piece.share / 4)


def of_check(piece) -> Iterator[events.Event]:
    yield events.Checked(piece, None, None, ROOT)
    bound = int(piece.cursor)
    yield events.Checked(piece, bound, as_told("x"), ROOT)
    # A wrong record passes only where chance has it.
    if bound <= LENGTH:
        yield events.Checked(piece, bound, None, ROOT)


def of_trial(model, piece) -> Iterator[events.Event]:
    trial = Trial.from_bytes(piece.cursor)
    length = trial.count - 2 if trial.kind is TrialKind.WINDOWS else LENGTH
    for found in (None, moves(max(0, length))):
        outcome = TrialOutcome(found, 3, "beam", whole=True)
        yield events.Improved(piece, outcome, 0.1, events.Share(1.0, 2))
    if len(model.slices) < 3:
        yield events.WorkersIdle(piece, 1, events.ALL)


def possible(model, now) -> Iterator[tuple[events.Event, float]]:
    """Whatever can happen to a solve: to its jobs, its slices, and as time goes by."""
    happens: list[events.Event] = [*asked(model), events.TimePassed(), events.WorkDamaged()]
    # What is proved of this board is so of any other; a longer solution may be known too.
    happens += [
        events.Learned(lower, moves(length), "x")
        for lower, length in ((6, LENGTH + 2), (LENGTH, LENGTH))
        if model.solve.metric is Metric.MOVES
    ]
    happens += [events.Cancelled(job_id) for job_id in model.jobs]
    if model.solve.upper_bound is not None:
        happens.append(events.Disproved(4))
    for piece in model.slices.values():
        if piece.state is not SliceState.LEASED:
            continue
        happens += [
            events.Started(piece),
            events.LeaseLost(piece),
            events.Raised(piece, as_told("x")),
        ]
        if piece.kind is SliceKind.OPEN and model.solve.metric is Metric.SLIDES:
            happens += of_sliding(piece)
        elif piece.kind is SliceKind.OPEN:
            happens += of_opening(piece, model.solve.cells)
        elif piece.kind is SliceKind.SEARCH:
            happens += of_search(model, piece)
        elif piece.kind is SliceKind.CHECK:
            happens += of_check(piece)
        else:
            happens += of_trial(model, piece)
    yield from ((event, now) for event in happens)
    if now == NOW:
        yield events.TimePassed(), LATE


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


def documented() -> dict[tuple[str, str], set[str]]:
    """Read the table of docs/life.md."""
    rows = re.findall(r"^\| `(\w+)` \|(.*)\|$", DOCS.read_text(encoding="utf-8"), re.MULTILINE)
    return {
        (event, before): set(re.findall(r"\w+", cell))
        for event, cells in rows
        for before, cell in zip(("idle", "active", "settled"), cells.split("|"), strict=True)
        if cell.strip() != "–"
    }


# From where, and how many steps in `make test`; the rest takes minutes.
BEGINNINGS = {
    "an unknown board": (partial(unknown, 12), 8),
    "an unknown large board": (partial(unknown, 49), 6),
    "a board that is proved and improved": (partial(unknown, 25), 5),
    "an unknown board in slides": (partial(unknown_in_slides, 12), 8),
    "a large board in slides": (partial(unknown_in_slides, 25), 5),
    "a search": (searching, 5),
    "the last threshold": (last_threshold, 3),
    "a search that aims beams": (partial(searching, nodes=10**9), 5),
    "a slice that crashes its workers": (partial(searching, expiries=3), 5),
}


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
