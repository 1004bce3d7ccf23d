"""Plans the trials on a large board.

The plan starts with beams over the whole board, each three times as wide as the last, on at least
as many views as there are workers. After each beam, windows of the best path are searched. On
boards of up to 600 cells, once beams are wide enough, each width has one view, and half of the time
goes to suffixes of the best path. Once no wider beam fits the remaining time, the plan continues
with windows, first short ones, then longer ones. When these gain nothing, it chooses among all
kinds of trials by their gains so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tilework.core.model.farm.improvement import (
    CAP_GROWTH,
    NO_CAP_S,
    Improvement,
    PendingTrial,
    kind_name,
)
from tilework.core.puzzle.board import Size
from tilework.core.services.farm.trials.path_segments import (
    NODES_PER_SECOND,
    next_segment,
    segment_length,
)
from tilework.core.services.farm.trials.thompson_sampling import choose_kind
from tilework.core.solver.costs import (
    BEAM_SHARE_WITH_SUFFIXES,
    FIRST_SHARE,
    GROWTH,
    POLISH_SHARE,
    SUFFIX_MAX_CELLS,
    SUFFIX_MIN_BEAM,
    SUFFIX_SHARE,
    SUFFIX_WIDTH,
    beam_costs,
    next_width,
)
from tilework.core.solver.trial import EFFORTS, Trial, TrialKind

_MOVES_PER_SECOND = 1e6
"""Storing a long path takes seconds, and a trial must take longer than that."""

EXTRA_VIEW_FACTOR = 1.25
"""Factor by which a beam on another view may take longer."""

_PLANNED_EFFORTS = 2
"""Efforts of windows that are tried along the whole path before kinds of trials are chosen.

