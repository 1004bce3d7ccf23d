"""Other solvers that are on the PATH, beside ours: processor seconds of whole programs, in turns.

Nothing is built. Known are ``puzzle`` (github.com/domsleee/15puzzle, or its ancestor by Michael
Kim), and ``parsearch`` (github.com/clausecker/24puzzle) and, under any name, what reads and writes
as it does. ``--arguments`` says what each needs, above all where its databases are::

    --arguments "puzzle=-d 663.txt" "parsearch=-d pdbs -m 22.fsm catalogues/best-single.cat"

A length that is wrong ends the benchmark; a program that needs more than ``--limit`` processor
seconds is killed, and has a row that says so.
"""

from __future__ import annotations

import re
import shlex
import shutil
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from tools.benchmarks.boards import Instance, read_farthest15, read_korf50, read_korf100
from tools.benchmarks.programs import TILEWORK, run_program
from tools.benchmarks.record import Figure, part


@dataclass(frozen=True)
class Solver:
    """A program that solves boards of a file, whose path comes after its `options`.

    The first group of `length` matches the length of each solution; `format` writes the file.
    """

    program: str
    side: int
    options: Sequence[str]
    format: Callable[[Sequence[Instance]], str]
    length: str

    def solve(self, boards: Sequence[Instance], arguments: str, limit_s: int) -> float:
        """Return the processor seconds of all boards, or infinity; exit if a length is wrong."""
        with TemporaryDirectory() as folder:
            path = Path(folder, "boards.txt")
            path.write_text(self.format(boards))
            command = [self.program, *shlex.split(arguments), *self.options, str(path)]
            result = run_program(command, limit_s=limit_s)
        if result.exit_code:
            return inf
        lengths = [int(length) for length in re.findall(self.length, result.output, re.MULTILINE)]
        # A program with several threads may answer in any order.
        if sorted(lengths) != sorted(board.length for board in boards):
            raise SystemExit(f"{self.program} answers {lengths}: {result.output[-200:]!r}")
        return result.processor_s


def _format_ours(boards: Sequence[Instance]) -> str:
    return "".join(f"{board.name} {board.line}\n" for board in boards)


def _format_rows(boards: Sequence[Instance]) -> str:
    """Write boards for ``puzzle``, whose goal has the blank last: turned by 180°, if necessary."""
    rows = []
    for board in boards:
        tiles = board.board.cells.tolist()
        if board.goal.blank == 0:
            tiles = [tile and len(tiles) - tile for tile in reversed(tiles)]
        rows.append(" ".join(map(str, tiles)))
    return "\n".join([f"4 4 {len(boards)}", *rows, ""])


def _format_commas(boards: Sequence[Instance]) -> str:
    return "".join(f"{','.join(map(str, board.board.cells.tolist()))}\n" for board in boards)


OURS = [
    Solver(TILEWORK, side, ("solve", "--goal", goal, "--jsonl"), _format_ours, r'"length": ?(\d+)')
    for side, goal in ((4, "blank-first"), (4, "blank-last"), (5, "blank-first"))
]
PEERS = (
    Solver("puzzle", 4, ("-b",), _format_rows, r"^Solution: (\d+) moves"),
    Solver("parsearch", 5, (), _format_commas, r"^\S+ +(\d+) +\d+ "),
)
HARD_24 = (40, 38, 44, 25, 32)


@part("peers", runs=3, limit=100, arguments=(str,))
def turns(options: Namespace) -> Iterator[Figure]:
    """Other solvers that are on the PATH, beside ours: processor seconds of whole programs."""
    arguments = dict(item.split("=", 1) for item in options.arguments)
    korf24 = read_korf50()
    sets = (
        ("Korf's 100", OURS[0], read_korf100()),
        ("17 boards at 80 moves", OURS[1], read_farthest15()),
        *((f"Korf24 #{number}", OURS[2], [korf24[number]]) for number in HARD_24),
    )
    peers = [peer for peer in PEERS if shutil.which(peer.program)]
    print("found:", *(peer.program for peer in peers) if peers else "none")
    for name, ours, boards in sets:
        solvers = [ours, *(peer for peer in peers if peer.side == ours.side)]
        seconds: list[list[float]] = [[] for _ in solvers]
        for _ in range(options.runs):
            for solver, times in zip(solvers, seconds, strict=True):
                given = arguments.get(solver.program, "")
                times.append(solver.solve(boards, given, options.limit))
        for solver, times in zip(solvers, seconds, strict=True):
            program = "tilework" if solver is ours else solver.program
            details: dict[str, float] = {"least": min(times), "most": max(times)}
            if max(times) == inf:
                details, times[:] = {"gave_up": True}, [options.limit]
            yield Figure(f"{name}: {program}", median(times), "s", details=details)
