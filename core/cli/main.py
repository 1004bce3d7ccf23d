"""The entry point of the command line; it answers the most common call without loading libraries.

``tilework solve`` with nothing but the numbers of a board, which is small or a few moves from its
goal, takes a tenth of the time that it takes to load NumPy, Typer and the solver.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from itertools import groupby
from math import isqrt
from typing import Final, NoReturn

from tilework.core.solver.optimal.bidirectional import ShortestSolution, bidirectional_search

_MAX_CELLS: Final = 36
_ALL_SOLVED_CELLS: Final = 9  # larger boards are solved only near their goal
_ALL_NODES: Final = 1_000_000  # more than there are boards
_FEW_NODES: Final = 2_000  # 15 milliseconds


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line; expected errors print one sentence and set the exit code."""
    _replace_closed_streams()
    words, started = sys.argv[1:] if arguments is None else list(arguments), time.perf_counter()
    is_english = "TILEWORK_LANG" not in os.environ
    solution = _solve(words[1:]) if is_english and words[:1] == ["solve"] else None
    if solution is not None:
        text = solution.letters
    elif is_english and words in (["--help"], ["-h"], ["help"]):
        from tilework.core.cli.subcommands import overview

        text = overview()
    else:
        if arguments is None:  # in a process of its own
            # Numba imports SciPy if it is installed, for functions that no kernel calls.
            sys.modules.setdefault("scipy", None)  # type: ignore[arg-type]
        from tilework.core.cli.commands import run

        run(words)
    try:
        print(text, flush=True)
        if solution and sys.stderr.isatty():
            _print_bounds(solution, time.perf_counter() - started)
        sys.exit(0)
    except OSError as error:
        from tilework.core.cli.commands import discard_output

        sys.exit(discard_output(error))


def _replace_closed_streams() -> None:
    """Replace what the caller has closed, for which Python has None."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115


def _print_bounds(solution: ShortestSolution, seconds: float) -> None:
    from tilework.core.cli.console import describe_shortest, print_note

    slides = len(list(groupby(solution.letters)))
    length = len(solution.letters)
    note = describe_shortest(length, slides, solution.nodes, seconds, "bidirectional search")
    print_note(note)


def _solve(words: list[str]) -> ShortestSolution | None:
    """Return the solution of a simple board; None for any other call."""
    board = _read(words)
    if board is None:
        return None
    tiles, width = board
    goal = [*range(1, len(tiles)), 0]
    if tiles == goal or not _is_solvable(tiles, width):
        return None
    max_nodes = _ALL_NODES if len(tiles) <= _ALL_SOLVED_CELLS else _FEW_NODES
    solution = bidirectional_search(tiles, goal, width, max_nodes)
    return solution if solution and _replay(tiles, solution.letters, width) == goal else None


def _read(words: list[str]) -> tuple[list[int], int] | None:
    """Return the tiles and the width of a board of numbers, with or without slashes."""
    text = " ".join(words)
    if not text or text.strip("0123456789 /\n") or os.path.exists(words[0]):
        return None
    rows = [row.split() for row in text.strip(" /\n").replace("\n", "/").split("/")]
    tiles = [int(word) for row in rows for word in row if len(word) <= 2]
    width = len(rows[0]) if len(rows) > 1 else isqrt(len(tiles))
    is_whole = sorted(tiles) == [*range(len(tiles))] and 2 < len(tiles) <= _MAX_CELLS
    is_rectangle = len(rows) == 1 or {len(row) for row in rows} == {width}
    is_board = is_whole and is_rectangle and width > 1 and len(tiles) % width == 0
    has_width = len(rows) > 1 or width**2 == len(tiles)
    return (tiles, width) if is_board and has_width else None


def _is_solvable(tiles: list[int], width: int) -> bool:
    numbers = [tile for tile in tiles if tile]
    inversions = sum(
        after < before for at, before in enumerate(numbers) for after in numbers[at + 1 :]
    )
    rows_below = (len(tiles) - 1 - tiles.index(0)) // width
    return (inversions + rows_below * (width - 1)) % 2 == 0


def _replay(tiles: list[int], letters: str, width: int) -> list[int]:
    tiles = tiles.copy()
    blank = tiles.index(0)
    for letter in letters:
        cell = blank + {"U": width, "D": -width, "L": 1, "R": -1}[letter]
        tiles[blank], tiles[cell] = tiles[cell], 0
        blank = cell
    return tiles
