import itertools
import random
from dataclasses import replace

import pytest

from tests.support import naive
from tests.support.instances import load_instances
from tilework.core.errors import UnsolvableError
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import first_moves
from tilework.core.puzzle.goals import blank_at, blank_first, blank_last
from tilework.core.puzzle.replay import replay
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits, StopReason
from tilework.core.solver.kernels import a_star as a_star_kernel
from tilework.core.solver.kernels import line_conflicts
from tilework.core.solver.optimal import ida_star as ida_star_module
from tilework.core.solver.optimal.a_star import a_star, pack
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.engine_choice import select_engine
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.optimal.slice import search_slice
from tilework.core.solver.strategy import heuristics_for
from tilework.core.solver.target import Heuristic

LINES = Heuristic.LINEAR_CONFLICT
HARD_15 = load_instances("hardest_15puzzle.txt")[0].board
KORF_12 = load_instances("korf100_15puzzle.txt")[11]


@pytest.mark.parametrize(
    "goal",
    [
        Board([3, 1, 4, 8, 0, 2, 6, 5, 7]),
        blank_last(Size(2, 4)),
        blank_at(Size(3, 2), 4),
        blank_at(Size(2, 2), 1),
    ],
)
def test_small_boards_up_to_the_maximum_length(goal):
    lengths = list(naive.distances(tuple(goal.cells.tolist()), goal.width).items())
    for tiles, length in [*lengths[:: 1 + len(lengths) // 60], *lengths[-4:]]:
        board = Board(tiles, *goal.size)
        searches = [(ida_star, heuristic) for heuristic in heuristics_for(goal)]
        for search, heuristic in [*searches, (a_star, Heuristic.MANHATTAN), (a_star, LINES)]:
            result = search(board, goal, heuristic=heuristic)
            assert len(result.moves) == result.lower_bound == length
            replay(board, result.moves, goal)


def korf_search(tiles, threshold):
    """Search as Korf's program did; return the generated nodes and whether it found the goal."""
    width, tiles, nodes = 4, list(tiles), 0
    places = [divmod(cell, width) for cell in range(16)]
    distance = [[abs(x - u) + abs(y - v) for u, v in places] for x, y in places]
    # The blank tries to move up, left, right and down.
    neighbors = [
        [
            cell + step
            for step, is_legal in (
                (-width, cell >= width),
                (-1, cell % width > 0),
                (1, cell % width < width - 1),
                (width, cell < 16 - width),
            )
            if is_legal
        ]
        for cell in range(16)
    ]

    def search_below(blank, last, moves, estimate):
        nonlocal nodes
        for cell in neighbors[blank]:
            if cell == last:
                continue
            nodes += 1
            tile = tiles[cell]
            h = estimate + distance[tile][blank] - distance[tile][cell]
            if moves + 1 + h > threshold:
                continue
            tiles[blank], tiles[cell] = tile, 0
            if h == 0 or search_below(cell, blank, moves + 1, h):
                return True
            tiles[blank], tiles[cell] = 0, tile
        return False

    estimate = sum(distance[tile][cell] for cell, tile in enumerate(tiles) if tile)
    return search_below(tiles.index(0), None, 0, estimate), nodes


def test_nodes_with_manhattan_distance_are_those_of_korf():
    """Compare with the nodes that Korf published in 1985 for a board, where the root counts."""
    instance, goal, published = KORF_12, blank_first(Size(4, 4)), 546_344
    result = ida_star(instance.board, goal, heuristic=Heuristic.MANHATTAN)
    replay(instance.board, result.moves, goal)
    assert (len(result.moves), result.lower_bound) == (instance.length, instance.length)
    assert result.engine == "4x4 distances r2"
    threshold, total, found = 35, 1, False
    while not found:
        found, nodes = korf_search(instance.tiles, threshold)
        total += nodes
        outcome = search_slice(
            instance.board, goal, threshold, Cursor.root(), 1 << 40, engine=result.engine
        )
        # Only where the last search meets the solution depends on the order of moves.
        assert found or outcome.nodes == nodes
        assert (outcome.moves is not None) == found
        threshold = outcome.next_threshold or threshold
    assert total == published


def boards_at_distance(goal, width, depth):
    return next(itertools.islice(naive.levels(goal, width), depth, None))


@pytest.mark.parametrize(
    ("size", "depth"), [((5, 2), 18), ((4, 3), 12), ((5, 3), 11), ((4, 4), 11), ((6, 6), 9)]
)
def test_boards_at_a_known_distance(size, depth, pattern_databases):
    width, height = size
    for blank in (width * height - 1, width + 1):
        tiles = [*range(1, width * height)]
        tiles.insert(blank, 0)
        goal = Board(tiles, width, height)
        level = boards_at_distance(tuple(tiles), width, depth)
        for board in level[:: len(level) // 8]:
            result = ida_star(Board(board, width, height), goal, pdb_folder=pattern_databases)
            assert len(result.moves) == depth


DIAGONAL, LEFT_RIGHT = (0, 3, 6, 1, 4, 7, 2, 5, 8), (2, 1, 0, 5, 4, 3, 8, 7, 6)


@pytest.mark.parametrize(
    ("goal", "mirror"),
    [
        (blank_last(Size(3, 3)), DIAGONAL),
        (Board([1, 0, 2, 3, 4, 5, 6, 7, 8]), LEFT_RIGHT),
    ],
)
def test_boards_that_are_their_own_mirror_image(goal, mirror, monkeypatch):
    goal_tiles = goal.cells.tolist()
    images = {tile: goal_tiles[mirror[cell]] for cell, tile in enumerate(goal_tiles)}
    lengths = naive.distances(tuple(goal_tiles), goal.width)
    symmetric = [
        (Board(tiles, 3, 3), length)
        for tiles, length in lengths.items()
        if all(tiles[mirror[cell]] == images[tile] for cell, tile in enumerate(tiles))
    ]
    assert len(symmetric) > 100
    assert all(first_moves(board, goal) != 0b1111 for board, _ in symmetric)
    nodes = []
    for tries_all in (False, True):
        if tries_all:
            monkeypatch.setattr(ida_star_module, "first_moves", lambda *_: 0b1111)
        total = 0
        for board, length in symmetric[::2]:
            result = ida_star(board, goal, heuristic=LINES)
            assert len(result.moves) == length
            total += result.statistics.generated
        nodes.append(total)
    assert nodes[0] < 0.8 * nodes[1]


def test_limits_stop_with_the_proven_bound(pattern_databases):
    def search(limits):
        return ida_star(HARD_15, blank_last(Size(4, 4)), limits, pdb_folder=pattern_databases)

    result = search(Limits(nodes=100_000))
    assert (result.stopped_by, result.moves) == (StopReason.NODES, None)
    assert result.statistics.generated == 100_000
    assert 0 < result.statistics.expanded < 100_000
    assert 58 < result.lower_bound < 80
    assert search(Limits(seconds=0.0)).stopped_by is StopReason.TIME
    answers = itertools.chain([False] * 12, itertools.repeat(True))
    result = search(Limits(cancelled=lambda: next(answers)))
    assert (result.stopped_by, result.moves) == (StopReason.CANCELLED, None)
    assert 58 <= result.lower_bound < 80


def test_search_ends_once_the_known_solution_is_proven_optimal():
    goal = blank_last(Size(3, 3))
    board = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
    for heuristic in (Heuristic.AUTO, Heuristic.LINEAR_CONFLICT):
        complete = ida_star(board, goal, heuristic=heuristic)
        assert len(complete.moves) == 31
        proof = ida_star(board, goal, heuristic=heuristic, upper_bound=31)
        assert (proof.moves, proof.lower_bound, proof.stopped_by) == (None, 31, None)
        assert proof.statistics.generated < complete.statistics.generated
        assert len(ida_star(board, goal, heuristic=heuristic, upper_bound=33).moves) == 31
    exhausted = ida_star(board, goal, known_bound=31, upper_bound=31)
    assert (exhausted.moves, exhausted.lower_bound) == (None, 31)
    assert exhausted.statistics.generated == 0


def test_databases_built_during_a_search_are_used(pattern_databases, monkeypatch):
    size = Size(6, 3)
    goal = blank_last(size)
    # A request for pattern databases builds the quick ones.
    patterns = select_engine(goal, pattern_databases, Heuristic.PATTERN_DATABASE)
    assert patterns.name == "6x3 6-6-5 r14"
    monkeypatch.setattr(ida_star_module, "select_engine", lambda *_: lines)
    lines = select_engine(goal, heuristic=Heuristic.LINEAR_CONFLICT)
    monkeypatch.setattr(lines, "chunk", 100)
    board = scramble(size, goal, seed=0, moves=60)
    by_lines, *results = (
        ida_star(board, goal, pdb_folder=pattern_databases, heuristic=heuristic, threads=threads)
        for heuristic, threads in ((LINES, 1), (Heuristic.AUTO, 1), (Heuristic.AUTO, 2))
    )
    # A heuristic that was asked for is not replaced by a better one.
    assert by_lines.engine == lines.name
    for result in results:
        assert result.engine == patterns.name
        assert len(by_lines.moves) == len(result.moves) == result.lower_bound
        assert result.statistics.generated < by_lines.statistics.generated


def test_python_kernels_expand_the_same_nodes(monkeypatch):
    goal = blank_last(Size(3, 3))
    boards = [scramble(goal.size, goal, seed=seed) for seed in range(8)]
    compiled = [a_star(board, goal) for board in boards]
    for kernel in (a_star_kernel.expand, a_star_kernel.fill_slots, line_conflicts.distance):
        monkeypatch.setattr(kernel, "call_on_small_input", kernel.py_func)
    for board, expected in zip(boards, compiled, strict=True):
        result = a_star(board, goal)
        assert result.moves.tolist() == expected.moves.tolist()
        assert replace(result.statistics, seconds=0.0) == replace(expected.statistics, seconds=0.0)


def test_growing_tables_lose_no_nodes():
    # A board of sixteen cells uses all bits of a word.
    goal = blank_first(Size(4, 4))
    board = scramble(goal.size, goal, seed=1, moves=40)
    assert pack(Board(list(range(16)), 4, 4)) < 0
    result = a_star(board, goal)
    replay(board, result.moves, goal)
    assert result.optimal
    assert result.upper_bound <= 40
    goal = blank_last(Size(3, 4))
    board = scramble(goal.size, goal, seed=9)
    by_conflicts = a_star(board, goal)
    by_manhattan = a_star(board, goal, heuristic=Heuristic.MANHATTAN)
    assert by_conflicts.upper_bound == by_manhattan.upper_bound
    assert by_manhattan.statistics.expanded > 4096 * 4
    assert by_manhattan.statistics.max_frontier < by_manhattan.statistics.generated


def test_bound_of_a_stopped_search_is_valid():
    goal = blank_last(Size(3, 3))
    lengths = naive.distances(naive.solved_tiles(3, 3), 3)
    for tiles in random.Random(3).sample(sorted(lengths), 30):
        result = a_star(Board(tiles, 3, 3), goal, limits=Limits(nodes=200))
        assert result.lower_bound <= lengths[tiles]
        assert (result.lower_bound - lengths[tiles]) % 2 == 0
        assert result.optimal or result.stopped_by is StopReason.NODES
    limits = Limits(memory_bytes=2_000_000)
    result = a_star(HARD_15, blank_last(HARD_15.size), limits=limits)
    assert (result.stopped_by, result.moves) == (StopReason.MEMORY, None)


def test_unreachable_goal_is_an_error():
    with pytest.raises(UnsolvableError, match="cannot be reached"):
        ida_star(Board([2, 1, 3, 0], 4, 1), Board([1, 2, 3, 0], 4, 1))
    for heuristic in (Heuristic.MANHATTAN, LINES):
        with pytest.raises(UnsolvableError, match="cannot be reached from"):
            a_star(Board([2, 1, 3, 0]), Board([1, 2, 3, 0]), heuristic=heuristic)
