import shutil
from pathlib import Path

import pytest

from tests.unit.solver.optimal.naive_search import MIDDLE, random_walk
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.solver.optimal.engine_choice import (
    find_better_engine,
    find_engine,
    find_missing_partition,
    select_engine,
)
from tilework.core.solver.pdb.files import database_path
from tilework.core.solver.pdb.partitions import find_partition
from tilework.core.solver.strategy import heuristics_for
from tilework.core.solver.target import Heuristic


def test_best_available_engine_is_chosen(pattern_databases: Path) -> None:
    for goal, name in (
        (blank_last(Size(3, 3)), "3x3 small r12"),
        (blank_first(Size(4, 3)), "4x3 small r12"),
        (blank_first(Size(4, 4)), "4x4 6-6-3 r12"),
        (Board([1, 2, 3, 4, 5, 0, *range(6, 16)]), "4x4 small r12"),
        (MIDDLE, "5x5 5-5-5-5-4+ r14"),
        (Board([*range(1, 13), 0, *range(13, 30)], 5, 6), "5x6 lines r10"),
        (blank_last(Size(6, 6)), "6x6 lines r10"),
        (blank_last(Size(5, 1)), "5x1 lines r12"),
    ):
        assert select_engine(goal, pattern_databases).name == name
        assert find_engine(goal, name, pattern_databases).name == name
    lines = select_engine(blank_first(Size(4, 4)), heuristic=Heuristic.LINEAR_CONFLICT)
    assert lines.name == "4x4 lines r12"
    distances = select_engine(MIDDLE, heuristic=Heuristic.MANHATTAN)
    assert find_engine(MIDDLE, "5x5 distances r2") is distances
    without_tables = {Heuristic.MANHATTAN, Heuristic.LINEAR_CONFLICT}
    assert heuristics_for(blank_last(Size(5, 1))) == without_tables
    for goal in (blank_first(Size(4, 4)), MIDDLE):
        assert heuristics_for(goal) == without_tables | {Heuristic.PATTERN_DATABASE}
    # Proofs of earlier versions name engines that ignore the region of the blank.
    plain = find_engine(MIDDLE, "5x5 5-5-5-5-4 r10", pattern_databases)
    zero_aware = select_engine(MIDDLE, pattern_databases)
    boards = [random_walk(MIDDLE, 200, seed) for seed in range(40)]
    gains = [zero_aware.start(board).estimate - plain.start(board).estimate for board in boards]
    assert min(gains) == 0 < max(gains)
    for name in (
        "",
        "4x4",
        "5x5 lines r10",
        "4x4 lines",
        "4x4 9-9 r12",
        "4x4 7-8+ r12",
        "4x4 6-6-3+ r12",
    ):
        with pytest.raises(OptionError, match=r"no engine|no partition|not been built"):
            find_engine(blank_first(Size(4, 4)), name, pattern_databases)


def test_database_is_used_as_soon_as_it_exists(tmp_path: Path, pattern_databases: Path) -> None:
    goal = blank_first(Size(4, 4))
    quick = find_partition(goal.size, "6-6-3")
    select_engine(goal, pattern_databases)
    shutil.copy(database_path(quick, pattern_databases), database_path(quick, tmp_path))
    # A damaged better database is skipped.
    database_path(find_partition(goal.size, "7-8"), tmp_path).write_bytes(b"nonsense")
    assert select_engine(goal, tmp_path).name == "4x4 6-6-3 r12"


def test_better_engines_have_better_databases(tmp_path: Path, pattern_databases: Path) -> None:
    goal = blank_first(Size(4, 4))
    quick = select_engine(goal, pattern_databases)
    lines = select_engine(goal, heuristic=Heuristic.LINEAR_CONFLICT)
    assert find_better_engine(goal, lines, tmp_path) is None
    assert find_better_engine(goal, lines, pattern_databases) is quick
    assert find_better_engine(goal, quick, pattern_databases) is None
    middle = select_engine(MIDDLE)
    assert find_better_engine(MIDDLE, middle, pattern_databases) is None
    # A removed database does not bring back the weaker engine.
    assert find_better_engine(goal, quick, tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_missing_databases(tmp_path: Path) -> None:
    for goal, title in (
        (blank_first(Size(4, 4)), "4x4 7-8"),
        (blank_last(Size(5, 5)), "5x5 6-6-6-6"),
        (blank_last(Size(5, 4)), "5x4 6-6-6-1"),
        (blank_last(Size(6, 3)), None),
        (blank_last(Size(3, 3)), None),
        (blank_last(Size(7, 7)), None),
        (MIDDLE, "5x5 6-6-6-6"),
    ):
        missing = find_missing_partition(goal, tmp_path)
        assert (missing and missing.title) == title
