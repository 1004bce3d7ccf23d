import random
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tilework.core import compiling
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.search.limits import search_clock
from tilework.core.solver.costs import ONE_BEAM_CELLS, beam_costs
from tilework.core.solver.large import trials
from tilework.core.solver.optimal import engine_choice, move_pruning
from tilework.core.solver.pdb import files
from tilework.core.solver.pdb.files import database_path
from tilework.core.solver.slides import find
from tilework.core.solver.strategy import partitions_for_goal
from tilework.core.solver.target import Heuristic
from tilework.core.solver.trial import (
    Improvement,
    PendingTrial,
    Trial,
    TrialKind,
    TrialOutcome,
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


# Too little time for any beam.
NO_BEAMS = replace(CONTEXT, seconds_left=0.0)


def test_segments_after_a_shortened_one_are_shifted():
    state = OPENED
    for name in ("a", "b"):
        state, _ = next_trial(state, NO_BEAMS, name)
    first, second = sorted(map(state.find, ("a", "b")), key=lambda segment: segment.first)
    shifted = state.without(first.slice_id).with_shorter_segment(first, 6)
    assert shifted.find(second.slice_id).first == second.first - 6
    unshifted = state.without(second.slice_id).with_shorter_segment(second, 6)
    assert unshifted.find(first.slice_id).first == first.first


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


SMALL, MEDIUM, LARGE = (blank_last(Size(*size)) for size in ((3, 3), (4, 4), (5, 5)))
LINE = blank_last(Size(5, 1))
PARTITION = partitions_for_goal(MEDIUM)[0]


class LoadedError(Exception):
    pass


def open_file(folder: Path) -> None:
    database_path(PARTITION, folder).write_bytes(b"")
    files.open_cached(PARTITION, folder)


def open_and_check(folder: Path) -> None:
    path = folder / "database"
    path.write_bytes(b"entries")
    with path.open("rb") as file:
        entries = np.frombuffer(b"entries", dtype=np.uint8)
        arguments = (path, file.fileno(), entries, 0, bool)
        databases = files.MappedDatabases(*arguments, discard=bool)
        databases._check()


@pytest.mark.parametrize(
    ("owner", "name", "load"),
    [
        (move_pruning, "pruning_rules", lambda folder: engine_choice.select_engine(SMALL, folder)),
        (
            engine_choice.AdditivePatterns,
            "from_small_board",
            lambda folder: engine_choice.select_engine(SMALL, folder),
        ),
        (
            engine_choice,
            "LineEngine",
            lambda folder: engine_choice.select_engine(LINE, folder, Heuristic.LINEAR_CONFLICT),
        ),
        (files, "ensure_built", lambda folder: files.open_or_build(PARTITION, folder)),
        (files, "map_databases", open_file),
        (files.zlib, "crc32", open_and_check),
        (trials, "import_module", lambda folder: trials.load_searches(LARGE, folder)),
        (find.SlidePatterns, "build", lambda folder: find.open_slide_tables(SMALL, folder)),
    ],
)
def test_search_clock_stops(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    owner: object,
    name: str,
    load: Callable[[Path], object],
) -> None:
    now = 0.0

    def load_slowly(*_arguments: object, **_options: object) -> object:
        nonlocal now
        now += 100.0
        raise LoadedError

    # An earlier test may have loaded it, or something in advance on this thread.
    for cached in (
        engine_choice._make_small_engine,
        engine_choice._make_line_engine,
        find._build_in_memory,
    ):
        cached.cache_clear()
    monkeypatch.setattr(compiling.loading, "_in_background", threading.local())
    monkeypatch.setattr(compiling.time, "perf_counter", lambda: now)
    monkeypatch.setattr(owner, name, load_slowly)
    started = search_clock()
    with pytest.raises(LoadedError):
        load(tmp_path)
    assert now == 100.0
    assert search_clock() == started
