"""What ``tilework compare`` is asked to compare: its methods and its boards."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from tilework.core.cli.boards import goal_of
from tilework.core.cli.files import STANDARD_INPUT
from tilework.core.cli.lab.options import check_fits, lab_board_of
from tilework.core.cli.scramble import size_of
from tilework.core.errors import InputError, OptionError
from tilework.core.lab.method import DEFAULT_METHODS, Method
from tilework.core.lab.pairing import methods_of
from tilework.core.model.runs import Sweep
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.solvability import check_solvable


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
    if methods and (algorithms is not None or heuristics is not None):
        raise OptionError(
            "methods-twice", "give either --method, or --algorithms and --heuristics to be paired"
        )
    if heuristics is not None and algorithms is None:
        raise OptionError(
            "heuristics-alone",
            "--heuristics {heuristics} needs algorithms to be paired with, "
            "as in --algorithms a-star,ida-star",
            heuristics=heuristics[:60],
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
            raise InputError(
                "board-and-sweep",
                "give a board or --sweep, not both: {board!r}",
                board=" ".join(words)[:60],
            )
        if width is not None:
            raise OptionError(
                "sweep-width",
                "--width {width} is only for a board; give the size of a sweep as in --size 4x3",
                width=width,
            )
        return _swept(goal, options, options.boards)
    for name in ("size", "moves", "seed"):
        if getattr(options, name) is not None:
            raise OptionError(
                "sweep-option",
                "--{name} is only for a sweep; say how many boards, as in --sweep 40",
                name=name,
            )
    if not words and sys.stdin.isatty():
        raise InputError(
            "nothing-to-compare",
            "give a board, as in {example}, or --sweep 40",
            example='tilework compare "8 1 3 / 4 0 2 / 7 6 5"',
        )
    return _one(words or [STANDARD_INPUT], goal, width)


def _one(words: list[str], goal_text: str, width: int | None) -> Boards:

    start = lab_board_of(words, width)
    goal = goal_of(goal_text, start.size)
    check_solvable(start, goal)
    return Boards([start], goal, None)


def _swept(goal_text: str, options: SweepOptions, boards: int) -> Boards:

    size = size_of(options.size or "3x3")
    check_fits(size)
    goal = goal_of(goal_text, size)
    given = {"moves": options.moves, "seed": options.seed}
    sweep = Sweep(boards, **{name: value for name, value in given.items() if value is not None})
    return Boards(sweep.draw(goal), goal, sweep)


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]
