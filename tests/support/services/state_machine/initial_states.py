"""The initial states of the exploration, and the possible events of a solve in any state."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count

from tests.support.services.service_fixture import options
from tests.support.services.state_machine.model import Model
from tilework.core.messages import untranslated
from tilework.core.model.farm.solves import Bounds, Solve
from tilework.core.model.farm.workload import FarmState
from tilework.core.model.jobs import Job
from tilework.core.model.states import Queue, SliceKind, SliceState, SolveState
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import from_letters
from tilework.core.search.limits import Statistics, StopReason
from tilework.core.services.farm.state_machine import events
from tilework.core.solver.result import (
    SearchedThreshold,
    SearchResult,
    SliceOutcome,
    SlidesResult,
    WorkUnit,
)
from tilework.core.solver.target import Target, TargetKind
from tilework.core.solver.trial import Trial, TrialKind, TrialOutcome

OPTIMAL = Target()
SOON, LATER = 100.0, 1e6
NOW, LATE = 10.0, 10_000.0
LENGTH = 8
SIZES = {12: Size(4, 3), 20: Size(5, 4), 25: Size(5, 5), 49: Size(7, 7)}
ROOT = WorkUnit(b"root", 1.0)
_ids = count()


def make_moves(length):
    return from_letters("LR" * (length // 2))


def make_board_model(cells):
    return Model(
        Solve("s", "k", SIZES[cells], Bounds(4), SolveState.IDLE, None, None, 0.0, 0, 0, 0.0)
    )


def make_slides_model(cells):
    return Model(replace(make_board_model(cells).solve, key=Metric.SLIDES.key("k")))


def make_job(algorithm, target, deadline):
    return Job(
        id=f"job {next(_ids)}",
        solve_id="s",
        client_id="someone",
        width=4,
        height=3,
        transform="",
        options=options(target, deadline, algorithm=algorithm),
        deadline=deadline,
        queue=Queue.INTERACTIVE,
        created_at=NOW,
    )


def make_search_model(*, expiries=0, nodes=0, lower=6):
    """Return the search of a 20-cell board, with one leased slice, and a beam if it is cheap."""
    model = make_board_model(20)
    model.apply_event(events.JobSubmitted(make_job("auto", OPTIMAL, LATER), NOW, lambda: NOW), NOW)
    [initial] = map(model.lease, list(model.slices.values()))
    statistics = Statistics(generated=nodes)
    result = SearchResult(lower, make_moves(LENGTH + 2), "x", stopped_by=StopReason.TIME)
    ended = events.InitialSearchEnded(initial, result, 4, ROOT, NOW, 0.1, effort=statistics)
    model.apply_event(ended, NOW)
    [root] = [slice_ for slice_ in model.slices.values() if slice_.kind is SliceKind.SEARCH]
    model.lease(replace(root, expiries=expiries))
    return model


def make_last_threshold_model():
    """Return a search at the threshold of the solution, with a beam of an earlier threshold."""
    model = make_search_model(nodes=10**9, lower=LENGTH - 4)
    # The beam next to the first threshold is not needed; each slice multiplies the states.
    model.slices = {
        id_: slice_ for id_, slice_ in model.slices.items() if slice_.kind is SliceKind.SEARCH
    }
    for threshold in (LENGTH - 2, LENGTH):
        [part] = [slice_ for slice_ in model.slices.values() if slice_.kind is SliceKind.SEARCH]
        outcome = SliceOutcome(7, threshold, None, (), "e")
        model.apply_event(events.SearchSliceEnded(part, outcome, 1.0, 0, lambda _: [ROOT]), NOW)
        for slice_ in list(model.slices.values()):
            leased = slice_ if slice_.state is SliceState.LEASED else model.lease(slice_)
            if leased.kind is SliceKind.CHECK:
                model.apply_event(events.ProofChecked(leased, threshold, None, ROOT), NOW)
    return model


# Each function, and the number of steps in `make test`; more steps take minutes.
INITIAL_STATES = {
    "an unknown board": (partial(make_board_model, 12), 8),
    "an unknown large board": (partial(make_board_model, 49), 6),
    "a board that is proved and improved": (partial(make_board_model, 25), 5),
    "an unknown board in slides": (partial(make_slides_model, 12), 8),
    "a large board in slides": (partial(make_slides_model, 25), 5),
    "a search": (make_search_model, 5),
    "the last threshold": (make_last_threshold_model, 3),
    "a search that aims beams": (partial(make_search_model, nodes=10**9), 4),
    "a slice that crashes its workers": (partial(make_search_model, expiries=3), 5),
}

ANY = Target(TargetKind.ANY)


def request_events(model) -> Iterator[events.Event]:
    if len(model.jobs) >= 2:
        return
    others = [("beam", OPTIMAL, SOON), ("constructive", OPTIMAL, LATER)]
    if model.solve.metric is Metric.SLIDES:
        others = [("auto", OPTIMAL, SOON)]
    for algorithm, target, deadline in (("auto", OPTIMAL, LATER), ("auto", ANY, LATER), *others):
        yield events.JobSubmitted(make_job(algorithm, target, deadline), NOW, lambda: NOW)


def initial_search_events(slice_, cells) -> Iterator[events.Event]:
    yield events.BoundsImproved(slice_, SearchResult(4, make_moves(LENGTH + 4), "x"), NOW)
    threshold = 4 if cells <= 36 and slice_.config.algorithm == "auto" else None
    for lower, length, stopped_by in (
        (LENGTH, LENGTH, None),
        (6, LENGTH + 2, None),
        (6, LENGTH, StopReason.TIME),
        (4, None, StopReason.TIME),
        (4, None, StopReason.CANCELLED),
    ):
        solution = None if length is None else make_moves(length)
        result = SearchResult(lower, solution, "x", Statistics(generated=5), stopped_by)
        next_threshold = None if result.optimal else threshold
        yield events.InitialSearchEnded(slice_, result, next_threshold, ROOT, NOW, 0.1)


def slides_events(slice_) -> Iterator[events.Event]:
    # Moves back and forth: as many slides as moves.
    yield events.BoundsImproved(slice_, SearchResult(4, make_moves(LENGTH + 4), "x"), NOW)
    yield events.BoundsImproved(slice_, SearchResult(6, make_moves(LENGTH + 2), "x"), NOW)
    for lower, length, stopped_by in (
        (LENGTH, LENGTH, None),
        (6, LENGTH + 2, StopReason.TIME),
        (6, LENGTH + 2, StopReason.CANCELLED),
        (4, None, StopReason.CANCELLED),
    ):
        solution = None if length is None else make_moves(length)
        thresholds = (SearchedThreshold(4, 5, 0.1, lower),) if lower > 4 else ()
        result = SlidesResult(
            lower, solution, "x", Statistics(generated=5), stopped_by, thresholds=thresholds
        )
        yield events.InitialSearchEnded(slice_, result, None, ROOT, NOW, 0.1)


def search_events(model, slice_) -> Iterator[events.Event]:
    def search_ended(next_threshold, solution, *shares):
        units = tuple(WorkUnit(b"part", share) for share in shares)
        outcome = SliceOutcome(7, next_threshold, solution, units, "e")
        return events.SearchSliceEnded(slice_, outcome, 1.0, 0, lambda _: [ROOT])

    if slice_.expiries == 3:
        half = slice_.share / 2
        yield events.SliceSplit(slice_, (WorkUnit(b"a", half), WorkUnit(b"b", half)))
        yield events.SliceSplit(slice_, None)
        return
    if slice_.threshold < LENGTH:
        yield search_ended(slice_.threshold + 2, None)
    else:
        yield search_ended(None, make_moves(LENGTH))
    if sum(other.kind is SliceKind.SEARCH for other in model.slices.values()) < 2:
        yield search_ended(slice_.threshold + 2, None, slice_.share / 4, slice_.share / 4)


def check_events(slice_) -> Iterator[events.Event]:
    yield events.ProofChecked(slice_, None, None, ROOT)
    bound = int(slice_.cursor)
    yield events.ProofChecked(slice_, bound, untranslated("x"), ROOT)
    # A wrong record passes only by chance.
    if bound <= LENGTH:
        yield events.ProofChecked(slice_, bound, None, ROOT)


def trial_events(model, slice_) -> Iterator[events.Event]:
    trial = Trial.from_bytes(slice_.cursor)
    length = trial.count - 2 if trial.kind is TrialKind.WINDOWS else LENGTH
    for solution in (None, make_moves(max(0, length))):
        outcome = TrialOutcome(solution, 3, complete=True)
        yield events.TrialEnded(slice_, outcome, 0.1, FarmState(workers=2))
    if len(model.slices) < 3:
        yield events.WorkersIdle(slice_, 1, FarmState())


def possible_events(model, now) -> Iterator[tuple[events.Event, float]]:
    """Yield every possible event of a solve: job events, slice events and the passing of time."""
    possible: list[events.Event] = [
        *request_events(model),
        events.TimePassed(),
        events.WorkDamaged(),
    ]
    # Bounds from other boards; a longer solution may already be known.
    possible += [
        events.BoundsLearned(lower, make_moves(length), "x")
        for lower, length in ((6, LENGTH + 2), (LENGTH, LENGTH))
        if model.solve.metric is Metric.MOVES
    ]
    possible += [events.JobCancelled(job_id) for job_id in model.jobs]
    if model.solve.upper_bound is not None:
        possible.append(events.SolutionInvalidated(4))
    for slice_ in model.slices.values():
        if slice_.state is not SliceState.LEASED:
            continue
        possible += [
            events.SliceRunning(slice_, NOW),
            events.LeaseLost(slice_),
            events.SliceFailed(slice_, untranslated("x")),
        ]
        if slice_.kind is SliceKind.INITIAL and model.solve.metric is Metric.SLIDES:
            possible += slides_events(slice_)
        elif slice_.kind is SliceKind.INITIAL:
            possible += initial_search_events(slice_, model.solve.cells)
        elif slice_.kind is SliceKind.SEARCH:
            possible += search_events(model, slice_)
        elif slice_.kind is SliceKind.CHECK:
            possible += check_events(slice_)
        else:
            possible += trial_events(model, slice_)
    effort = Statistics(generated=3, seconds=0.1)
    for event in possible:
        is_effort = isinstance(event, events.SliceEvent) and not isinstance(
            event, events.LeaseLost | events.WorkersIdle | events.SliceSplit
        )
        yield replace(event, effort=effort) if is_effort else event, now
    if now == NOW:
        yield events.TimePassed(), LATE
