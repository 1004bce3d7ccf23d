"""The next move of a board: from what is known, or from a job that looks for a way to the goal.

What is known of a board says something of the next one on the way: the rest of the way leads on
from there, and as a move changes the distance by one, no way from there is shorter than the lower
bound less one. That is stored, so that whoever plays on is answered at once, and who follows hints
comes nearer to the goal with each of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tilework.core.model.job_options import JobOptions
from tilework.core.model.jobs import Job
from tilework.core.model.states import Queue, new_id
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.hint import Hint
from tilework.core.puzzle.packing import unpack_board
from tilework.core.puzzle.replay import apply, replay
from tilework.core.services.farm.state_machine.decide import advance
from tilework.core.services.farm.state_machine.events import BoundsLearned
from tilework.core.services.jobs.intake import (
    TURN_S,
    Intake,
    Prepared,
    initial_lower_bound,
    prepare,
    view_solution,
)
from tilework.core.services.jobs.submission import DEFAULT_OPTIONS, Submission, check_board
from tilework.core.services.tickets import announce
from tilework.core.solver.strategy import HINT_S, hint_target
from tilework.core.solver.target import Target, TargetKind

MOST_REMEMBERED = 10_000
"""Longest way of which the rest is stored for the next board."""

_ALGORITHM = "hint"


@dataclass(frozen=True, slots=True)
class HintView:
    """A hint, and who looks for a better one.

    Attributes
    ----------
    job_id : str or None
        The job that was submitted for it; None where what is known will do.
    """

    hint: Hint
    job_id: str | None = None


class GiveHint(Intake):
    """Says what to do next on a board."""

    def __call__(self, client_id: str, start: Board, goal: Board) -> HintView:
        """Return the next move, or what is known of the way; submit a job where that is too little.

        Raises
        ------
        OptionError, BoardError
            For a board over the size limit, or a goal that does not fit.
        UnsolvableError
            With the explanation.
        QuotaError, OverloadError
            Too many unfinished jobs, of the client or of all.
        """
        check_board(start, goal, DEFAULT_OPTIONS, self._settings)
        if start == goal:
            return HintView(Hint.at_goal(start))
        prepared = prepare(start, goal)
        known = self._repair.run(lambda: self._answer(client_id, prepared))
        if known is not None:
            return self._remembered(HintView(known), prepared)
        job_id, queue = self._repair.run(lambda: self._store(client_id, prepared))
        announce(self._tickets, [queue])
        hint = self._repair.run(lambda: self._known(prepared))
        return self._remembered(HintView(hint, job_id), prepared)

    def again(self, given: HintView, goal: Board) -> HintView:
        """Return the hint that is known by now, of a board that a hint was given for."""
        prepared = prepare(given.hint.board, goal)
        hint = self._repair.run(lambda: self._known(prepared))
        return self._remembered(replace(given, hint=hint), prepared)

    def _asked(self, client_id: str, prepared: Prepared, target: Target) -> Job:
        options = JobOptions(
            target=target.kind,
            gap=target.gap if target.kind is TargetKind.GAP else None,
            time_limit_s=min(HINT_S, self._settings.max_time_limit_s),
        )
        boards = [(prepared.start, prepared.goal)]
        submission = Submission(client_id=client_id, boards=boards, options=options)
        return self._job(submission, prepared, self._clock())

    def _answer(self, client_id: str, prepared: Prepared) -> Hint | None:
        """Return what is known, where it will do."""
        modest = hint_target(prepared.start.size.cells, solution_known=True)
        known = self._answered(prepared, self._asked(client_id, prepared, modest))
        if known is None or known[2] is None:
            return None
        solution = known[2]
        return Hint(prepared.start, solution.lower_bound, solution.moves)

    def _store(self, client_id: str, prepared: Prepared) -> tuple[str, Queue | None]:
        job = self._asked(client_id, prepared, hint_target(prepared.start.size.cells))
        now = job.created_at
        with self._storage.writing() as session:
            self._know(session, client_id, now)
            mine = self._admit(session, client_id, 1)
            queue = self._place(session, prepared, job, now + mine * TURN_S)
        self._remember(client_id)
        return job.id, queue

    def _known(self, prepared: Prepared) -> Hint:
        with self._storage.reading() as session:
            known = session.solves.find_with_solution(prepared.puzzle.key)
        if known is None:
            return Hint(prepared.start, initial_lower_bound(prepared), None)
        solve, moves = known
        solution = view_solution(solve, moves, prepared)
        found = None if solution is None else solution.moves
        return Hint(prepared.start, solve.lower_bound, found)

    def _remembered(self, given: HintView, prepared: Prepared) -> HintView:
        """Store what a hint says of the next board, where that is news, and return the hint."""
        hint = given.hint
        if hint.moves is not None and 1 < len(hint.moves) <= MOST_REMEMBERED:
            self._repair.run(lambda: self._remember_next(hint, prepared))
        return given

    def _remember_next(self, hint: Hint, prepared: Prepared) -> None:
        assert hint.moves is not None  # noqa: S101 - asked by the caller
        rest = hint.moves[1:]
        after = prepare(apply(hint.board, hint.moves[:1]), prepared.goal)
        lower_bound = max(initial_lower_bound(after), hint.lower_bound - 1)
        with self._storage.reading() as session:
            known = session.solves.find(after.puzzle.key)
        if known is not None and known.upper_bound is not None and known.upper_bound <= len(rest):
            return
        moves = after.transform.to_canonical(rest)
        replay(unpack_board(after.puzzle.board_bytes), moves, unpack_board(after.puzzle.goal_bytes))
        now = self._clock()
        with self._storage.writing() as session:
            solve = session.solves.get_or_create(
                new_id(), after.puzzle, initial_lower_bound(after), now
            )
            event = BoundsLearned(lower_bound, moves, _ALGORITHM)
            advance(session, solve, event, now, self._settings)
