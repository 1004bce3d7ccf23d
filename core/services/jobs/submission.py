"""What a client asks for, checked before anything is stored."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from tilework.core.errors import OptionError
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import pack_board
from tilework.core.puzzle.phrases import cells
from tilework.core.services.callback_rules import CallRules
from tilework.core.services.jobs.methods import check_metric
from tilework.core.settings import Settings
from tilework.core.solver.options import check_options
from tilework.core.solver.target import Algorithm, Heuristic, Target

MAX_KEY_LENGTH = 255

OPTIMAL = Target()


@dataclass(frozen=True, kw_only=True)
class SubmissionOptions:
    """Who asks, and what is asked of the answer.

    Attributes
    ----------
    metric : Metric
        What is to be few: in it target and bounds are counted.
    time_limit_s : float or None
        Seconds from the submission; None is the default of the settings.
    idempotency_key : str or None
        The same key with the same request gives the same job, however often it is sent.
    callback_url : str or None
        What is called when the job ends.
    fresh : bool
        Whether to search though an answer may be known, for this job alone.
    """

    client_id: str
    metric: Metric = Metric.MOVES
    target: Target = OPTIMAL
    time_limit_s: float | None = None
    algorithm: Algorithm = Algorithm.AUTO
    heuristic: Heuristic = Heuristic.AUTO
    idempotency_key: str | None = None
    callback_url: str | None = None
    fresh: bool = False

    def check(self, settings: Settings, callbacks: CallRules) -> None:
        """Refuse options that cannot be met.

        Raises
        ------
        OptionError
            If an algorithm or a heuristic is named where few slides are asked for, the time limit
            is not over 0 or over what the settings allow, the idempotency key is empty or longer
            than 255 characters, or the address is not one that may be called.
        """
        limit, key = self.time_limit_s, self.idempotency_key
        if limit is not None and not 0 < limit <= settings.max_time_limit_s:
            raise OptionError(
                "time-limit",
                "invalid time limit {limit:g} s; give more than 0 and at most {most:g} s",
                limit=limit,
                most=settings.max_time_limit_s,
            )
        if key is not None and not 0 < len(key) <= MAX_KEY_LENGTH:
            raise OptionError(
                "idempotency-key-length",
                "an idempotency key cannot have {count} characters; give 1 to {most}",
                count=len(key),
                most=MAX_KEY_LENGTH,
            )
        check_metric(self.metric, self.algorithm, self.heuristic)
        if self.callback_url is not None:
            callbacks.check(self.callback_url)

    def limit(self, settings: Settings) -> float:
        """Return the time limit in seconds, with the default filled in."""
        return settings.default_time_limit_s if self.time_limit_s is None else self.time_limit_s

    def fingerprint(self, items: Sequence[tuple[Board, Board]]) -> str:
        """Return a hash by which a repeated request of an idempotency key is recognized."""
        if self.idempotency_key is None:
            return ""
        options = f"{self.target}|{self.time_limit_s}|{self.algorithm}|{self.heuristic}"
        if self.metric is not Metric.MOVES:
            options += f"|{self.metric}"
        if self.callback_url is not None:
            options += f"|{self.callback_url}"
        if self.fresh:
            options += "|fresh"
        digest = hashlib.sha256(options.encode())
        for start, goal in items:
            digest.update(pack_board(start))
            digest.update(pack_board(goal))
        return digest.hexdigest()


@dataclass(frozen=True, kw_only=True)
class Submission(SubmissionOptions):
    """One board to solve."""

    start: Board
    goal: Board


@dataclass(frozen=True, kw_only=True)
class BatchSubmission(SubmissionOptions):
    """Boards to solve with the same options; each item is a start and its goal."""

    items: Sequence[tuple[Board, Board]]


def check_item(
    start: Board, goal: Board, algorithm: Algorithm, heuristic: Heuristic, settings: Settings
) -> None:
    """Refuse a board that is too large, or that the algorithm asked for cannot take.

    Raises
    ------
    OptionError
        With the size and the largest count of cells, or with what there is instead.
    """
    if start.size.cells > settings.max_cells:
        raise OptionError(
            "too-many-cells",
            "a board of {size} has {cells}; this service accepts at most {most}",
            size=start.size,
            cells=cells(start.size.cells),
            most=settings.max_cells,
        )
    check_options(goal, algorithm, heuristic)
