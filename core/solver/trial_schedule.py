"""Chooses the trials on a large board, in one process and on the farm.

A board of more than `ONE_BEAM_CELLS` begins with sweeps, for a quick first improvement. Beams then
search the whole board, each up to three times as wide as the last, on at least as many views as
trials run in parallel. After each beam, windows of the best path are searched. On boards of up to
600 cells, once beams are wide enough, half of the time goes to suffixes of the best path. Once no
wider beam fits the remaining time, windows follow, first short ones, then longer ones. When these
gain nothing, all kinds of trials compete by their gains so far.

All functions are pure. They count in seconds: those measured on this host under its current load,
or, if nodes are limited but time is not, those in which it would generate the nodes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from tilework.core.puzzle.board import Size
from tilework.core.solver.costs import (
    BEAM_SHARE,
    BEAM_SHARE_WITH_SUFFIXES,
    FIRST_MIN_SECONDS,
    FIRST_SHARE,
    GROWTH,
    LEARNED_NODES,
    MIN_GROWTH,
    ONE_BEAM_CELLS,
    POLISH_SHARE,
    SUFFIX_MAX_CELLS,
    SUFFIX_MIN_BEAM,
    SUFFIX_SHARE,
    SUFFIX_WIDTH,
    WINDOW_SECONDS,
    beam_costs,
    sweep_seconds,
)
from tilework.core.solver.trial import (
    EFFORTS,
    Improvement,
    PendingTrial,
    Trial,
    TrialKind,
    TrialOutcome,
    TrialStatistics,
    kind_name,
)

# The solution of a beam has about this many times as many moves as the lower bound
EXPECTED_RATIO = 1.6

_USABLE_SHARE = 0.95  # of the remaining time; the rest is for ending and storing a solution
_MIN_SWEEP_SECONDS = 0.05  # of processor time, for sweeps after the first ones
_SWEEP_MAX_SHARE = 0.8  # of the remaining time, if sweeps need it
_FIRST_PACE = 0.25  # for which a first beam is planned; a loaded host is slower than that
_MIN_MEASURED_NODES = 100_000  # of a trial that shows the pace of the host, unless it was cut off
_MIN_PACE = 1e-3

_MOVES_PER_SECOND = 1e6  # storing a long path takes seconds, and a trial must take longer than that
_EXTRA_VIEW_FACTOR = 1.25  # by which a beam on another view may take longer

# Efforts of windows that are tried along the whole path before kinds of trials are chosen. The
# others take minutes on a large board.
_PLANNED_EFFORTS = 2
_MIN_WINDOWS = 4  # in a segment, unless the path is shorter

_FRESH_DIVISOR = 8  # by which a beam is narrower than others if its solution is then improved

# Durations relative to a beam of the same width. The windows of a fresh solution search as many
# nodes as its beam; on average, half of the solution is searched for a suffix.
_DURATIONS = {TrialKind.FRESH: 2.0, TrialKind.SUFFIX: 0.5}

_NO_CAP_S = 60.0  # a cap that has grown beyond this is dropped
_CAP_GROWTH = 1.5  # of the cap with each finished beam

# What each kind is assumed to have gained, and cost, before its first trial
_PRIOR_GAIN, _PRIOR_SECONDS = 0.5, 5.0


@dataclass(frozen=True, slots=True)
class Context:
    """The circumstances of the next trial.

    Attributes
    ----------
    lower, moves : int
        A lower bound, and the length of the best path; 0 if there is none.
    seconds_left : float
        Time for this trial and all later ones, run one after another.
    window_s : float
        Time that windows should take.
    memory_bytes : int
        Memory of one trial.
    workers : int
        Trials that may run in parallel; each that searches windows gets a part of the path.
    seed : int
    beam_share : float
        Fraction of the time that one beam may take.
    """

    size: Size
    lower: int
    moves: int
    seconds_left: float
    window_s: float
    memory_bytes: int
    workers: int
    seed: int
    beam_share: float = BEAM_SHARE


def next_trial(
    state: Improvement, context: Context, slice_id: str
) -> tuple[Improvement, Trial] | None:
    """Choose the next trial.

    Returns
    -------
    tuple of Improvement and Trial, or None
        The new state, and the trial, which becomes pending under this id; None if all segments are
        occupied and no beam fits.
    """
    choice = _Chooser(state, context).next()
    if choice is None:
        return None
    after, trial, first = choice
    trial = replace(trial, number=state.trial_count)
    pending_trials = (*state.pending_trials, PendingTrial(slice_id, trial, first, trial.count))
    return replace(after, trial_count=state.trial_count + 1, pending_trials=pending_trials), trial


def after_trial(
    state: Improvement,
    ended: PendingTrial,
    outcome: TrialOutcome,
    size: Size,
    *,
    seconds: float,
    gained: int,
) -> Improvement:
    """Return the state after a trial; a new path is reported by `Improvement.with_new_path`.

    ``gained``: moves by which the best path became shorter.
    """
    trial = ended.trial
    state = state.without(ended.slice_id).with_result(kind_name(trial), seconds, gained)
    if trial.kind is TrialKind.WINDOWS:
        failed_moves = trial.count if outcome.complete and not gained else 0
        state = replace(
            state,
            failed_moves=state.failed_moves + failed_moves,
            polish_s=max(0.0, state.polish_s - seconds),
        )
        return state.with_shorter_segment(ended, gained) if gained else state
    if trial.kind is TrialKind.SUFFIX:
        state = replace(state, suffix_s=state.suffix_s - seconds)
    elif trial.kind in (TrialKind.BEAM, TrialKind.SWEEP):
        state = replace(
            state,
            polish_s=state.polish_s + POLISH_SHARE * seconds,
            suffix_s=state.suffix_s + SUFFIX_SHARE * seconds,
        )
        cap_s = None if state.cap_s is None else _CAP_GROWTH * state.cap_s
        state = replace(state, cap_s=None if cap_s is None or cap_s > _NO_CAP_S else cap_s)
    if trial.kind is TrialKind.SWEEP and trial.expected_s:
        # One that was cut off shows only that the pace is less than planned.
        share = outcome.width_share if outcome.complete else min(_FIRST_PACE, outcome.width_share)
        return _with_pace(state, min(seconds, share * trial.expected_s), seconds)
    measured_nodes = _MIN_MEASURED_NODES if outcome.complete else 0
    if trial.kind in (TrialKind.BEAM, TrialKind.SUFFIX) and outcome.nodes > measured_nodes:
        searched = replace(trial, width=int(outcome.width_share * trial.width))
        return _with_pace(state, nominal_seconds(searched, outcome.nodes, size), seconds)
    return state


def _with_pace(state: Improvement, nominal_s: float, seconds: float) -> Improvement:
    return replace(state, pace=max(_MIN_PACE, nominal_s / max(1e-9, seconds)))


def nominal_seconds(trial: Trial, nodes: int, size: Size) -> float:
    """Return the duration of a trial at the speed that the costs assume."""
    if trial.kind is TrialKind.WINDOWS:
        return nodes * WINDOW_SECONDS
    costs = beam_costs(size, 0)
    if costs.fixed_seconds:
        # Most of its nodes are cells that were examined by sweeps, which takes little time.
        return costs.fixed_seconds + trial.width * costs.seconds
    return nodes * costs.node_seconds


def choose_kind(statistics: Mapping[str, TrialStatistics], seed: int, number: int) -> str:
    """Choose a kind of trial by the gains of each kind on this board so far.

    Parameters
    ----------
    statistics : mapping
        The statistics of at least one kind, by name.
    seed, number : int
        The choice is the same for the same seed, number and statistics.

    Notes
    -----
    A multi-armed bandit with one arm per kind: Thompson sampling (Thompson, "On the likelihood
    that one unknown probability exceeds another", 1933). Moves gained per second are modelled as a
    Poisson rate with a Gamma prior. A kind with few trials is uncertain and is tried again; a
    kind that never gains is chosen less and less often.
    """
    random = np.random.default_rng([seed, number])
    rates = {
        name: random.gamma(_PRIOR_GAIN + entry.recent_gained)
        / (_PRIOR_SECONDS + entry.recent_seconds)
        for name, entry in statistics.items()
    }
    return max(rates, key=lambda name: rates[name])


_WINDOWS = {
    kind_name(Trial(TrialKind.WINDOWS, effort=effort)): effort for effort in range(len(EFFORTS))
}
_Choice = tuple[Improvement, Trial, int]


class _Chooser:
    """Chooses one trial; its methods return the new state, the trial, and its segment's start."""

    def __init__(self, state: Improvement, context: Context) -> None:
        self._state = state
        self._context = context
        expected = min(context.moves or math.inf, max(1.0, EXPECTED_RATIO * context.lower))
        self._costs = beam_costs(context.size, expected)
        self._usable_s = _USABLE_SHARE * context.seconds_left
        if state.cap_s is not None:
            cap_s = self._costs.fixed_seconds / state.pace + state.cap_s
            self._usable_s = min(self._usable_s, cap_s)
        self._shares = 1 + len(state.pending_trials)
        has_suffixes = context.size.cells <= SUFFIX_MAX_CELLS and state.width >= SUFFIX_MIN_BEAM
        self._has_suffixes = has_suffixes
        self._beam_share = min(context.beam_share, BEAM_SHARE_WITH_SUFFIXES if has_suffixes else 1)

    def next(self) -> _Choice | None:
        # Until a trial has shown the pace of this host, a wide beam may take too long.
        if not self._state.statistics and self._context.size.cells > ONE_BEAM_CELLS:
            return self._sweep()
        exhausted = self._is_exhausted()
        if self._state.polish_s > 0 and not exhausted and (plan := self._windows(self._effort())):
            return plan
        # Beams have had more time than suffixes.
        if self._state.suffix_s > 0 and (plan := self._suffix()):
            return plan
        if plan := self._next_beam():
            return plan
        if not exhausted and (plan := self._windows(self._effort())):
            return plan
        return self._most_promising()

    def _is_exhausted(self) -> bool:
        """Whether the planned windows were searched along the whole path without success."""
        return self._effort() >= _PLANNED_EFFORTS

    def _effort(self) -> int:
        """Return the current effort, which increases after two passes without success."""
        state, moves = self._state, self._context.moves
        return state.effort + (state.failed_moves >= 2 * moves)

    def _first_seconds(self) -> float:
        """Return the time for a first improvement."""
        left = self._context.seconds_left
        return max(FIRST_SHARE * left, min(FIRST_MIN_SECONDS, left / 2))

    def _sweep(self) -> _Choice:
        """Return sweeps, in a time that is short at first."""
        context, is_first = self._context, not self._state.statistics
        needed = 1.5 * sweep_seconds(context.size)
        share = self._first_seconds() if is_first else self._beam_share / 2 * context.seconds_left
        seconds = max(share, min(_SWEEP_MAX_SHARE * context.seconds_left, needed))
        # A narrow beam also ends in time on a host that is several times slower.
        nominal_s = seconds * min(self._state.pace, _FIRST_PACE if is_first else 1.0)
        trial = Trial(TrialKind.SWEEP, view=self._state.trial_count, seconds=seconds)
        return self._state, replace(trial, expected_s=nominal_s), 0

    def _next_beam(self) -> _Choice | None:
        """Return a beam of the current width on another view, or of the next width."""
        state, costs = self._state, self._costs
        memory_width = self._context.memory_bytes // costs.board_bytes
        affordable = self._max_width(self._beam_share)
        fits_again = 0 < state.width <= _EXTRA_VIEW_FACTOR * affordable
        if fits_again and state.views < max(self._shares, self._context.workers, costs.views):
            return self._beam(state.width, state.views)
        minimum = max(costs.min_width, int(MIN_GROWTH * state.width))
        width = GROWTH * state.width
        if not width:
            # Widths start small and grow, or are as large as the time for all views allows.
            rounds = -(-costs.views // self._context.workers) or 1
            width = max(
                costs.first_width, costs.views and self._max_width(self._beam_share / rounds)
            )
        elif affordable < width + GROWTH * width:
            width = affordable
        width = min(width, affordable, memory_width)
        sweep_s = self._beam_share / 2 * self._context.seconds_left
        # A beam that gave up for lack of time found nothing, and another one would not either.
        has_gained = state.statistics_for(TrialKind.BEAM).gained > 0
        is_slow = not has_gained and width < costs.min_views_width
        if is_slow and sweep_s * state.pace > _MIN_SWEEP_SECONDS:
            return self._sweep()
        return self._beam(width, 0) if width >= minimum else None

    def _beam(self, width: int, number: int) -> _Choice:
        after = replace(self._state, width=max(width, self._state.width), views=number + 1)
        trial = self._timed(TrialKind.BEAM, width, number)
        if not self._state.width and self._context.size.cells <= ONE_BEAM_CELLS:
            trial = replace(trial, seconds=min(self._usable_s, self._first_seconds()))
        return after, trial, 0

    def _timed(self, kind: TrialKind, width: int, view: int = 0) -> Trial:
        nominal_s = self._costs.fixed_seconds + width * self._costs.seconds
        expected_s = _DURATIONS.get(kind, 1.0) * nominal_s / self._state.pace
        return Trial(kind, width, view, seconds=self._usable_s, expected_s=expected_s)

    def _suffix(self) -> _Choice | None:
        minimum = self._costs.min_width
        # Different widths, so that some of the trials end soon.
        wanted = SUFFIX_WIDTH * self._state.width / GROWTH ** (self._state.trial_count % 3)
        width = min(max(minimum, int(wanted)), self._max_width(self._beam_share))
        if not self._has_suffixes or width < minimum:
            return None
        return self._state, self._timed(TrialKind.SUFFIX, width), 0

    def _windows(self, effort: int) -> _Choice | None:
        state, context = self._state, self._context
        seconds = max(context.window_s, context.moves / _MOVES_PER_SECOND)
        nodes = seconds * state.pace / WINDOW_SECONDS
        shares = max(self._shares, context.workers)
        # An equal share of the path, or what a pass can search in the time.
        affordable = int(nodes / (LEARNED_NODES * EFFORTS[effort].width))
        length = max(_MIN_WINDOWS * EFFORTS[effort].length, affordable)
        segment = state.next_segment(
            context.moves, max(1, min(length, -(-context.moves // shares)))
        )
        if segment is None:
            return None
        first, count = segment
        trial = Trial(
            TrialKind.WINDOWS,
            width=EFFORTS[effort].width,
            effort=effort,
            count=count,
            nodes=int(2 * nodes),
            seconds=_USABLE_SHARE * context.seconds_left,
        )
        at = first + count
        failed_moves = 0 if effort > state.effort else state.failed_moves
        after = replace(
            state, at=0 if at >= context.moves else at, effort=effort, failed_moves=failed_moves
        )
        return after, trial, first

    def _most_promising(self) -> _Choice | None:
        state = self._state
        width = min(self._max_width(self._beam_share), max(state.width, self._costs.first_width))
        kinds = set(_WINDOWS)
        if width >= self._costs.min_width:
            kinds |= {str(TrialKind.BEAM), str(TrialKind.FRESH)}
        suffix = self._suffix()
        if suffix is not None:
            kinds.add(str(TrialKind.SUFFIX))
        statistics = {name: state.statistics_for(name) for name in sorted(kinds)}
        name = choose_kind(statistics, self._context.seed, state.trial_count)
        if name == TrialKind.BEAM:
            return self._beam(width, state.views)
        if name == TrialKind.FRESH:
            narrow = max(self._costs.min_width, width // _FRESH_DIVISOR)
            after = replace(state, views=state.views + 1)
            return after, self._timed(TrialKind.FRESH, narrow, state.views), 0
        if name == TrialKind.SUFFIX:
            return suffix
        plan = self._windows(_WINDOWS[name])
        if plan is None:
            return None
        after, trial, first = plan
        return replace(after, effort=state.effort, failed_moves=state.failed_moves), trial, first

    def _max_width(self, share: float) -> int:
        """Return the width of the widest beam that takes at most a share of the remaining time."""
        seconds = self._state.pace * min(share * self._context.seconds_left, self._usable_s)
        return max(0, int((seconds - self._costs.fixed_seconds) / self._costs.seconds))
