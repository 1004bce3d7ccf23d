"""Submitting a job by the names of an algorithm and a heuristic: the solver's or the textbook's."""

from __future__ import annotations

from dataclasses import dataclass

from tilework.core.puzzle.board import Board
from tilework.core.services.jobs.methods import check_metric, limit_unused, method_of, solvers_names
from tilework.core.services.jobs.submission import OPTIMAL, Submission
from tilework.core.services.jobs.submit import Accepted
from tilework.core.services.jobs.vocabulary import Metric, Target
from tilework.core.services.lab.submit_method import MethodSubmission
from tilework.web.clients import services


@dataclass(frozen=True, kw_only=True)
class Request:
    """One board, and how it is to be solved, in a client's words.

    Attributes
    ----------
    weight, width, node_limit, memory_bytes : float, int or None
        Of a textbook search only.
    """

    client_id: str
    start: Board
    goal: Board
    metric: Metric = Metric.MOVES
    target: Target = OPTIMAL
    time_limit_s: float | None = None
    algorithm: str
    heuristic: str
    weight: float | None = None
    width: int | None = None
    node_limit: int | None = None
    memory_bytes: int | None = None
    idempotency_key: str | None = None
    callback_url: str | None = None
    fresh: bool = False

    def submission(self) -> Submission | MethodSubmission:
        """Return it as what it asks for.

        Raises
        ------
        OptionError
            For names or numbers that do not go together.
        """
        check_metric(self.metric, self.algorithm, self.heuristic)
        method = method_of(self.algorithm, self.heuristic, self.weight, self.width)
        if method is not None:
            return MethodSubmission(
                client_id=self.client_id,
                start=self.start,
                goal=self.goal,
                target=self.target,
                time_limit_s=self.time_limit_s,
                name=self.algorithm,
                method=method,
                node_limit=self.node_limit,
                memory_bytes=self.memory_bytes,
                idempotency_key=self.idempotency_key,
                callback_url=self.callback_url,
                fresh=self.fresh,
            )
        for name, limit in (
            ("node_limit", self.node_limit),
            ("memory_limit_mb", self.memory_bytes),
        ):
            if limit is not None:
                raise limit_unused(self.algorithm, name)
        algorithm, heuristic = solvers_names(self.algorithm, self.heuristic)
        return Submission(
            client_id=self.client_id,
            start=self.start,
            goal=self.goal,
            metric=self.metric,
            target=self.target,
            time_limit_s=self.time_limit_s,
            algorithm=algorithm,
            heuristic=heuristic,
            idempotency_key=self.idempotency_key,
            callback_url=self.callback_url,
            fresh=self.fresh,
        )


def accept(request: Request, *, brief: bool = False) -> Accepted:
    """Store a request.

    Raises
    ------
    TileworkError
        As `SubmitJob` and `SubmitMethod` say.
    """
    submission = request.submission()
    if isinstance(submission, MethodSubmission):
        return services().submit_method.accept(submission, brief=brief)
    return services().submit.accept(submission, brief=brief)
