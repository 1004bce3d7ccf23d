"""Batched expansion visits the nodes of a naive recursion, with any estimate."""

from itertools import chain, islice, repeat
from pathlib import Path

import numpy as np
import pytest

from tests.support import naive
from tests.unit.solver.optimal.naive_search import make_line_estimate, random_walk, search
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_first, blank_last
from tilework.core.puzzle.replay import apply, replay
from tilework.core.solver.heuristics.additive_patterns import AdditivePatterns, RankedPatterns
from tilework.core.solver.kernels.constants import (
    EXHAUSTED,
    FOUND,
    GENERATED,
    NEXT_THRESHOLD,
    OUT_OF_BUDGET,
)
from tilework.core.solver.optimal.cursor import Cursor, Position
from tilework.core.solver.optimal.engines import Engine, LineEngine, PatternEngine, RankedEngine
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.optimal.move_pruning import PruningRules, load_rules, pruning_rules
from tilework.core.solver.optimal.slice import Walk
from tilework.core.solver.pdb.breadth_first import build
from tilework.core.solver.pdb.partitions import Partition

PARTITIONS = {
    "3×3": (Size(3, 3), ((1, 2, 3, 5, 6), (4, 7, 8))),
    "4×3": (Size(4, 3), ((1, 2, 5, 6, 9), (3, 4, 7, 8), (10, 11))),
    "4×4": (Size(4, 4), ((1, 2, 5, 6), (3, 4, 7, 8), (9, 10, 13, 14), (11, 12, 15))),
}
MAX_NODES = 4_000
KINDS = ["digits", "ranked", "lines"]


def make_engine(kind: str, name: str, goal: Board, rules: int = 2) -> Engine:
    """Return an engine whose pruning rules of two moves only forbid undoing the last one."""
    size, patterns = PARTITIONS[name]
    pruning = pruning_rules(size, rules)
    if kind == "lines":
        return LineEngine("lines", goal, pruning)
    partition = Partition(kind, size, patterns, ranked=kind == "ranked")
    entries = build(partition)
    if kind == "ranked":
        return RankedEngine(kind, goal, RankedPatterns(partition, entries, goal), pruning)
    patterns = AdditivePatterns.from_partition(partition, entries, goal)
    return PatternEngine(kind, goal, patterns, pruning)


def make_heuristic(kind: str, name: str, goal: Board):
    """Return the same estimate as a function of a board, without incremental state."""
    size, patterns = PARTITIONS[name]
    if kind == "lines":
        return make_line_estimate(tuple(goal.cells.tolist()), size.width)
    partition = Partition(kind, size, patterns, ranked=kind == "ranked")
    entries = build(partition)
    if kind == "ranked":
        ranked = RankedPatterns(partition, entries, goal)

        def find_distances(tiles):
            return ranked.distances(ranked.placements(np.array(tiles)), tiles.index(0))
    else:
        tables = AdditivePatterns.from_partition(partition, entries, goal)

        def find_distances(tiles):
            return tables.entries[tables.indices(np.array(tiles))]

    return lambda tiles: find_distances(tiles).reshape(2, -1).sum(axis=1).max()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", PARTITIONS)
def test_each_threshold_has_the_nodes_of_a_naive_recursion(kind, name):
    goal = (blank_last if name == "4×3" else blank_first)(PARTITIONS[name][0])
    engine, estimate = make_engine(kind, name, goal), make_heuristic(kind, name, goal)
    goal_tiles = tuple(goal.cells.tolist())
    for seed in range(2):
        board = random_walk(goal, 24, seed)
        tiles = tuple(board.cells.tolist())
        start = engine.start(board)
        threshold = start.estimate
        assert threshold == estimate(tiles)
        while True:
            walk = Walk(engine, start, threshold, Cursor.root())
            status = walk.search(1 << 60)
            expected = search(tiles, goal_tiles, goal.width, threshold, estimate)
            if expected.letters is not None:
                assert status == FOUND
                assert len(walk.path) == len(expected.letters) == threshold
                replay(board, walk.path, goal)
                break
            assert status == EXHAUSTED
            assert walk.path is None
            assert walk.report[GENERATED] == expected.generated
            # A node may be pruned by part of its estimate, but never below the next threshold.
            assert threshold < walk.report[NEXT_THRESHOLD] <= expected.next_threshold
            if expected.generated > MAX_NODES:
                break
            threshold += 2


