"""Which engine serves a goal, with which databases there."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.solver.names import Heuristic
from tilework.core.solver.optimal.choice import (
    better_engine,
    engine_for,
    engine_named,
    missing_partition,
)
from tilework.core.solver.options import heuristics_for
from tilework.core.solver.pdb.files import path_of
from tilework.core.solver.pdb.patterns import partition_named

MIDDLE = Board([*range(1, 13), 0, *range(13, 25)])


@pytest.mark.parametrize(
    ("goal", "name"),
    [
        (blank_last(Size(3, 3)), "3x3 small r12"),
        (blank_first(Size(4, 3)), "4x3 small r12"),
        (blank_first(Size(4, 4)), "4x4 6-6-3 r12"),
        (Board([1, 2, 3, 4, 5, 0, *range(6, 16)]), "4x4 small r12"),
        (MIDDLE, "5x5 5-5-5-5-4 r10"),
        (blank_last(Size(5, 5)), "5x5 5-5-5-5-4 r10"),
        (Board([*range(1, 13), 0, *range(13, 30)], 5, 6), "5x6 lines r10"),
        (blank_last(Size(6, 6)), "6x6 lines r10"),
        (blank_last(Size(5, 1)), "5x1 lines r12"),
    ],
    ids=str,
)
def test_the_best_that_is_quickly_there(goal: Board, name: str, pattern_databases: Path) -> None:
    engine = engine_for(goal, pattern_databases)
    assert engine.name == name
    assert engine_named(goal, name, pattern_databases).name == name


def test_a_database_serves_as_soon_as_it_is_there(tmp_path: Path, pattern_databases: Path) -> None:
    goal = blank_first(Size(4, 4))
    quick = partition_named(goal.size, "6-6-3")
    (tmp_path / "new").mkdir()
    before = engine_for(blank_last(Size(6, 6)), tmp_path / "new")
    shutil.copy(path_of(quick, pattern_databases), path_of(quick, tmp_path / "new"))
    assert before.name == "6x6 lines r10"
    assert engine_for(goal, tmp_path / "new").name == "4x4 6-6-3 r12"


def test_a_damaged_better_database_is_passed_over(tmp_path: Path, pattern_databases: Path) -> None:
    goal = blank_first(Size(4, 4))
    shutil.copytree(pattern_databases, tmp_path / "some")
    path_of(partition_named(goal.size, "7-8"), tmp_path / "some").write_bytes(b"nonsense")
    assert engine_for(goal, tmp_path / "some").name == "4x4 6-6-3 r12"


def test_who_asks_for_databases_waits_for_the_quick_ones(
    tmp_path: Path, pattern_databases: Path
) -> None:
    goal = blank_last(Size(5, 5))
    quick = partition_named(goal.size, "5-5-5-5-4")
    engine_for(goal, pattern_databases)
    engine = engine_for(goal, tmp_path, Heuristic.PATTERN_DATABASE)
    assert engine.name == f"5x5 {quick.name} r10"
    assert path_of(quick, tmp_path).read_bytes() == path_of(quick, pattern_databases).read_bytes()


def test_a_better_engine_is_one_of_better_databases(
    tmp_path: Path, pattern_databases: Path
) -> None:
    goal = blank_first(Size(4, 4))
    quick = engine_for(goal, pattern_databases)
    lines = engine_for(goal, heuristic=Heuristic.LINEAR_CONFLICT)
    assert better_engine(goal, lines, tmp_path) is None
    assert better_engine(goal, lines, pattern_databases) is quick
    assert better_engine(goal, quick, pattern_databases) is None
    assert better_engine(MIDDLE, engine_for(MIDDLE), pattern_databases) is None
    # One that went away is no reason to go back.
    assert better_engine(goal, quick, tmp_path) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("goal", "title"),
    [
        (blank_first(Size(4, 4)), "4x4 7-8"),
        (blank_last(Size(5, 5)), "5x5 6-6-6-6"),
        (blank_last(Size(5, 4)), "5x4 6-6-6-1"),
        (blank_last(Size(6, 3)), None),
        (blank_last(Size(3, 3)), None),
        (blank_last(Size(7, 7)), None),
        (MIDDLE, "5x5 6-6-6-6"),
    ],
    ids=str,
)
def test_databases_that_are_missed(goal: Board, title: str | None, tmp_path: Path) -> None:
    missed = missing_partition(goal, tmp_path)
    assert (missed and missed.title) == title


def test_lines_are_to_be_had_for_every_goal() -> None:
    goal = blank_first(Size(4, 4))
    assert engine_for(goal, heuristic=Heuristic.LINEAR_CONFLICT).name == "4x4 lines r12"
    assert heuristics_for(blank_last(Size(5, 1))) == {Heuristic.LINEAR_CONFLICT}
    for served in (goal, MIDDLE):
        assert heuristics_for(served) == {Heuristic.LINEAR_CONFLICT, Heuristic.PATTERN_DATABASE}


@pytest.mark.parametrize(
    "name", ["", "4x4", "5x5 lines r10", "4x4 lines", "4x4 9-9 r12", "4x4 7-8 r12"]
)
def test_a_name_of_no_engine_is_refused(name: str, pattern_databases: Path) -> None:
    with pytest.raises(OptionError, match=r"no engine|no partition|not built"):
        engine_named(blank_first(Size(4, 4)), name, pattern_databases)
