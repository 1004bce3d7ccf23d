"""Submitting a job by the names of an algorithm and a heuristic: the solver's or the textbook's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tilework.core.puzzle.board import Board
from tilework.core.services.jobs.methods import check_metric, limit_unused, method_of, solvers_names
from tilework.core.services.jobs.submission import OPTIMAL, Submission
from tilework.core.services.jobs.submit import Accepted
from tilework.core.services.jobs.vocabulary import Metric, Target
from tilework.core.services.lab.submit_method import MethodSubmission
from tilework.web.clients import services

_COMMON: Final = (
    *("client_id", "start", "goal", "target", "time_limit_s"),
    *("idempotency_key", "callback_url", "fresh"),
)


@dataclass(frozen=True, kw_only=True)
class Request:
    client_id: str
    start: Board
    goal: Board
    metric: Metric = Metric.MOVES
    target: Target = OPTIMAL
    time_limit_s: float | None = None
    algorithm: str
    heuristic: str
    weight: float | None = None  # of a textbook search only
    width: int | None = None
    node_limit: int | None = None
    memory_bytes: int | None = None
    idempotency_key: str | None = None
    callback_url: str | None = None
    fresh: bool = False

    def submission(self) -> Submission | MethodSubmission:
        check_metric(self.metric, self.algorithm, self.heuristic)
        common = {name: getattr(self, name) for name in _COMMON}
        method = method_of(self.algorithm, self.heuristic, self.weight, self.width)
        if method is not None:
            return MethodSubmission(
                **common,
                name=self.algorithm,
                method=method,
                node_limit=self.node_limit,
                memory_bytes=self.memory_bytes,
            )
        for name, limit in (
            ("node_limit", self.node_limit),
            ("memory_limit_mb", self.memory_bytes),
        ):
            if limit is not None:
                raise limit_unused(self.algorithm, name)
        algorithm, heuristic = solvers_names(self.algorithm, self.heuristic)
        return Submission(**common, metric=self.metric, algorithm=algorithm, heuristic=heuristic)


def accept(request: Request, *, brief: bool = False) -> Accepted:
    submission = request.submission()
    if isinstance(submission, MethodSubmission):
        return services().submit_method.accept(submission, brief=brief)
    return services().submit.accept(submission, brief=brief)
