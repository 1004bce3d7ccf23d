"""How far the improving of a solve has come: kept with it, from try to try and from job to job."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tilework.core.solver.trial import EFFORTS, Trial, TrialKind

_FADING = 0.9
"""What a kind's older tries count for, at each of its new ones: what paid once soon pays less."""


_FIRST_CAP_S, _LEAST_CAP_S = 6.0, 2.0

NO_CAP_S = 60.0
"""A cap that has grown so far is none."""

CAP_GROWTH = 1.5
"""With each beam that ended."""


@dataclass(frozen=True, slots=True)
class TrialStatistics:
    """What one kind of try has cost and gained on this board.

    ``trials``, ``seconds``, ``gained``: in all; seconds are summed over workers.
    ``recent_seconds``, ``recent_gained``: the same, with older tries counting less and less.
    """

    trials: int = 0
    seconds: float = 0.0
    gained: int = 0
    recent_seconds: float = 0.0
    recent_gained: float = 0.0

    def after(self, seconds: float, gained: int) -> TrialStatistics:
        """Return the pay after one more try."""
        return TrialStatistics(
            self.trials + 1,
            self.seconds + seconds,
            self.gained + gained,
            _FADING * self.recent_seconds + seconds,
            _FADING * self.recent_gained + gained,
        )


@dataclass(frozen=True, slots=True)
class UnderWay:
    """A try that waits or is being made.

    ``first``, ``count``: its stretch of the best path; of no moves for beams, and once another path
        is the best.
    """

    slice_id: str
    trial: Trial
    first: int = 0
    count: int = 0

    @property
    def end(self) -> int:
        """The first move after its stretch."""
        return self.first + self.count


@dataclass(frozen=True, slots=True)
class Improvement:
    """What was tried on a board, and what is next.

    ``opened``: whether an opening has been there: a first solution, and all bounds that need no
        search.
    ``begun``: tries so far; each has its number.
    ``width``, ``views``: of the widest beams so far, and how many views were looked at with them.
    ``seconds_a_width``: what a beam took last; None before one has ended.
    ``cap_s``: what a beam may take since workers died at it; None for no cap.
    ``polish_s``: what windows may take before the next beam (seconds).
    ``effort``, ``at``, ``dry``: the windows' effort, where the next stretch begins, and moves
        searched since the last gain.
    ``troubles``: tries that failed since the last one that ended.
    ``pays``: by the name of the kind, in the order of its first try.
    ``improved_at``: epoch seconds of the last gain.
    """

    opened: bool = False
    begun: int = 0
    width: int = 0
    views: int = 0
    seconds_a_width: float | None = None
    cap_s: float | None = None
    polish_s: float = 0.0
    effort: int = 0
    at: int = 0
    failed_moves: int = 0
    failures: int = 0
    statistics: tuple[tuple[str, TrialStatistics], ...] = ()
    under_way: tuple[UnderWay, ...] = ()
    improved_at: float | None = None

    def find(self, slice_id: str) -> UnderWay | None:
        """Return the try of a slice, unless nothing is to come of it any more."""
        return next((one for one in self.under_way if one.slice_id == slice_id), None)

    def without(self, slice_id: str) -> Improvement:
        """Return the state without the try of a slice."""
        left = tuple(one for one in self.under_way if one.slice_id != slice_id)
        return replace(self, under_way=left)

    def pay(self, name: str) -> TrialStatistics:
        """Return what a kind has cost and gained."""
        return dict(self.statistics).get(name, TrialStatistics())

    def with_result(self, name: str, seconds: float, gained: int) -> Improvement:
        """Return the state after a try of a kind."""
        statistics = dict(self.statistics)
        statistics[name] = self.pay(name).after(seconds, gained)
        return replace(self, statistics=tuple(statistics.items()), failures=0)

    def after_crash(self) -> Improvement:
        """Return the state after a worker has died at a try: beams take less from now on."""
        cap_s = _FIRST_CAP_S if self.cap_s is None else self.cap_s / 2
        return replace(self, cap_s=max(_LEAST_CAP_S, cap_s))

    def with_new_path(self, now: float) -> Improvement:
        """Return the state where a whole new path is the best: its windows are all to be searched.

        What comes of stretches of the path before is of no use.
        """
        useless = tuple(replace(one, first=0, count=0) for one in self.under_way)
        return replace(self, under_way=useless, effort=0, at=0, failed_moves=0, improved_at=now)

    def with_shorter_segment(self, done: UnderWay, gained: int, now: float) -> Improvement:
        """Return the state where a stretch became shorter: what lies behind it has moved."""

        def moved(place: int) -> int:
            return place - gained if place >= done.end else place

        under_way = tuple(replace(one, first=moved(one.first)) for one in self.under_way)
        return replace(
            self, under_way=under_way, at=moved(self.at), failed_moves=0, improved_at=now
        )


NOTHING_TRIED = Improvement()


def name_of(trial: Trial) -> str:
    """Return the name under which a kind's pay is kept, as in ``beam`` and ``windows 120``."""
    if trial.kind is TrialKind.WINDOWS:
        return f"{trial.kind} {EFFORTS[trial.effort].length}"
    return str(trial.kind)


@dataclass(frozen=True)
class TrialView:
    """A try that is being made, or is next.

    Attributes
    ----------
    kind : str
        ``beam``, ``fresh`` or ``windows``.
    width : int
        Boards that its beam keeps of each level.
    view : int or None
        Of a beam, which view of the board it sees; 0 is the board as it is.
    first, count : int or None
        Of windows, the stretch of the best solution.
    length : int or None
        Of windows, the moves of each.
    """

    kind: str
    width: int
    view: int | None
    first: int | None
    count: int | None
    length: int | None


@dataclass(frozen=True)
class TrialStatisticsView:
    """What one kind of try has cost and gained; seconds are summed over workers."""

    kind: str
    length: int | None
    tries: int
    seconds: float
    gained: int


@dataclass(frozen=True)
class ImprovementView:
    """How the search for shorter solutions goes.

    Attributes
    ----------
    tries : int
        Begun so far.
    trying : tuple of TryView
        Those that nobody has ended yet.
    paid : tuple of PayView
        By kind, in the order in which they were first tried.
    improved_at : float or None
        Epoch seconds of the last gain by a try.
    """

    tries: int
    trying: tuple[TrialView, ...]
    paid: tuple[TrialStatisticsView, ...]
    improved_at: float | None


def improvement_view(state: Improvement) -> ImprovementView:
    """Return what is told of a state."""
    return ImprovementView(
        state.begun,
        tuple(map(_trying, state.under_way)),
        tuple(_paid(name, pay) for name, pay in state.statistics),
        state.improved_at,
    )


def _trying(one: UnderWay) -> TrialView:
    trial: Trial = one.trial
    if trial.kind is TrialKind.WINDOWS:
        length = EFFORTS[trial.effort].length
        return TrialView(trial.kind, trial.width, None, one.first, one.count, length)
    return TrialView(trial.kind, trial.width, trial.view, None, None, None)


def _paid(name: str, pay: TrialStatistics) -> TrialStatisticsView:
    kind, _, length = name.partition(" ")
    return TrialStatisticsView(
        kind, int(length) if length else None, pay.trials, pay.seconds, pay.gained
    )
