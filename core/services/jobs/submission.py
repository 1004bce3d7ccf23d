"""A submission: boards and options, checked before anything is stored."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from tilework.core.errors import OptionError
from tilework.core.model.job_options import JobOptions
from tilework.core.model.methods import check_metric
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.packing import pack_board
from tilework.core.puzzle.phrases import cells
from tilework.core.services.callback_rules import CallbackRules
from tilework.core.settings import Settings
from tilework.core.solver.options import check_options
from tilework.core.solver.target import Algorithm, Heuristic

MAX_KEY_LENGTH = 255

DEFAULT_OPTIONS = JobOptions()


@dataclass(frozen=True, kw_only=True, slots=True)
class Submission:
    """One or more boards, each with its goal, that a client submits with the same options.

    A repeated submission with the same idempotency key gives the same job. A fresh submission is
    searched even if the answer is known.
    """

    client_id: str
    boards: Sequence[tuple[Board, Board]]
    options: JobOptions = DEFAULT_OPTIONS
    idempotency_key: str | None = None
    callback_url: str | None = None
    fresh: bool = False

    def check(self, settings: Settings, callbacks: CallbackRules) -> None:
        """Raise OptionError if the options, the idempotency key or the callback is invalid."""
        options, key = self.options, self.idempotency_key
        if options.time_limit_s is not None:
            check_time_limit(options.time_limit_s, settings)
        if key is not None and not 0 < len(key) <= MAX_KEY_LENGTH:
            raise OptionError(
                "idempotency-key-length",
                "an idempotency key cannot have {count} characters; give 1 to {most}",
                count=len(key),
                most=MAX_KEY_LENGTH,
            )
        check_metric(options.metric, options.algorithm, options.heuristic)
        if self.callback_url is not None:
            callbacks.check(self.callback_url)

    def fingerprint(self) -> str:
        """Return a hash that recognizes a repeated request with an idempotency key."""
        if self.idempotency_key is None:
            return ""
        options = self.options
        target, seconds = options.parsed_target, options.time_limit_s
        text = f"{target}|{seconds}|{options.algorithm}|{options.heuristic}"
        if options.metric is not Metric.MOVES:
            text += f"|{options.metric}"
        if self.callback_url is not None:
            text += f"|{self.callback_url}"
        if self.fresh:
            text += "|fresh"
        digest = hashlib.sha256(text.encode())
        for start, goal in self.boards:
            digest.update(pack_board(start))
            digest.update(pack_board(goal))
        return digest.hexdigest()


def check_time_limit(seconds: float, settings: Settings) -> None:
    """Raise OptionError if a time limit is not positive or exceeds the maximum."""
    if not 0 < seconds <= settings.max_time_limit_s:
        raise OptionError(
            "time-limit",
            "invalid time limit {limit:g} s; give more than 0 and at most {most:g} s",
            limit=seconds,
            most=settings.max_time_limit_s,
        )


def check_board(start: Board, goal: Board, options: JobOptions, settings: Settings) -> None:
    """Raise OptionError if a board is too large, or not supported by the algorithm."""
    if start.size.cells > settings.max_cells:
        raise OptionError(
            "too-many-cells",
            "a board of {size} has {cells}; this service accepts at most {most}",
            size=start.size,
            cells=cells(start.size.cells),
            most=settings.max_cells,
        )
    check_options(goal, Algorithm(options.algorithm), Heuristic(options.heuristic))
