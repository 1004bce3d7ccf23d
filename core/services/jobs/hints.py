"""Hints: the next move on a board, from the best known solution or from a new job.

A solution of a board is also a solution of the next board on its path, without the first move. Its
lower bound is at least that of the board minus one, because a move changes the distance by one.
Both are stored, so that the hints for the following boards are immediate and reach the goal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tilework.core.model.ids import new_id
from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import Job
from tilework.core.model.states import Queue
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.hint import Hint
from tilework.core.puzzle.moves import MoveSequence
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import apply, replay
from tilework.core.services.farm.state_machine.events import BoundsLearned
from tilework.core.services.farm.state_machine.machine import advance
from tilework.core.services.jobs.submit import (
    DEFAULT_OPTIONS,
    JOB_DELAY_S,
    Intake,
    Prepared,
    Submission,
    check_board,
    initial_lower_bound,
    prepare,
    view_solution,
)
from tilework.core.services.tickets import announce
from tilework.core.solver.strategy import HINT_S, hint_target
from tilework.core.solver.target import Target, TargetKind

MAX_REMEMBERED_MOVES = 10_000
"""The longest solution whose remainder is stored for the next board."""

_ALGORITHM = "hint"


@dataclass(frozen=True, slots=True)
class HintView:
    """A hint, and the job that searches for a better one, if that is needed."""

    hint: Hint
    job_id: str | None = None


class GiveHint(Intake):
    """Gives hints."""

    def __call__(self, client_id: str, start: Board, goal: Board) -> HintView:
        """Return the best known hint; submit a job if it is not good enough.

        Raises
        ------
        OptionError, BoardError
            If the board is too large or the goal does not fit.
        UnsolvableError
            If the board cannot be solved.
        QuotaError, OverloadError
            If the client or the service has too many unfinished jobs.
        """
        check_board(start, goal, DEFAULT_OPTIONS, self._settings)
        if start == goal:
            return HintView(Hint.at_goal(start))
        prepared = prepare(start, goal)
        hint = self._find_good_hint(client_id, prepared)
        if hint is not None:
            return self._remember_path(HintView(hint), prepared)
        job_id, queue = self._store(client_id, prepared)
        announce(self._tickets, [queue])
        hint = self._best_hint(prepared)
        return self._remember_path(HintView(hint, job_id), prepared)

    def refresh(self, view: HintView, goal: Board) -> HintView:
        """Return the current best hint for the board of an earlier hint."""
        prepared = prepare(view.hint.board, goal)
        hint = self._best_hint(prepared)
        return self._remember_path(replace(view, hint=hint), prepared)

    def _hint_job(self, client_id: str, prepared: Prepared, target: Target) -> Job:
        options = JobOptions(
            target=target.kind,
            gap=target.gap if target.kind is TargetKind.GAP else None,
            time_limit_s=min(HINT_S, self._settings.max_time_limit_s),
        )
        boards = [(prepared.start, prepared.goal)]
        submission = Submission(client_id=client_id, boards=boards, options=options)
        return replace(self._make_job(submission, prepared, self._clock()), is_hint=True)

    def _find_good_hint(self, client_id: str, prepared: Prepared) -> Hint | None:
        target = hint_target(prepared.start.size.cells, has_solution=True)
        answer = self._find_answer(prepared, self._hint_job(client_id, prepared, target))
        if answer is None or (solution := answer[2]) is None:
            return None
        return Hint(prepared.start, solution.lower_bound, solution.moves)

    def _store(self, client_id: str, prepared: Prepared) -> tuple[str, Queue | None]:
        job = self._hint_job(client_id, prepared, hint_target(prepared.start.size.cells))
        now = job.created_at
        with self._storage.writing() as session:
            self._ensure_client(session, client_id, now)
            own = job.options.priority
            unfinished, preparation_s, some_lower = self._check_quota(
                session, client_id, own, 1, now
            )
            priority = now + unfinished * JOB_DELAY_S
            solve_id, queue = self._enqueue(session, prepared, job, priority, preparation_s)
            if some_lower:
                session.jobs.promote(client_id, own, [solve_id])
        self._remember_client(client_id)
        return job.id, queue

    def _best_hint(self, prepared: Prepared) -> Hint:
        with self._storage.reading() as session:
            match = session.solves.find_with_solution(prepared.puzzle.key, self._storage.reading)
        if match is None:
            return Hint(prepared.start, initial_lower_bound(prepared), None)
        solve, moves = match
        with self._storage.handling_damage():
            solution = view_solution(solve, moves, prepared)
        path = None if solution is None else solution.moves
        return Hint(prepared.start, solve.lower_bound, path)

    def _remember_path(self, view: HintView, prepared: Prepared) -> HintView:
        """Store what a hint implies for the next board, and return the hint."""
        hint = view.hint
        if hint.moves is not None and 1 < len(hint.moves) <= MAX_REMEMBERED_MOVES:
            moves = hint.moves
            self._remember_next(hint, moves, prepared)
        return view

    def _remember_next(self, hint: Hint, path: MoveSequence, prepared: Prepared) -> None:
        remainder = path[1:]
        after = prepare(apply(hint.board, path[:1]), prepared.goal)
        lower_bound = max(initial_lower_bound(after), hint.lower_bound - 1)
        with self._storage.reading() as session:
            solve = session.solves.find(after.puzzle.key)
        if (
            solve is not None
            and solve.upper_bound is not None
            and solve.upper_bound <= len(remainder)
            and solve.lower_bound >= lower_bound
        ):
            return
        moves = after.transform.to_canonical(remainder)
        replay(unpack_board(after.puzzle.board_bytes), moves, unpack_board(after.puzzle.goal_bytes))
        now = self._clock()
        with self._storage.writing() as session:
            solve = session.solves.get_or_create(
                new_id(), after.puzzle, initial_lower_bound(after), now
            )
            event = BoundsLearned(lower_bound, moves, _ALGORITHM)
            advance(session, solve, event, now)
