import logging
import random
import shutil

import numpy as np

from tests.support.damage import overwrite
from tests.support.instances import load_instances
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits
from tilework.core.solver.optimal.engine_choice import select_engine
from tilework.core.solver.optimal.engines import PatternEngine
from tilework.core.solver.pdb.files import HEADER_BYTES, database_path, load
from tilework.core.solver.pdb.partitions import Partition, partitions_for
from tilework.core.solver.solve import solve

GOAL = blank_first(Size(4, 4))
PARTITION = next(partition for partition in partitions_for(GOAL.size) if partition.is_quick)
INSTANCES = [
    instance for instance in load_instances("korf100_15puzzle.txt") if instance.length <= 50
]
SEED = 13


def overwrite_randomly(rng, path):
    first = rng.choice([0, HEADER_BYTES, rng.randrange(HEADER_BYTES, path.stat().st_size)])
    count = min(rng.choice([1, 1_000, 1_000_000, PARTITION.length]), path.stat().st_size - first)
    kind = rng.choice(["low", "high", "anything"])
    low, high = {"low": (0, 4), "high": (20, 60), "anything": (0, 256)}[kind]
    data = np.random.default_rng(rng.randrange(1 << 30)).integers(low, high, count, dtype=np.uint8)
    overwrite(path, first, data.tobytes())


class Saboteur:
    """A cancellation check that damages the file at one of its calls."""

    def __init__(self, rng, path):
        self._rng, self._path = rng, path
        self._calls_left = rng.choice([0, 1, 3, 10])

    def __call__(self):
        if self._calls_left == 0:
            overwrite_randomly(self._rng, self._path)
        self._calls_left -= 1
        return False


def damage_and_search(trials, patterns, folder, patch):
    """Search repeatedly while the file is being damaged, and check that no answer is wrong."""
    select_engine(GOAL, patterns)
    intact = database_path(PARTITION, patterns)
    entries = load(PARTITION, intact)
    # The database is rebuilt each time; the patch makes that instant.
    patch.setattr(Partition, "build", lambda *_: entries.copy())
    patch.setattr(PatternEngine, "chunk", 20_000)
    path = database_path(PARTITION, folder)
    for trial in trials:
        rng = random.Random(f"{SEED} {trial}")
        path.unlink(missing_ok=True)
        shutil.copy(intact, path)
        instance = rng.choice(INSTANCES)
        board = Board(instance.tiles, 4, 4)
        if rng.random() < 0.2:
            overwrite_randomly(rng, path)
        limits = Limits(cancelled=Saboteur(rng, path))
        result = solve(board, GOAL, limits=limits, pdb_folder=folder)
        assert result.optimal, trial
        assert result.moves is not None
        assert len(result.moves) == instance.length, trial
        replay(board, result.moves, GOAL)


def test_damaged_database_gives_no_wrong_answer(pattern_databases, tmp_path, monkeypatch, caplog):
    # Captured warnings would keep the frames of each error, and so every damaged file, in memory.
    caplog.set_level(logging.ERROR)
    damage_and_search(range(4), pattern_databases, tmp_path, monkeypatch)
