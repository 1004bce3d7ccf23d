"""Databases that are overwritten in place while a search uses them."""

import logging
import shutil

import numpy as np
import pytest

from tests.support.instances import instances
from tilework.core.errors import DamagedFileError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first
from tilework.core.puzzle.replay import replay
from tilework.core.search.limits import Limits
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.confirmation import confirm
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engines import PatternEngine
from tilework.core.solver.optimal.slice import search_slice
from tilework.core.solver.pdb.files import HEADER_BYTES, path_of
from tilework.core.solver.pdb.patterns import partitions_for
from tilework.core.solver.solve import solve

GOAL = blank_first(Size(4, 4))
QUICK = next(one for one in partitions_for(GOAL.size) if one.is_quick)
KORF = {instance.name: instance for instance in instances("korf100_15puzzle.txt")}
PLENTY = 1 << 40


def board_of(name):
    instance = KORF[name]
    return Board(instance.tiles, instance.width, instance.height)


@pytest.fixture
def folder(pattern_databases, tmp_path):
    """Databases of our own, to be damaged."""
    engine_for(GOAL, pattern_databases)
    shutil.copy(path_of(QUICK, pattern_databases), tmp_path)
    return tmp_path


def overwrite(folder):
    """Write nonsense over all entries, in place; the size stays."""
    path = path_of(QUICK, folder)
    path.chmod(0o644)
    nonsense = np.random.default_rng(7).integers(20, 40, QUICK.length, dtype=np.uint8)
    with path.open("r+b") as file:
        file.seek(HEADER_BYTES)
        file.write(nonsense.data)


class Saboteur:
    """Overwrites the databases when a search first asks whether it is to go on."""

    def __init__(self, folder):
        self._folder = folder
        self.done = False

    def __call__(self):
        if not self.done:
            self.done = True
            overwrite(self._folder)
        return False


def test_a_solution_is_as_short_as_ever(folder, caplog):
    name = "korf15-032"
    # Without databases a search takes longer; these are built again on the spot.
    saboteur = Saboteur(folder)
    with caplog.at_level(logging.WARNING):
        found = solve(board_of(name), GOAL, limits=Limits(cancelled=saboteur), pdb_folder=folder)
    assert saboteur.done
    assert found.optimal
    assert len(found.moves) == KORF[name].length
    replay(board_of(name), found.moves, GOAL)


def test_a_slice_tells_nothing(folder, monkeypatch):
    # Limits are checked in the middle of so small a search, too.
    monkeypatch.setattr(PatternEngine, "chunk", 10_000)
    board = board_of("korf15-017")
    threshold = KORF["korf15-017"].length - 2
    saboteur = Saboteur(folder)
    with pytest.raises(DamagedFileError, match="was changed while it was in use"):
        search_slice(
            board, GOAL, threshold, Cursor.root(), PLENTY, cancelled=saboteur, pdb_folder=folder
        )
    sound = search_slice(board, GOAL, threshold, Cursor.root(), PLENTY, pdb_folder=folder)
    assert sound.moves is None
    assert sound.next_threshold == threshold + 2


class Engine(PatternEngine):
    """Says that its tables are sound, and estimates as it is told."""

    def __init__(self, engine, wrong):
        self.__dict__ = dict(engine.__dict__) | {"confirm": lambda: None}
        self._wrong = wrong

    def estimates_along(self, start, path):
        return super().estimates_along(start, path) + self._wrong


def test_estimates_over_what_is_left_contradict_a_solution(pattern_databases):
    board = board_of("korf15-012")
    engine = engine_for(GOAL, pattern_databases)
    moves = solve(board, GOAL, pdb_folder=pattern_databases).moves
    start = engine.start(board)
    confirm(engine, start, moves)
    for wrong in (1, 40):
        with pytest.raises(DamagedFileError, match="where a solution has"):
            confirm(Engine(engine, wrong), start, moves)
