import itertools
import random
from dataclasses import replace

import pytest

from tilework.core.puzzle.board import Size
from tilework.core.solver.costs import GROWTH, ONE_BEAM_CELLS, SUFFIX_MIN_BEAM, beam_costs
from tilework.core.solver.trial import (
    EFFORTS,
    Improvement,
    PendingTrial,
    Trial,
    TrialKind,
    TrialOutcome,
    TrialStatistics,
)
from tilework.core.solver.trial_schedule import (
    Context,
    after_trial,
    next_trial,
    nominal_seconds,
)

CONTEXT = Context(
    size=Size(10, 10),
    lower=750,
    moves=1_200,
    seconds_left=60.0,
    window_s=1.0,
    memory_bytes=300_000_000,
    workers=2,
    seed=7,
)
OPENED = Improvement(opened=True)
WINDOWS, BEAM = TrialKind.WINDOWS, TrialKind.BEAM
SLOWDOWN = 20


def end_trial(state, trial_id, size, seconds=1.0, *, pace=1.0):
    """End a trial without gain that ran at a pace."""
    ended = state.find(trial_id)
    nodes = int(pace * seconds / nominal_seconds(ended.trial, 1, size))
    outcome = TrialOutcome(None, nodes, complete=True)
    return after_trial(state, ended, outcome, size, seconds=seconds, gained=0)


def run_trials(state, context, workers, count):
    """Run trials of one second without gains on workers in turn; return final state and trials."""
    names = map(str, itertools.count())
    waiting: list[tuple[str, Trial]] = []
    trials = []
    for _ in range(count):
        while len(waiting) < workers:
            name = next(names)
            planned = next_trial(state, context, name)
            if planned is None:
                break
            state, trial = planned
            waiting.append((name, trial))
        name, trial = waiting.pop(0)
        trials.append(trial)
        state = end_trial(state, name, context.size)
    return state, trials


def test_beams_grow_and_each_worker_searches_another_view():
    _, trials = run_trials(OPENED, CONTEXT, workers=2, count=40)
    beams = [trial for trial in trials if trial.kind is BEAM]
    widths = list(dict.fromkeys(beam.width for beam in beams))
    assert widths[0] == beam_costs(CONTEXT.size, CONTEXT.moves).first_width
    assert all(second == GROWTH * first for first, second in itertools.pairwise(widths[:-1]))
    # The first worker started before the second one.
    for width in widths[1:-1]:
        views = sorted(beam.view for beam in beams if beam.width == width)
        assert views == [0, 1]


def test_beam_respects_its_share_of_time_and_memory():
    costs = beam_costs(CONTEXT.size, CONTEXT.moves)
    for seconds in (5.0, 30.0, 600.0):
        _, trials = run_trials(OPENED, replace(CONTEXT, seconds_left=seconds), workers=1, count=20)
        # Later widths depend on the measured times, here one second for any width.
        for first in [trial for trial in trials if trial.kind is BEAM][:1]:
            assert first.width * costs.seconds <= 0.7 * seconds
    context = replace(CONTEXT, memory_bytes=20_000_000, seconds_left=1e6)
    state, trials = run_trials(OPENED, context, workers=1, count=30)
    widths = [state.width, *(trial.width for trial in trials if trial.kind is BEAM)]
    assert max(widths) * costs.board_bytes <= 20_000_000


def test_suffixes_follow_wide_learned_beams():
    def count_suffixes(size, width):
        state = replace(OPENED, width=width, views=8, trial_count=1)
        context = replace(CONTEXT, size=size, seconds_left=1e3)
        _, trials = run_trials(state, context, workers=1, count=30)
        kinds = [trial.kind for trial in trials]
        return kinds.count(TrialKind.SUFFIX), kinds.count(BEAM)

    suffixes, beams = count_suffixes(Size(10, 10), SUFFIX_MIN_BEAM)
    # All trials take a second.
    assert abs(suffixes - beams) <= 1 < beams
    assert count_suffixes(Size(40, 40), SUFFIX_MIN_BEAM)[0] == 0
    state = replace(OPENED, width=100, views=8, suffix_s=9.0)
    assert next_trial(state, CONTEXT, "a")[1].kind is BEAM


# Too little time for any beam.
NO_BEAMS = replace(CONTEXT, seconds_left=0.0)


def test_windows_without_gains_lead_to_greater_effort():
    _, trials = run_trials(OPENED, NO_BEAMS, workers=2, count=40)
    efforts = [trial.effort for trial in trials]
    first, second, *others = dict.fromkeys(efforts)
    assert (first, second) == (0, 1)
    assert set(others) == set(range(2, len(EFFORTS)))
    # Each of these efforts has covered the path twice before the next begins.
    for effort, following in ((first, second), (second, others[0])):
        end = efforts.index(following)
        assert sum(trial.count for trial in trials[:end] if trial.effort == effort) >= 2 * 1_200
    # A gain keeps the effort; a new path starts again with the lowest effort.
    state, _ = next_trial(replace(OPENED, effort=2, failed_moves=500, at=600), NO_BEAMS, "a")
    shorter, new = state.with_shorter_segment(state.find("a"), 4), state.with_new_path()
    assert (shorter.effort, shorter.failed_moves) == (2, 0)
    assert (new.effort, new.at, new.find("a").count) == (0, 0, 0)


def test_segments_after_a_shortened_one_are_shifted():
    state = OPENED
    for name in ("a", "b"):
        state, _ = next_trial(state, NO_BEAMS, name)
    first, second = sorted(map(state.find, ("a", "b")), key=lambda segment: segment.first)
    shifted = state.without(first.slice_id).with_shorter_segment(first, 6)
    assert shifted.find(second.slice_id).first == second.first - 6
    unshifted = state.without(second.slice_id).with_shorter_segment(second, 6)
    assert unshifted.find(first.slice_id).first == first.first


