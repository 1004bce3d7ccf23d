"""What clients see of the search for shorter solutions."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.solver.trial import TrialKind
from tilework.core.solver.trials.improvement import (
    Improvement,
    PendingTrial,
    TrialStatistics,
)


@dataclass(frozen=True)
class TrialView:
    """A trial that waits or runs.

    Attributes
    ----------
    id : str
        Of its slice.
    kind : str
        ``sweep``, ``beam``, ``fresh``, ``suffix`` or ``windows``.
    width : int
        Boards that its beam keeps on each level.
    view : int or None
        View of the board that a ``beam`` or ``fresh`` trial searches; 0 is the board itself.
    first, count : int or None
        Segment of the best solution that windows search.
    length : int or None
        Moves in each window.
    expected_s : float or None
        Expected duration of a beam.
    """

    id: str
    kind: str
    width: int
    view: int | None
    first: int | None = None
    count: int | None = None
    length: int | None = None
    expected_s: float | None = None


@dataclass(frozen=True)
class TrialStatisticsView:
    """The cost and gain of one kind of trial; seconds are summed over workers."""

    kind: str
    length: int | None
    tries: int
    seconds: float
    gained: int


@dataclass(frozen=True)
class ImprovementView:
    """The progress of the search for shorter solutions.

    Attributes
    ----------
    tries : int
        Trials that have ended.
    trying : tuple of TrialView
        Unfinished trials.
    paid : tuple of TrialStatisticsView
        By kind, in the order of their first trials.
    improved_at : float or None
        Epoch seconds of the last gain by a trial.
    """

    tries: int
    trying: tuple[TrialView, ...]
    paid: tuple[TrialStatisticsView, ...]
    improved_at: float | None


def improvement_view(state: Improvement, reversed_from: int | None = None) -> ImprovementView:
    """Return a view of the state.

    ``reversed_from``: the number of moves if the given board is solved by the canonical solution
        backwards.
    """
    return ImprovementView(
        sum(statistics.trials for _, statistics in state.statistics),
        tuple(_trial_view(trial, reversed_from) for trial in state.pending_trials),
        tuple(_statistics_view(name, statistics) for name, statistics in state.statistics),
        state.improved_at,
    )


def _trial_view(pending_trial: PendingTrial, reversed_from: int | None) -> TrialView:
    slice_id, trial, first = pending_trial.slice_id, pending_trial.trial, pending_trial.first
    if trial.window_length is None:
        has_view = trial.kind in (TrialKind.BEAM, TrialKind.FRESH)
        view = trial.view if has_view else None
        return TrialView(slice_id, trial.kind, trial.width, view, expected_s=trial.expected_s)
    if reversed_from is not None and pending_trial.count:
        first = reversed_from - pending_trial.end
    count, length = pending_trial.count, trial.window_length
    return TrialView(slice_id, trial.kind, trial.width, None, first, count, length)


def _statistics_view(name: str, statistics: TrialStatistics) -> TrialStatisticsView:
    kind, _, length = name.partition(" ")
    return TrialStatisticsView(
        kind,
        int(length) if length else None,
        statistics.trials,
        statistics.seconds,
        statistics.gained,
    )
