"""Choosing an engine: the best one whose tables are available, or the one with a name."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import cast

from tilework.core.compiling import loading
from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board, Size
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns, RankedPatterns
from tilework.core.solver.kernels.constants import MAX_CELLS
from tilework.core.solver.optimal.engines import (
    DistanceEngine,
    Engine,
    LineEngine,
    PatternEngine,
    RankedEngine,
)
from tilework.core.solver.optimal.move_pruning import PruningRules, load_rules
from tilework.core.solver.pdb.files import Databases, open_cached, open_or_build
from tilework.core.solver.pdb.partitions import Partition, find_partition
from tilework.core.solver.strategy import fits_small_patterns, partitions_for_goal
from tilework.core.solver.target import Heuristic

_DISTANCES = "distances"
_LINES = "lines"
_SMALL = "small"
# After the name of a partition whose flags are used; proofs of earlier versions did without them
_ZERO_AWARE = "+"

_NAME = re.compile(r"(\d+)x(\d+) (\S+) r([1-9]\d*)")

# Length of the pruning rules by maximum number of cells: longer rules prune more, but have more
# states, and on larger boards there are too many.
_RULE_LENGTHS = {16: 12, 25: 14, MAX_CELLS: 10}
# With Manhattan distance, only undoing a move is forbidden, so that nodes are those of Korf (1985).
_DISTANCE_RULE_LENGTH = 2


def select_engine(
    goal: Board, pdb_folder: Path | None = None, heuristic: Heuristic = Heuristic.AUTO
) -> Engine:
    """Return the best engine for a goal of at most 36 cells.

    ``AUTO`` uses the best available pattern databases and only waits for builds that take seconds;
    ``PATTERN_DATABASE`` also waits for a longer build if there are no other databases.
    """
    if heuristic is Heuristic.MANHATTAN:
        return _make_distance_engine(goal, load_rules(goal.size, _DISTANCE_RULE_LENGTH, pdb_folder))
    rules = _load_rules(goal.size, pdb_folder)
    if heuristic is Heuristic.LINEAR_CONFLICT:
        return _make_line_engine(goal, rules)
    partitions = partitions_for_goal(goal)
    if not partitions and fits_small_patterns(goal):
        return _make_small_engine(goal, rules)
    for partition in partitions:
        if (engine := _open_engine(goal, partition, pdb_folder, rules)) is not None:
            return engine
    missing = next((partition for partition in partitions if partition.is_quick), None)
    if missing is None and partitions and heuristic is Heuristic.PATTERN_DATABASE:
        missing = partitions[0]
    if missing is not None:
        return _build_engine(goal, missing, pdb_folder, rules)
    return _make_line_engine(goal, rules)


def select_additive_engine(goal: Board, pdb_folder: Path | None = None) -> PatternEngine:
    """Return an engine whose indices are sums over tiles; build its tables if they are missing."""
    partitions = partitions_for_goal(goal)
    if not partitions:
        return _make_small_engine(goal, _load_rules(goal.size, pdb_folder))
    additive = next(partition for partition in partitions if not partition.ranked)
    name = _format_name(goal.size, _name_tables(additive), _get_rule_length(goal.size))
    return cast(PatternEngine, find_engine(goal, name, pdb_folder))


def find_better_engine(
    goal: Board, engine: Engine, pdb_folder: Path | None = None
) -> Engine | None:
    """Return an engine with better pattern databases if they have become available."""
    rules = _load_rules(goal.size, pdb_folder)
    for partition in partitions_for_goal(goal):
        if engine.name == _format_name(goal.size, _name_tables(partition), rules.length):
            return None
        if (better := _open_engine(goal, partition, pdb_folder, rules)) is not None:
            return better
    return None


def find_missing_partition(goal: Board, pdb_folder: Path | None = None) -> Partition | None:
    """Return the best partition for a goal if its databases are missing and slow to build."""
    best = next(iter(partitions_for_goal(goal)), None)
    if best is None or best.is_quick or open_cached(best, pdb_folder) is not None:
        return None
    return best


def find_engine(goal: Board, name: str, pdb_folder: Path | None = None) -> Engine:
    """Return the engine with the given name, to reproduce a search."""
    parts = _NAME.fullmatch(name)
    # The name may come from an untrusted file, and rules with longer words could fill the memory.
    if (
        parts is None
        or (int(parts[1]), int(parts[2])) != tuple(goal.size)
        # The kernel relies on rules that forbid undoing a move.
        or not 2 <= int(parts[4]) <= _get_rule_length(goal.size)
    ):
        raise _missing_engine_error(goal.size, name)
    tables, rules = parts[3], load_rules(goal.size, int(parts[4]), pdb_folder)
    if tables == _DISTANCES:
        return _make_distance_engine(goal, rules)
    if tables == _LINES:
        return _make_line_engine(goal, rules)
    if tables == _SMALL and fits_small_patterns(goal):
        return _make_small_engine(goal, rules)
    partition = find_partition(goal.size, tables.removesuffix(_ZERO_AWARE))
    zero_aware = tables.endswith(_ZERO_AWARE)
    if zero_aware and not partition.small_cells:
        raise _missing_engine_error(goal.size, name)
    engine = None
    if partition in partitions_for_goal(goal):
        engine = _open_engine(goal, partition, pdb_folder, rules, zero_aware=zero_aware)
        if engine is None and partition.is_quick:
            engine = _build_engine(goal, partition, pdb_folder, rules, zero_aware=zero_aware)
    if engine is None:
        raise OptionError(
            "databases-missing",
            "the databases of {name!r} have not been built; run: tilework pdb build {partition}",
            name=name,
            partition=partition.title.replace(" ", "-"),
        )
    return engine


def _missing_engine_error(size: Size, name: str) -> OptionError:
    return OptionError(
        "engine",
        "{size} boards have no engine {name!r}; an example is {example!r}",
        size=size,
        name=name[:60],
        example=_format_name(size, _LINES, _get_rule_length(size)),
    )


def _get_rule_length(size: Size) -> int:
    return next(length for cells, length in _RULE_LENGTHS.items() if size.cells <= cells)


def _load_rules(size: Size, folder: Path | None) -> PruningRules:
    return load_rules(size, _get_rule_length(size), folder)


def _format_name(size: Size, tables: str, rules: int) -> str:
    return f"{size.width}x{size.height} {tables} r{rules}"


def _name_tables(partition: Partition, *, zero_aware: bool = True) -> str:
    return partition.name + _ZERO_AWARE * bool(zero_aware and partition.small_cells)


def _open_engine(
    goal: Board,
    partition: Partition,
    folder: Path | None,
    rules: PruningRules,
    *,
    zero_aware: bool = True,
) -> Engine | None:
    databases = open_cached(partition, folder)
    if databases is None:
        return None
    return _make_engine(goal, partition, databases, rules, zero_aware=zero_aware)


def _build_engine(
    goal: Board,
    partition: Partition,
    folder: Path | None,
    rules: PruningRules,
    *,
    zero_aware: bool = True,
) -> Engine:
    databases = open_or_build(partition, folder)
    # Do not cache an engine with a file that was damaged in the meantime.
    engine = _open_engine(goal, partition, folder, rules, zero_aware=zero_aware)
    return engine or _make_engine(goal, partition, databases, rules, zero_aware=zero_aware)


@lru_cache(maxsize=16)
@loading
def _make_engine(
    goal: Board,
    partition: Partition,
    databases: Databases,
    rules: PruningRules,
    *,
    zero_aware: bool,
) -> Engine:
    name = _format_name(goal.size, _name_tables(partition, zero_aware=zero_aware), rules.length)
    if partition.ranked:
        ranked = RankedPatterns(partition, databases.entries, goal, zero_aware=zero_aware)
        return RankedEngine(name, goal, ranked, rules, databases.confirm)
    patterns = AdditivePatterns.from_partition(
        partition, databases.entries, goal, zero_aware=zero_aware
    )
    return PatternEngine(name, goal, patterns, rules, databases.confirm)


@lru_cache(maxsize=16)
@loading
def _make_small_engine(goal: Board, rules: PruningRules) -> PatternEngine:
    patterns = AdditivePatterns.from_small_board(goal)
    return PatternEngine(_format_name(goal.size, _SMALL, rules.length), goal, patterns, rules)


@lru_cache(maxsize=16)
@loading
def _make_line_engine(goal: Board, rules: PruningRules) -> Engine:
    return LineEngine(_format_name(goal.size, _LINES, rules.length), goal, rules)


@lru_cache(maxsize=16)
@loading
def _make_distance_engine(goal: Board, rules: PruningRules) -> Engine:
    return DistanceEngine(_format_name(goal.size, _DISTANCES, rules.length), goal, rules)
