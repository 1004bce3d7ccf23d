"""What a client asks for, checked before anything is stored."""

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
    """Who asks for a board, or for several with the same options.

    Attributes
    ----------
    boards : sequence of (Board, Board)
        Each with its goal.
    idempotency_key : str or None
        The same key with the same request gives the same job, however often it is sent.
    callback_url : str or None
        What is called when the job ends.
    fresh : bool
        Whether to search though an answer may be known, for this job alone.
    """

    client_id: str
    boards: Sequence[tuple[Board, Board]]
    options: JobOptions = DEFAULT_OPTIONS
    idempotency_key: str | None = None
    callback_url: str | None = None
    fresh: bool = False

    def check(self, settings: Settings, callbacks: CallbackRules) -> None:
        """Refuse what cannot be met.

        Raises
        ------
        OptionError
            If an algorithm or a heuristic is named where few slides are asked for, the time limit
            is not over 0 or over what the settings allow, the idempotency key is empty or longer
            than 255 characters, or the address is not one that may be called.
        """
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
        """Return a hash by which a repeated request of an idempotency key is recognized."""
        if self.idempotency_key is None:
            return ""
        asked = self.options
        words = f"{asked.wanted}|{asked.time_limit_s}|{asked.algorithm}|{asked.heuristic}"
        if asked.metric is not Metric.MOVES:
            words += f"|{asked.metric}"
        if self.callback_url is not None:
            words += f"|{self.callback_url}"
        if self.fresh:
            words += "|fresh"
        digest = hashlib.sha256(words.encode())
        for start, goal in self.boards:
            digest.update(pack_board(start))
            digest.update(pack_board(goal))
        return digest.hexdigest()


def check_time_limit(seconds: float, settings: Settings) -> None:
    """Refuse a time limit that is not over 0, or over what the settings allow."""
    if not 0 < seconds <= settings.max_time_limit_s:
        raise OptionError(
            "time-limit",
            "invalid time limit {limit:g} s; give more than 0 and at most {most:g} s",
            limit=seconds,
            most=settings.max_time_limit_s,
        )


def check_board(start: Board, goal: Board, options: JobOptions, settings: Settings) -> None:
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
    check_options(goal, Algorithm(options.algorithm), Heuristic(options.heuristic))
