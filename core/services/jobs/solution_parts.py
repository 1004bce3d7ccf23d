"""Parts of long solutions: some of the moves, or the board after some moves.

A solution is replayed once before any part of it is returned. Boards along its path are stored in
memory, so that the board at any position is only a few moves away from one of them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial

from tilework.core.model.ids import job_not_found
from tilework.core.model.jobs import StoredSolution
from tilework.core.model.solutions import solution_replaced
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Transform
from tilework.core.puzzle.moves import Moves, MoveSequence
from tilework.core.puzzle.packing import CHUNK_MOVES, unpack_board
from tilework.core.puzzle.replay import KERNEL_MOVES, apply, replay_boards
from tilework.core.services.farm.repair import Repair
from tilework.core.services.jobs.solution_views import blame_rows
from tilework.core.settings import Settings
from tilework.core.storage.database import Database

MAX_MOVES = 1 << 20
"""The largest number of moves that is returned at a time."""

# The memory for the boards along one solution, and the number of solutions in memory.
_TRAIL_BYTES = 16 << 20
_MIN_BOARDS = 16  # the more, the fewer moves from a board to the next
_MAX_TRAILS = 4
_CELL_BYTES = 4


@dataclass(frozen=True, slots=True)
class SolutionPart:
    """Moves of a solution or one of its boards, with the solution's name and length."""

    solution: str
    length: int
    moves: Moves | None = None
    board: Board | None = None


@dataclass(frozen=True, slots=True)
class _Trail:
    """A replayed solution, with the board after every ``stride`` moves."""

    solution: str
    start: Board
    stride: int
    boards: list[Board]


class ReadSolutionParts:
    """Reads parts of solutions; `ReadJob` reads whole ones.

    All methods raise NotFoundError if there is no such job, and ReplacedError if the named solution
    is no longer the job's best one.
    """

    def __init__(self, storage: Database, settings: Settings) -> None:
        self._storage = storage
        self._repair = Repair(storage, settings)
        self._trails: OrderedDict[tuple[str, str], _Trail] = OrderedDict()
        self._lock = threading.Lock()

    def moves(
        self, job_id: str, first: int, count: int, solution: str | None = None
    ) -> SolutionPart | None:
        """Return up to `count` moves of the named or the best solution; None if there is none."""
        end = first + min(count, MAX_MOVES)
        part = self._repair.run(partial(self._read, job_id, solution, first, end))
        if part is None:
            return None
        trail, moves = part
        return SolutionPart(trail.solution, len(moves), moves=moves[first:end])

    def board(self, job_id: str, move: int, solution: str | None = None) -> SolutionPart | None:
        """Return the board after `move` moves of the named or the best solution, or its last."""
        with self._lock:
            replayed = self._trails.get((job_id, solution or ""))
        stride = CHUNK_MOVES if replayed is None else replayed.stride
        first = move - move % stride
        part = self._repair.run(partial(self._read, job_id, solution, first, move))
        if part is None:
            return None
        trail, moves = part
        if move >= len(moves):
            after = trail.boards[-1] if trail.boards else trail.start
        else:
            index = move // trail.stride
            before = trail.boards[index - 1] if index else trail.start
            # The kernel of a long solution is loaded already, by the replay of the whole solution.
            compiled = len(moves) >= KERNEL_MOVES
            after = apply(before, moves[index * trail.stride : move], compiled=compiled)
        return SolutionPart(trail.solution, len(moves), board=after)

    def _read(
        self, job_id: str, solution: str | None, first: int, end: int
    ) -> tuple[_Trail, MoveSequence] | None:
        """Return a replayed solution with at least the moves from `first` to `end`."""
        with self._lock:
            trail = self._trails.get((job_id, solution or ""))
            if trail is not None:
                self._trails.move_to_end((job_id, trail.solution))
        if trail is not None:
            return trail, self._read_moves(job_id, trail.solution, first, end)
        with self._storage.reading() as session:
            answer = session.jobs.answer(job_id, self._storage.reading)
        if answer.moves is None or answer.solution is None:
            return None
        _check(answer.solution, solution)
        moves = Transform.from_text(answer.job.transform).view_from_canonical(answer.moves)
        trail = _replay(answer, answer.solution, moves)
        if len(moves) <= CHUNK_MOVES:
            return trail, moves  # The player requests all of it at once.
        with self._lock:
            self._trails[job_id, trail.solution] = trail
            while len(self._trails) > _MAX_TRAILS:
                self._trails.popitem(last=False)
        return trail, moves

    def _read_moves(self, job_id: str, solution: str, first: int, end: int) -> MoveSequence:
        with self._storage.reading() as session:
            job_solution = session.solutions.head_for_job(job_id)
            if job_solution is None:
                raise job_not_found(job_id)
            if job_solution.head is None:
                raise solution_replaced()
            _check(job_solution.head.name, solution)
            transform, count = Transform.from_text(job_solution.transform), job_solution.head.count
            first, end = min(first, count), min(end, count)
            if transform.reverse:
                first, end = count - end, count - first
            moves = session.solutions.read(job_solution.head, first, end)
        return transform.view_from_canonical(moves)


def _replay(answer: StoredSolution, solution: str, moves: MoveSequence) -> _Trail:
    with blame_rows(("job", answer.job.id), ("solve", answer.job.solve_id or "")):
        start, goal = unpack_board(answer.job.board_bytes), unpack_board(answer.job.goal_bytes)
        max_boards = max(_MIN_BOARDS, _TRAIL_BYTES // (_CELL_BYTES * start.size.cells))
        stride = CHUNK_MOVES * max(1, -(-len(moves) // (max_boards * CHUNK_MOVES)))
        return _Trail(solution, start, stride, replay_boards(start, moves, goal, stride))


def _check(name: str, expected: str | None) -> None:
    if expected is not None and expected != name:
        raise solution_replaced()
