"""Trials: single searches for a shorter solution of a large board, and those made so far."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from enum import StrEnum

from tilework.core.puzzle.moves import Moves


class TrialKind(StrEnum):
    """How a trial looks for a shorter solution.

    ``sweep``: sweeps, and a staged beam if there is time, for a quick first improvement.
    ``aimed``: a beam for solutions of one length, before the threshold of that length. ``beam``: a
    beam on a view of the whole board. ``fresh``: the same, followed by windows of the beam's
    solution, which may initially be longer than the best one. ``suffix``: a beam from a board along
    the best solution. ``windows``: windows of a segment of the best solution.
    """

    SWEEP = "sweep"
    AIMED = "aimed"
    BEAM = "beam"
    FRESH = "fresh"
    SUFFIX = "suffix"
    WINDOWS = "windows"


@dataclass(frozen=True, slots=True)
class Trial:
    kind: TrialKind
    width: int = 0  # of the beam; that of windows depends on the effort
    view: int = 0  # of the beam (`tilework.core.solver.large.trials`)
    effort: int = 0  # of the windows: index in `EFFORTS`
    # Of the trial on this board; determines where the first window or the suffix begins
    number: int = 0
    count: int = 0  # number of moves of the segment
    nodes: int | None = None  # budget of the windows
    seconds: float | None = None  # limit; a beam narrows to end by then
    expected_s: float | None = None  # expected duration of a beam

    @property
    def window_length(self) -> int | None:
        """The moves in each window; None for beams."""
        return EFFORTS[self.effort].length if self.kind is TrialKind.WINDOWS else None

    def to_bytes(self) -> bytes:
        return json.dumps(asdict(self), separators=(",", ":")).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Trial:
        values = json.loads(data)
        return cls(**values | {"kind": TrialKind(values["kind"])})


@dataclass(frozen=True, slots=True)
class TrialOutcome:
    moves: Moves | None  # a shorter solution, or a shorter segment; None if none was found
    nodes: int  # number of nodes generated
    complete: bool  # whether no window can be improved further, or the beam was not stopped
    # Mean width of the beam after sweeps, relative to the planned one: less on a slow host
    width_share: float = 1.0


@dataclass(frozen=True, slots=True)
class Effort:
    """Length and beam width of windows."""

    length: int
    width: int


# Each effort is used once the previous one gains nothing. Near the end of a solution, long windows
# gain more than wide ones.
EFFORTS = (
    Effort(60, 300),
    Effort(120, 1_000),
    Effort(300, 1_000),
    Effort(1_000, 1_000),
    Effort(150, 4_000),
)


# Factor of the weight of a kind's older trials at each new trial, because gains become rarer
_DECAY = 0.9

_FIRST_CAP_S, _MIN_CAP_S = 6.0, 2.0


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
    ``trial_count``: number of trials planned so far.
    ``width``, ``views``: the width of the widest beams so far, and how many views they have
        searched.
    ``pace``: speed of the last beam on its host, relative to that assumed by the costs.
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
    pace: float = 1.0
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
        stale = self._move_segments(lambda _trial: (0, 0))
        return replace(stale, effort=0, at=0, failed_moves=0)

    def with_shorter_segment(self, segment: PendingTrial, gained: int) -> Improvement:
        """Return the state after a segment became shorter, which moves everything behind it."""

        def shift(move: int) -> int:
            return move - gained if move >= segment.end else move

        shifted = self._move_segments(lambda trial: (shift(trial.first), trial.count))
        return replace(shifted, at=shift(self.at), failed_moves=0)

    def _move_segments(self, move: Callable[[PendingTrial], tuple[int, int]]) -> Improvement:
        moved = []
        for trial in self.pending_trials:
            first, count = move(trial)
            moved.append(replace(trial, first=first, count=count))
        return replace(self, pending_trials=tuple(moved))

    def next_segment(self, moves: int, length: int) -> tuple[int, int] | None:
        """Return the first move and the length of a segment of the path that no trial searches.

        ``moves``: the length of the path; the search wraps around at its end.
        ``length``: the maximum length of the segment.
        """
        ranges = sorted((trial.first, trial.end) for trial in self.pending_trials if trial.count)
        for start in (self.at, 0):
            first = start
            for low, high in ranges:
                if first < low:
                    break
                first = max(first, high)
            if first < moves:
                next_occupied = min((low for low, _ in ranges if low > first), default=moves)
                return first, min(length, next_occupied - first)
        return None


NO_TRIALS = Improvement()


def kind_name(trial: Trial) -> str:
    """Return the name of a trial's kind, such as ``beam`` or ``windows 120``."""
    length = trial.window_length
    return str(trial.kind) if length is None else f"{trial.kind} {length}"