WITHOUT_GAINS = replace(OPENED, effort=len(EFFORTS) - 1, failed_moves=10**6, width=300_000, views=2)


def test_most_successful_kind_is_chosen_most_often():
    statistics = (
        ("windows 150", TrialStatistics(20, 20.0, 90, 10.0, 60.0)),
        ("beam", TrialStatistics(9, 90.0, 0, 60.0, 0.0)),
    )
    state = replace(WITHOUT_GAINS, statistics=statistics)
    kinds = []
    for number in range(200):
        _, trial = next_trial(replace(state, trial_count=number), CONTEXT, "x")
        kinds.append((trial.kind, trial.effort if trial.kind is WINDOWS else None))
    assert kinds.count((WINDOWS, 4)) > 150


def test_beams_get_less_time_after_a_worker_dies():
    costs = beam_costs(CONTEXT.size, CONTEXT.moves)
    state = replace(OPENED, width=400, views=2, trial_count=1, pace=0.05)
    context = replace(CONTEXT, seconds_left=200.0)
    _, trial = next_trial(state, context, "a")
    state = state.after_crash().after_crash()
    _, narrower = next_trial(state, context, "a")
    assert narrower.width < trial.width
    assert narrower.width * costs.seconds / 0.05 <= narrower.seconds <= state.cap_s <= 3.0
    beam = PendingTrial("b", Trial(BEAM, width=100))
    for _ in range(10):
        state = end_trial(replace(state, pending_trials=(beam,)), "b", CONTEXT.size, 2.0)
    assert state.cap_s is None


def test_segments_do_not_overlap():
    rng = random.Random(1)
    for _ in range(300):
        moves, state = rng.randint(1, 400), OPENED
        for _ in range(12):
            segment = state.next_segment(moves, rng.randint(1, 90))
            if segment is None:
                break
            first, count = segment
            assert 0 <= first < first + count <= moves
            pending_trials = list(state.pending_trials)
            for other in pending_trials:
                assert first + count <= other.first or other.end <= first
            pending_trials.append(PendingTrial(f"{first}", Trial(WINDOWS), first, count))
            if rng.random() < 0.3:
                pending_trials.pop(rng.randrange(len(pending_trials)))
            state = replace(OPENED, at=first + count, pending_trials=tuple(pending_trials))


def test_segments_of_short_and_long_paths():
    def plan_windows(moves, pace=1.0):
        context = replace(NO_BEAMS, moves=moves, window_s=10.0)
        return next_trial(replace(OPENED, pace=pace), context, "a")[1]

    assert plan_windows(900).count == 450
    long, slow = plan_windows(10**7), plan_windows(10**7, 0.5)
    assert slow.count == pytest.approx(long.count / 2, abs=1)
    assert slow.nodes == pytest.approx(long.nodes / 2, abs=1)


@pytest.mark.parametrize("side", [6, 10, 16, 24, 30, 40, 60])
@pytest.mark.parametrize("limit", [2.0, 10.0, 60.0])
def test_trials_end_in_time_on_a_host_that_is_far_slower(side, limit):
    """A beam narrows to end within the seconds of its trial; see `test_learned_beam`."""
    size = Size(side, side)
    lower = side**3 * 2 // 3
    state, elapsed, beams = OPENED, 0.0, []
    while elapsed < 0.98 * limit:
        context = replace(
            CONTEXT,
            size=size,
            lower=lower,
            moves=2 * lower,
            seconds_left=limit - elapsed,
            workers=1,
        )
        state, trial = next_trial(state, context, "a")
        needed = SLOWDOWN * (
            trial.nodes * nominal_seconds(trial, 1, size)
            if trial.kind is WINDOWS
            else trial.expected_s * state.pace
        )
        seconds = min(needed, trial.seconds)
        if not elapsed:
            assert trial.seconds <= max(0.1 * limit, 0.5)
            assert (trial.kind is TrialKind.SWEEP) == (size.cells > ONE_BEAM_CELLS)
        elif trial.kind is BEAM:
            beams.append((state.pace, needed, trial.seconds))
        elapsed += seconds
        assert elapsed <= limit
        state = end_trial(state, "a", size, seconds, pace=1 / SLOWDOWN)
    # Once a beam has shown the pace, further ones have the time that they need.
    assert all(needed < 1.01 * seconds for pace, needed, seconds in beams if pace * SLOWDOWN < 1.1)


def test_wider_sweeps_follow_once_the_pace_is_known():
    """On a slow host, the first beam narrows, and a wide one gives up."""
    context = replace(CONTEXT, size=Size(30, 30), lower=18_000, moves=54_000)
    state, first = next_trial(OPENED, context, "a")
    outcome = TrialOutcome(None, 10**6, complete=True, width_share=0.04)
    state = after_trial(
        state, state.find("a"), outcome, context.size, seconds=first.seconds, gained=9_000
    )
    assert state.pace == pytest.approx(0.01)
    context = replace(context, moves=40_000, seconds_left=60.0 - first.seconds)
    wide = replace(state, pace=1.0, polish_s=0.0)
    wide, beam = next_trial(wide, context, "b")
    assert beam.kind is BEAM
    gave_up = TrialOutcome(None, 62_500, complete=False)
    late = after_trial(wide, wide.find("b"), gave_up, context.size, seconds=0.5, gained=0)
    for known in (replace(state, polish_s=0.0), replace(late, polish_s=0.0)):
        _, second = next_trial(known, context, "c")
        assert second.kind is TrialKind.SWEEP
        assert second.expected_s / second.seconds == known.pace
    assert second.seconds > 2 * first.seconds
