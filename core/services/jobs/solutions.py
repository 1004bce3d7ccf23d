"""Converting stored solutions to solutions of the given board, with a replay."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial

from tilework.core.errors import DamagedRowError, DamagedSolveError, InputError, ReplayError
from tilework.core.model.ids import job_not_found
from tilework.core.model.jobs import Job, JobView, StoredSolution
from tilework.core.model.solutions import SolutionHead, SolutionView, solution_replaced
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import Transform
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.moves import Moves, MoveSequence
from tilework.core.puzzle.packing import CHUNK_MOVES
from tilework.core.puzzle.replay import KERNEL_MOVES, apply, replay, replay_boards
from tilework.core.storage.database import Database
from tilework.core.storage.session import Session
from tilework.core.storage.solutions import read_consistently


def view_stored_solution(answer: StoredSolution) -> SolutionView | None:
    """Return a job's solution, or None without one.

    Raises the same errors as `view_job_solution`.
    """
    if answer.moves is None:
        return None
    return view_job_solution(answer.job, answer.moves, answer.lower_bound)


def view_job_solution(job: Job | JobView, moves: MoveSequence, lower_bound: int) -> SolutionView:
    """Convert a solution of the canonical board to one of a job's board.

    Raises DamagedRowError if the job cannot be read, and DamagedSolveError if the solution does not
    solve its board.
    """
    start, goal = job.board, job.goal
    try:
        transform = Transform.from_text(job.transform)
    except InputError:
        raise DamagedRowError from None
    return make_solution_view(
        start,
        goal,
        transform,
        moves,
        lower_bound=lower_bound,
        solve_id=job.solve_id,
        metric=job.options.metric,
    )


def make_solution_view(
    start: Board,
    goal: Board,
    transform: Transform,
    moves: MoveSequence,
    *,
    lower_bound: int,
    solve_id: str | None,
    metric: Metric,
) -> SolutionView:
    """Convert a solution of the canonical board to one of the given board, and replay it."""
    solution = transform.view_from_canonical(moves)
    with blaming(solve_id):
        replay(start, solution, goal)
    return SolutionView(start, goal, solution, lower_bound, metric)


@contextmanager
def blaming(solve_id: str | None) -> Iterator[None]:
    """Convert errors about stored moves to a DamagedSolveError."""
    try:
        yield
    except (InputError, ReplayError) as error:
        raise DamagedSolveError(solve_id or "") from error


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
    """Reads parts of solutions; `JobService` reads whole ones.

    All methods raise NotFoundError if there is no such job, and ReplacedError if the named solution
    is no longer the job's best one.
    """

    def __init__(self, storage: Database) -> None:
        self._storage = storage
        self._trails: OrderedDict[tuple[str, str], _Trail] = OrderedDict()
        self._lock = threading.Lock()

    def moves(
        self, job_id: str, first: int, count: int, solution: str | None = None
    ) -> SolutionPart | None:
        """Return up to `count` moves of the named or the best solution; None if there is none."""
        end = first + min(count, MAX_MOVES)
        part = self._read(job_id, solution, first, end)
        if part is None:
            return None
        trail, moves = part
        return SolutionPart(trail.solution, len(moves), moves=moves[first:end])

    def board(self, job_id: str, move: int, solution: str | None = None) -> SolutionPart | None:
        """Return the board after `move` moves of the named or the best solution, or its last."""
        part = self._read(job_id, solution, None, move)
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
        self, job_id: str, solution: str | None, first: int | None, end: int
    ) -> tuple[_Trail, MoveSequence] | None:
        """Return a replayed solution with at least the moves from `first` to `end`.

        Without `first`, they begin at the last board of the trail that is not after `end`.
        """
        read = partial(self._read_once, job_id, solution, first, end)
        with self._storage.handling_damage():
            return read_consistently(read) if solution is None else read()

    def _read_once(
        self, job_id: str, solution: str | None, first: int | None, end: int
    ) -> tuple[_Trail, MoveSequence] | None:
        with self._storage.reading() as session:
            best = session.solutions.head_for_job(job_id)
            if best is None:
                raise job_not_found(job_id)
            if best.head is not None:
                _check(best.head.name, solution)
                trail = self._find_trail(job_id, best.head.name)
                if trail is not None:
                    if first is None:
                        first = end - end % trail.stride
                    return trail, _read_moves(session, best.head, best.transform, first, end)
        return self._replay_all(job_id, solution)

    def _find_trail(self, job_id: str, solution: str) -> _Trail | None:
        with self._lock:
            trail = self._trails.get((job_id, solution))
            if trail is not None:
                self._trails.move_to_end((job_id, solution))
        return trail

    def _replay_all(self, job_id: str, solution: str | None) -> tuple[_Trail, MoveSequence] | None:
        with self._storage.reading() as session:
            answer = session.job_views.answer(job_id, self._storage.reading)
        if answer.moves is None or answer.solution is None:
            return None
        _check(answer.solution, solution)
        moves = Transform.from_text(answer.job.transform).view_from_canonical(answer.moves)
        trail = _replay(answer, answer.solution, moves)
        if len(moves) > CHUNK_MOVES:  # The player requests all of a shorter one at once.
            with self._lock:
                self._trails[job_id, trail.solution] = trail
                while len(self._trails) > _MAX_TRAILS:
                    self._trails.popitem(last=False)
        return trail, moves


def _read_moves(
    session: Session, head: SolutionHead, transform_text: str, first: int, end: int
) -> MoveSequence:
    transform = Transform.from_text(transform_text)
    first, end = min(first, head.count), min(end, head.count)
    if transform.reverse:
        first, end = head.count - end, head.count - first
    return transform.view_from_canonical(session.solutions.read(head, first, end))


def _replay(answer: StoredSolution, solution: str, moves: MoveSequence) -> _Trail:
    start, goal = answer.job.board, answer.job.goal
    with blaming(answer.job.solve_id):
        max_boards = max(_MIN_BOARDS, _TRAIL_BYTES // (_CELL_BYTES * start.size.cells))
        stride = CHUNK_MOVES * max(1, -(-len(moves) // (max_boards * CHUNK_MOVES)))
        return _Trail(solution, start, stride, replay_boards(start, moves, goal, stride))


def _check(name: str, expected: str | None) -> None:
    if expected is not None and expected != name:
        raise solution_replaced()
