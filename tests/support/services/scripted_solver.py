"""A board and its solutions, and a scripted solver for the services."""

from collections import deque

from sqlalchemy import update

from tests.support import naive
from tilework.core.model.farm.solves import Slice
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves, from_letters
from tilework.core.puzzle.replay import apply
from tilework.core.search.limits import Statistics, StopReason
from tilework.core.services.farm.state_machine.events import SearchSliceEnded
from tilework.core.solver.result import SearchResult, SliceOutcome, WorkUnit
from tilework.core.solver.target import Target, TargetKind
from tilework.core.solver.trial import TrialOutcome

CHECK_NODES = 7
ANY = Target(TargetKind.ANY)
DETOUR = {"U": "UD", "D": "DU", "L": "LR", "R": "RL"}


def shortest_solution(board: Board, goal: Board) -> str:
    depths = naive.distances(tuple(goal.cells.tolist()), goal.width)
    tiles, letters = tuple(board.cells.tolist()), ""
    while count := depths[tiles]:
        neighbors = {letter: naive.apply_move(tiles, goal.width, letter) for letter in "UDLR"}
        letter = next(letter for letter in neighbors if depths.get(neighbors[letter]) == count - 1)
        letters, tiles = letters + letter, neighbors[letter]
    return letters


def longer_solution(board: Board, goal: Board) -> Moves:
    """Return a solution two moves longer than the shortest."""
    tiles = tuple(board.cells.tolist())
    detour = next(
        detour for letter, detour in DETOUR.items() if naive.apply_move(tiles, board.width, letter)
    )
    return from_letters(detour + shortest_solution(board, goal))


def solve_optimally(board, goal, limits):
    moves = from_letters(shortest_solution(board, goal))
    return SearchResult(len(moves), moves, "scripted", Statistics(generated=100, seconds=0.1))


def solve_bounded(board, goal, limits):
    """Return bounds four moves apart."""
    moves = longer_solution(board, goal)
    return SearchResult(len(moves) - 4, moves, "scripted", Statistics(generated=50, seconds=0.1))


def stop_without_solution(board, goal, limits):
    return SearchResult(1, None, "scripted", Statistics(generated=10), StopReason.TIME)


def solve_cancelled(board, goal, limits):
    return SearchResult(1, None, "scripted", Statistics(generated=10), StopReason.CANCELLED)


def search_whole_tree(board, goal, threshold, cursor, stop):
    """Search everything that the cursor covers."""
    solution = shortest_solution(board, goal)
    if len(solution) <= threshold:
        return SliceOutcome(1_000, None, from_letters(solution), (), "scripted")
    return SliceOutcome(1_000, threshold + 2, None, (), "scripted")


def leave_parts(*shares, nodes=500):
    """Return a search that leaves work units with these shares of its own."""

    def search(board, goal, threshold, cursor, stop):
        name, whole = cursor.split(b":")
        units = tuple(
            _make_unit(name + b"%d" % index, share * float(whole))
            for index, share in enumerate(shares)
        )
        return SliceOutcome(nodes, threshold + 2, None, units, "scripted")

    return search


def _find_no_improvement(start, end, limits):
    return TrialOutcome(None, 10, complete=True)


def _next(scripts, default):
    script = scripts.popleft() if scripts else default
    if isinstance(script, Exception):
        raise script
    return script


class ScriptedSolver:
    """Follows scripts, one per call; without one, it uses breadth-first search."""

    def __init__(self):
        self.solve_scripts, self.progress_scripts, self.search_scripts = deque(), deque(), deque()
        self.trial_scripts, self.check_scripts = deque(), deque()
        self.checked_records, self.trials, self.searches = [], [], []
        self.targets, self.algorithms = [], []

    def solve(self, board, goal, *, target, limits, algorithm, heuristic, on_solution):
        self.targets.append(target)
        self.algorithms.append(algorithm)
        if self.progress_scripts:
            return self.progress_scripts.popleft()(board, goal, limits, on_solution)
        return _next(self.solve_scripts, solve_optimally)(board, goal, limits)

    def check(self, board, goal, record, seed, limits):
        self.checked_records.append(record)
        limits.report(CHECK_NODES)
        return _next(self.check_scripts, None)

    def first_threshold(self, board, goal):
        return len(shortest_solution(board, goal)) - 4

    def root(self):
        return _make_unit(b"root", 1.0)

    def search(self, board, goal, threshold, cursor, *, nodes, cancelled):
        self.searches.append((threshold, cursor))
        search = _next(self.search_scripts, search_whole_tree)
        return search(board, goal, threshold, cursor, cancelled)

    def order(self, board, goal, threshold, *, workers, cancelled):
        return None

    def aim(self, board, goal, trial, length, limits):
        self.trials.append(trial)
        return _next(self.trial_scripts, _find_no_improvement)(board, goal, limits)

    try_beam = aim

    def shorten(self, start, path, trial, limits):
        self.trials.append(trial)
        return _next(self.trial_scripts, _find_no_improvement)(start, apply(start, path), limits)

    def split(self, board: Board, cursor: bytes) -> tuple[WorkUnit, WorkUnit] | None:
        name, share = cursor.split(b":")
        half = float(share) / 2
        return (
            None if half < 0.01 else (_make_unit(name + b"a", half), _make_unit(name + b"b", half))
        )


def _make_unit(name: bytes, share: float) -> WorkUnit:
    return WorkUnit(name + b":%.17g" % share, share)


# Its Manhattan distance, the lower bound of a new job, is four less than its optimal length.
BOARD = Board([4, 2, 3, 5, 0, 1], 3, 2)
OTHER = Board([4, 1, 2, 5, 0, 3], 3, 2)
GOAL = blank_last(Size(3, 2))
LENGTH = len(shortest_solution(BOARD, GOAL))
ROOT = _make_unit(b"root", 1.0)


def start_search(service):
    """Return a job that waits for a search in slices, with the bounds LENGTH − 2 and LENGTH + 2."""
    service.solver.solve_scripts.append(solve_bounded)
    job = service.request(BOARD)
    service.work("interactive")
    return service.read.view(job.id)


def update_row(service, table, **values):
    """Update the only row of a table."""
    with service.database.engine(writes=True).begin() as connection:
        assert connection.execute(update(table).values(**values)).rowcount == 1


def read_proof_records(session, solve_id):
    """Return all records that prove a solve's lower bound, ordered by threshold and age."""
    proven, slices = session.slices.proven_bound(solve_id), []
    threshold = proven.lower_bound
    while (
        threshold := session.slices.last_threshold(solve_id, proven.epoch, threshold)
    ) is not None:
        slices = session.slices.proof(solve_id, proven.epoch, threshold, "", 10_000) + slices
    return slices


def make_searched_event(
    slice_: Slice, outcome: SliceOutcome, seconds: float = 1.0
) -> SearchSliceEnded:
    """Return the event that ends a slice which searched a whole tree."""
    effort = Statistics(generated=outcome.nodes, seconds=seconds)
    return SearchSliceEnded(slice_, outcome, seconds, 0, lambda _: [ROOT], effort=effort)
