"""What ``tilework compare`` is asked to compare: its methods and its boards."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.cli.boards import STANDARD_INPUT, goal_of
from core.cli.lab.options import check_fits, lab_board_of
from core.cli.scramble import size_of
from core.errors import InputError, OptionError

if TYPE_CHECKING:
    from core.lab.method import Method
    from core.puzzle.board import Board
    from core.services.lab.sweep import Sweep


@dataclass(frozen=True, slots=True)
class SweepOptions:
    """Options of a sweep; None for each that was not given."""

    boards: int | None = None
    size: str | None = None
    moves: int | None = None
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Boards:
    """Boards to compare on: those of a sweep, or one."""

    boards: list[Board]
    goal: Board
    sweep: Sweep | None


def methods_chosen(
    methods: list[str] | None, algorithms: str | None, heuristics: str | None
) -> tuple[Method, ...]:
    """Return the methods that the options name, without repetition; ten defaults if none is named.

    Raises
    ------
    OptionError
        For a name that is not offered, or options that contradict each other.
    """
    from core.lab.method import DEFAULT_METHODS, Method
    from core.lab.pairing import methods_of

    if methods and (algorithms is not None or heuristics is not None):
        raise OptionError("give either --method, or --algorithms and --heuristics to be paired")
    if heuristics is not None and algorithms is None:
        raise OptionError(
            f"--heuristics {heuristics} needs algorithms to be paired with, "
            "as in --algorithms a-star,ida-star"
        )
    if algorithms is not None:
        return methods_of(_names(algorithms), [] if heuristics is None else _names(heuristics))
    return tuple(dict.fromkeys(map(Method.from_text, methods or ()))) or DEFAULT_METHODS


def boards_chosen(
    words: list[str] | None, goal: str, width: int | None, options: SweepOptions
) -> Boards:
    """Return the boards to compare on.

    Raises
    ------
    InputError
        If there is neither a board nor a sweep, or both; if a board or the goal is invalid or too
        large.
    UnsolvableError
        If the goal cannot be reached.
    """
    if options.boards is not None:
        if words:
            raise InputError(f"give a board or --sweep, not both: {' '.join(words)[:60]!r}")
        if width is not None:
            raise OptionError(f"--width {width} is of a board; give a sweep's as in --size 4x3")
        return _swept(goal, options, options.boards)
    for name in ("size", "moves", "seed"):
        if getattr(options, name) is not None:
            raise OptionError(f"--{name} is of a sweep; add how many boards, as in --sweep 40")
    if not words and sys.stdin.isatty():
        raise InputError(
            'give a board, as in `tilework compare "8 1 3 / 4 0 2 / 7 6 5"`, or --sweep 40'
        )
    return _one(words or [STANDARD_INPUT], goal, width)


def _one(words: list[str], goal_text: str, width: int | None) -> Boards:
    from core.puzzle.solvability import check_solvable

    start = lab_board_of(words, width)
    goal = goal_of(goal_text, start.size)
    check_solvable(start, goal)
    return Boards([start], goal, None)


def _swept(goal_text: str, options: SweepOptions, boards: int) -> Boards:
    from core.services.lab.sweep import Sweep

    size = size_of(options.size or "3x3")
    check_fits(size)
    goal = goal_of(goal_text, size)
    given = {"moves": options.moves, "seed": options.seed}
    sweep = Sweep(boards, **{name: value for name, value in given.items() if value is not None})
    return Boards(sweep.draw(goal), goal, sweep)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]