The others take minutes on a large board.
"""

_FRESH_DIVISOR = 8
"""Factor by which a beam is narrower than others if its solution is then improved."""


@dataclass(frozen=True, slots=True)
class TrialContext:
    """The circumstances of the next trial.

    Attributes
    ----------
    moves : int
        Length of the best path.
    seconds_left : float
        Time for this trial and all later ones, run one after another.
    beam_share : float
        Fraction of that time that one beam may take.
    aim_s : float
        Time that windows should take.
    memory_bytes : int
        Memory of one worker.
    workers : int
        Workers that may search windows in parallel; each gets a part of the path.
    seed : int
    """

    size: Size
    moves: int
    seconds_left: float
    beam_share: float
    aim_s: float
    memory_bytes: int
    workers: int
    seed: int


def next_trial(
    state: Improvement, context: TrialContext, slice_id: str
) -> tuple[Improvement, Trial] | None:
    """Choose the next trial.

    Returns
    -------
    tuple of Improvement and Trial, or None
        The new state, and the trial of the slice; None if all segments are occupied and no beam
        fits.
    """
    choice = _TrialPlanner(state, context).next()
    if choice is None:
        return None
    after, trial, first = choice
    trial = replace(trial, number=state.trial_count)
    pending_trials = (*state.pending_trials, PendingTrial(slice_id, trial, first, trial.count))
    return replace(after, trial_count=state.trial_count + 1, pending_trials=pending_trials), trial


def after_trial(
    state: Improvement, ended: PendingTrial, seconds: float, gained: int, *, complete: bool
) -> Improvement:
    """Return the state after a trial has ended, without the effects of its gain.

    Parameters
    ----------
    gained : int
        Moves by which the best path became shorter.
    complete : bool
        Whether the trial ran to its end.
    """
    trial = ended.trial
    state = state.without(ended.slice_id).with_result(kind_name(trial), seconds, gained)
    if trial.kind is TrialKind.WINDOWS:
        failed_moves = trial.count if complete and not gained else 0
        return replace(
            state,
            failed_moves=state.failed_moves + failed_moves,
            polish_s=max(0.0, state.polish_s - seconds),
        )
    if trial.kind is TrialKind.SUFFIX:
        return replace(state, suffix_s=state.suffix_s - seconds)
    if trial.kind is TrialKind.BEAM and complete:
        cap_s = None if state.cap_s is None else CAP_GROWTH * state.cap_s
        return replace(
            state,
            cap_s=None if cap_s is None or cap_s > NO_CAP_S else cap_s,
            seconds_a_width=seconds / max(1, trial.width),
            polish_s=state.polish_s + POLISH_SHARE * seconds,
            suffix_s=state.suffix_s + SUFFIX_SHARE * seconds,
        )
    return state


_WINDOWS = {
    kind_name(Trial(TrialKind.WINDOWS, effort=effort)): effort for effort in range(len(EFFORTS))
}


class _TrialPlanner:
    """Chooses one trial."""

    def __init__(self, state: Improvement, context: TrialContext) -> None:
        self._state = state
        self._context = context
        self._costs = beam_costs(context.size, context.moves)
        self._shares = 1 + len(state.pending_trials)
        has_suffixes = context.size.cells <= SUFFIX_MAX_CELLS and state.width >= SUFFIX_MIN_BEAM
        self._has_suffixes = has_suffixes
        self._beam_share = min(context.beam_share, BEAM_SHARE_WITH_SUFFIXES if has_suffixes else 1)

    def next(self) -> tuple[Improvement, Trial, int] | None:
        """Return the new state, the trial, and the first move of its segment."""
        exhausted = self._is_exhausted()
        if self._state.polish_s > 0 and not exhausted and (plan := self._windows(self._effort())):
            return plan
        if self._needs_suffixes() and (plan := self._suffix()):
            return plan
        if plan := self._next_beam():
            return plan
        if not exhausted and (plan := self._windows(self._effort())):
            return plan
        return self._most_promising()

    def _is_exhausted(self) -> bool:
        """Whether the planned windows were searched along the whole path without success."""
        return self._effort() >= _PLANNED_EFFORTS

    def _needs_suffixes(self) -> bool:
        """Whether beams have had more time than suffixes, or half of the workers run beams now."""
        beams = sum(other.trial.kind is TrialKind.BEAM for other in self._state.pending_trials)
        return beams >= max(1, self._context.workers // 2) or self._state.suffix_s > 0

    def _effort(self) -> int:
        """Return the current effort, which increases after two passes without success."""
        state, moves = self._state, self._context.moves
        return state.effort + (state.failed_moves >= 2 * moves)

    def _next_beam(self) -> tuple[Improvement, Trial, int] | None:
        """Return a beam of the current width on another view, or of the next width."""
        state, context = self._state, self._context
        memory_width = context.memory_bytes // self._costs.board_bytes
        share = self._beam_share
        fits_again = 0 < state.width <= self._max_width(share * EXTRA_VIEW_FACTOR)
        views = 1 if self._has_suffixes else max(self._shares, self._costs.views)
        if fits_again and state.views < views:
            return self._beam(state.width, state.views)
        if not state.width:
            share = min(share, FIRST_SHARE)
        width = next_width(self._costs, state.width, self._max_width(share), memory_width)
        return None if width is None else self._beam(width, 0)

    def _beam(self, width: int, number: int) -> tuple[Improvement, Trial, int]:
        after = replace(self._state, width=max(width, self._state.width), views=number + 1)
        return after, Trial(TrialKind.BEAM, width=width, view=number), 0

    def _suffix(self) -> tuple[Improvement, Trial, int] | None:
        minimum = self._costs.min_width
        # Different widths, so that some of the trials end soon.
        wanted = SUFFIX_WIDTH * self._state.width / GROWTH ** (self._state.trial_count % 3)
        width = min(max(minimum, int(wanted)), self._max_width(self._beam_share))
        if not self._has_suffixes or width < minimum:
            return None
        return self._state, Trial(TrialKind.SUFFIX, width=width), 0

    def _windows(self, effort: int) -> tuple[Improvement, Trial, int] | None:
        state, context = self._state, self._context
        seconds = max(context.aim_s, context.moves / _MOVES_PER_SECOND)
        shares = max(self._shares, context.workers)
        length = segment_length(context.moves, EFFORTS[effort], seconds, shares)
        segment = next_segment(context.moves, state.at, length, state.pending_trials)
        if segment is None:
            return None
        first, count = segment
        trial = Trial(
            TrialKind.WINDOWS,
            width=EFFORTS[effort].width,
            effort=effort,
            count=count,
            nodes=int(2 * seconds * NODES_PER_SECOND),
        )
        at = first + count
        failed_moves = 0 if effort > state.effort else state.failed_moves
        after = replace(
            state, at=0 if at >= context.moves else at, effort=effort, failed_moves=failed_moves
        )
        return after, trial, first

    def _most_promising(self) -> tuple[Improvement, Trial, int] | None:
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
            return after, Trial(TrialKind.FRESH, width=narrow, view=state.views), 0
        if name == TrialKind.SUFFIX:
            return suffix
        plan = self._windows(_WINDOWS[name])
        if plan is None:
            return None
        after, trial, first = plan
        return replace(after, effort=state.effort, failed_moves=state.failed_moves), trial, first

    def _max_width(self, share: float) -> int:
        """Return the width of the widest beam that takes at most a share of the remaining time."""
        costs = self._costs
        seconds = share * self._context.seconds_left
        if self._state.cap_s is not None:
            seconds = min(seconds, costs.fixed_seconds + self._state.cap_s)
        seconds_per_width = self._state.seconds_a_width or costs.seconds
        return max(0, int((seconds - costs.fixed_seconds) / seconds_per_width))