@pytest.mark.parametrize(("kind", "budget"), [("digits", 7), ("ranked", 1), ("lines", 40)])
def test_stopped_search_is_resumed(kind, budget):
    goal = blank_last(PARTITIONS["4×4"][0])
    engine = make_engine(kind, "4×4", goal, rules=6)
    board = random_walk(goal, 60, 2)
    start = engine.start(board)
    threshold = start.estimate + 2
    complete = Walk(engine, start, threshold, Cursor.root())
    assert complete.search(1 << 60) == EXHAUSTED
    continued = Walk(engine, start, threshold, Cursor.root())
    walk = Walk(engine, start, threshold, Cursor.root())
    nodes, next_thresholds, status = 0, [], OUT_OF_BUDGET
    while status == OUT_OF_BUDGET:
        status = walk.search(budget)
        assert continued.search(budget) == status
        assert continued.cursor() == walk.cursor()
        assert status != OUT_OF_BUDGET or walk.report[GENERATED] == budget
        assert walk.report[GENERATED] <= budget
        nodes += int(walk.report[GENERATED])
        next_thresholds.append(int(walk.report[NEXT_THRESHOLD]))
        walk = Walk(engine, start, threshold, walk.cursor())
    assert nodes == complete.report[GENERATED]
    assert min(next_thresholds) == complete.report[NEXT_THRESHOLD]


@pytest.mark.parametrize(("kind", "name"), [*zip(KINDS, PARTITIONS, strict=True)])
def test_estimates_along_a_path_equal_those_of_its_boards(kind, name):
    goal = blank_last(PARTITIONS[name][0])
    path = ida_star(random_walk(goal, 40, seed=5), goal).moves
    board = random_walk(goal, 40, seed=5)
    assert path.size > 5
    engine = make_engine(kind, name, goal)
    estimates = engine.estimates_along(engine.start(board), path)
    boards = [apply(board, path[:count]) for count in range(path.size + 1)]
    assert estimates.tolist() == [engine.start(position).estimate for position in boards]


def list_sequences(rules: PruningRules, board: Board, length: int) -> list[list[bytes]]:
    """Return every move sequence that the rules allow from a board, by length."""
    sequences = [{b"": int(rules.roots[board.blank])}]
    for _ in range(length):
        sequences.append(
            {
                sequence + bytes([move]): int(rules.transitions[state >> 4, move])
                for sequence, state in sequences[-1].items()
                for move in range(4)
                if state >> move & 1
            }
        )
    return [list(level) for level in sequences]


@pytest.mark.parametrize("size", [Size(3, 3), Size(2, 5), Size(4, 3), Size(1, 4)], ids=str)
def test_allowed_sequences_reach_each_near_board_exactly_once(size: Size) -> None:
    length = 8
    rules = pruning_rules(size, length)
    for blank in range(0, size.cells, 2):
        board = Board(np.roll(np.arange(size.cells), blank).tolist(), *size)
        counts = [len(sequences) for sequences in list_sequences(rules, board, length)]
        levels = naive.levels(tuple(board.cells.tolist()), size.width)
        assert counts == [*map(len, islice(chain(levels, repeat([])), length + 1))]


def test_path_that_violates_the_pruning_rules_restarts_them() -> None:
    board = blank_last(Size(3, 3))
    rules = pruning_rules(board.size, 8)
    engine = LineEngine("lines", board, rules)
    back_and_forth = Cursor((Position(bytes([1, 0]), 15),))
    walk = Walk(engine, engine.start(board), 10, back_and_forth)
    [position] = walk.cursor().positions
    # All moves are allowed except the reverse of the last one.
    assert position.moves == int(rules.roots[board.blank] & 15) - (1 << 1)


SIZE, LENGTH = Size(2, 5), 14


def test_rules_are_stored_and_built_again_only_if_they_are_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = pruning_rules(SIZE, LENGTH)

    def load(folder: Path) -> None:
        load_rules.cache_clear()
        rules = load_rules(SIZE, LENGTH, folder)
        assert np.array_equal(rules.roots, expected.roots)
        assert np.array_equal(rules.transitions, expected.transitions)

    (tmp_path / "file").touch()
    load(tmp_path / "file")  # without a folder
    load(tmp_path / "databases")
    [file] = (tmp_path / "databases").iterdir()
    stored = file.read_bytes()
    middle = len(stored) // 2
    changed = stored[:middle] + bytes([stored[middle] ^ 1]) + stored[middle + 1 :]
    for damaged in (b"", bytes(16), changed):
        file.write_bytes(damaged)
        load(tmp_path / "databases")
        assert file.read_bytes() == stored
    monkeypatch.delattr("tilework.core.solver.optimal.move_pruning.pruning_rules")
    load(tmp_path / "databases")
