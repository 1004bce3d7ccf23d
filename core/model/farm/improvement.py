"""The state of a solve's improvement, stored with it from trial to trial and from job to job."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tilework.core.solver.trial import Trial, TrialKind

_DECAY = 0.9
"""Factor of the weight of a kind's older trials at each new trial, because gains become rarer."""

_FIRST_CAP_S, _MIN_CAP_S = 6.0, 2.0

# Durations relative to a beam of the same width. The windows of a fresh solution search as many
# nodes as its beam; on average, half of the solution is searched for a suffix.
_DURATIONS = {TrialKind.FRESH: 2.0, TrialKind.SUFFIX: 0.5}

NO_CAP_S = 60.0
"""A cap that has grown beyond this is dropped."""

CAP_GROWTH = 1.5
"""Growth of the cap with each finished beam."""


@dataclass(frozen=True, slots=True)
class TrialStatistics:
    """The cost and gain of one kind of trial on this board.

    ``trials``, ``seconds``, ``gained``: totals; seconds are summed over workers.
    ``recent_seconds``, ``recent_gained``: the same with decreasing weight of older trials.
    """

    trials: int = 0
    seconds: float = 0.0
    gained: int = 0
    recent_seconds: float = 0.0
    recent_gained: float = 0.0

    def after(self, seconds: float, gained: int) -> TrialStatistics:
        return TrialStatistics(
            self.trials + 1,
            self.seconds + seconds,
            self.gained + gained,
            _DECAY * self.recent_seconds + seconds,
            _DECAY * self.recent_gained + gained,
        )


@dataclass(frozen=True, slots=True)
class PendingTrial:
    """A trial that waits or runs.

    ``first``, ``count``: its segment of the best path; empty for beams, and once another path is
        the best.
    """

    slice_id: str
    trial: Trial
    first: int = 0
    count: int = 0

    @property
    def end(self) -> int:
        """The first move after its segment."""
        return self.first + self.count


@dataclass(frozen=True, slots=True)
class Improvement:
    """The trials made on a board, and the next steps.

    ``opened``: whether an initial search has found a solution, and all bounds that need no search.
    ``trial_count``: number of trials so far.
    ``width``, ``views``: the width of the widest beams so far, and how many views they have
        searched.
    ``seconds_a_width``: duration of the last beam per width; None before one has ended.
    ``cap_s``: time limit of beams after workers died; None for no limit.
    ``polish_s``: time for windows before the next beam (seconds).
    ``suffix_s``: the same for suffixes; negative if they had more than their share.
    ``effort``, ``at``: the effort of windows, and the start of the next segment.
    ``failed_moves``: moves searched since the last gain.
    ``failures``: weight of the trials that failed since one ended.
    ``statistics``: by the name of the kind, in the order of its first trial.
    ``improved_at``: epoch seconds of the last gain by a trial.
    """

    opened: bool = False
    trial_count: int = 0
    width: int = 0
    views: int = 0
    seconds_a_width: float | None = None
    cap_s: float | None = None
    polish_s: float = 0.0
    suffix_s: float = 0.0
    effort: int = 0
    at: int = 0
    failed_moves: int = 0
    failures: int = 0
    statistics: tuple[tuple[str, TrialStatistics], ...] = ()
    pending_trials: tuple[PendingTrial, ...] = ()
    improved_at: float | None = None

    def find(self, slice_id: str) -> PendingTrial | None:
        """Return the trial of a slice; None if its result is not needed any more."""
        return next((trial for trial in self.pending_trials if trial.slice_id == slice_id), None)

    def without(self, slice_id: str) -> Improvement:
        """Return the state without the trial of a slice."""
        others = tuple(trial for trial in self.pending_trials if trial.slice_id != slice_id)
        return replace(self, pending_trials=others)

    def statistics_for(self, name: str) -> TrialStatistics:
        """Return the cost and gain of a kind."""
        return dict(self.statistics).get(name, TrialStatistics())

    def with_result(self, name: str, seconds: float, gained: int) -> Improvement:
        """Return the state after a trial of a kind."""
        statistics = dict(self.statistics)
        statistics[name] = self.statistics_for(name).after(seconds, gained)
        return replace(self, statistics=tuple(statistics.items()), failures=0)

    def after_crash(self) -> Improvement:
        """Return the state after a trial crashed its worker: beams get less time from now on."""
        cap_s = _FIRST_CAP_S if self.cap_s is None else self.cap_s / 2
        return replace(self, cap_s=max(_MIN_CAP_S, cap_s))

    def with_new_path(self) -> Improvement:
        """Return the state with a new best path, whose windows are all unsearched.

        Results for segments of the previous path are not needed any more.
        """
        stale = tuple(replace(trial, first=0, count=0) for trial in self.pending_trials)
        return replace(self, pending_trials=stale, effort=0, at=0, failed_moves=0)

    def with_shorter_segment(self, segment: PendingTrial, gained: int) -> Improvement:
        """Return the state after a segment became shorter, which moves everything behind it."""

        def shift(move: int) -> int:
            return move - gained if move >= segment.end else move

        pending_trials = tuple(
            replace(trial, first=shift(trial.first)) for trial in self.pending_trials
        )
        return replace(self, pending_trials=pending_trials, at=shift(self.at), failed_moves=0)


NO_TRIALS = Improvement()


def kind_name(trial: Trial) -> str:
    """Return the name of a trial's kind, such as ``beam`` or ``windows 120``."""
    length = trial.window_length
    return str(trial.kind) if length is None else f"{trial.kind} {length}"


@dataclass(frozen=True)
class TrialView:
    """A trial that waits or runs.

    Attributes
    ----------
    id : str
        Of its slice.
    kind : str
        ``beam``, ``fresh``, ``suffix`` or ``windows``.
    width : int
        Boards that its beam keeps on each level.
    view : int or None
        View of the board that a ``beam`` or ``fresh`` trial searches; 0 is the board itself.
    first, count : int or None
        Segment of the best solution that windows search.
    length : int or None
        Moves in each window.
    expected_s : float or None
        Expected duration of a beam, based on that of the last one.
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
        Trials started so far.
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
        state.trial_count,
        tuple(
            _trial_view(trial, reversed_from, state.seconds_a_width)
            for trial in state.pending_trials
        ),
        tuple(_statistics_view(name, statistics) for name, statistics in state.statistics),
        state.improved_at,
    )


def _trial_view(
    pending_trial: PendingTrial, reversed_from: int | None, seconds_a_width: float | None
) -> TrialView:
    trial = pending_trial.trial
    length = trial.window_length
    if length is None:
        expected_s = None if seconds_a_width is None else trial.width * seconds_a_width
        if expected_s is not None:
            expected_s *= _DURATIONS.get(trial.kind, 1.0)
        view = None if trial.kind is TrialKind.SUFFIX else trial.view
        return TrialView(
            pending_trial.slice_id, trial.kind, trial.width, view, expected_s=expected_s
        )
    first = pending_trial.first
    if reversed_from is not None and pending_trial.count:
        first = reversed_from - pending_trial.end
    return TrialView(
        pending_trial.slice_id, trial.kind, trial.width, None, first, pending_trial.count, length
    )


def _statistics_view(name: str, statistics: TrialStatistics) -> TrialStatisticsView:
    kind, _, length = name.partition(" ")
    return TrialStatisticsView(
        kind,
        int(length) if length else None,
        statistics.trials,
        statistics.seconds,
        statistics.gained,
    )
