"""Other solvers that are on the PATH, beside ours: processor seconds of whole programs, in turns.

Nothing is built. Known are ``puzzle`` (github.com/domsleee/15puzzle, or its ancestor by Michael
Kim) and ``parsearch`` (github.com/clausecker/24puzzle).
"""

from __future__ import annotations

import re
import shlex
import shutil
from collections.abc import Callable, Iterator, Sequence
from math import inf
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from tools.benchmarks.boards import (
    Instance,
    format_line,
    read_farthest15,
    read_korf50,
    read_korf100,
)
from tools.benchmarks.programs import TILEWORK, run_program
from tools.benchmarks.record import NONE, Figure


class Solver(NamedTuple):
    """A program that solves boards of a file, whose path comes after its `options`.

    The first group of `length` matches the length of each solution; `format` writes the file.
    """

    program: str
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
    return "".join(f"{board.name} {format_line(board.board)}\n" for board in boards)


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


PEERS = {
    4: Solver("puzzle", ("-b",), _format_rows, r"^Solution: (\d+) moves"),
    5: Solver("parsearch", (), _format_commas, r"^\S+ +(\d+) +\d+ "),
}
"""By the side of the boards that they solve."""

HARD_24 = (40, 38, 44, 25, 32)


def peers(runs: int = 3, limit: int = 100, arguments: list[str] = NONE) -> Iterator[Figure]:
    """Other solvers that are on the PATH, beside ours: processor seconds of whole programs.

    --arguments says what each needs, above all where its databases are: "puzzle=-d 663.txt" or
    "parsearch=-d pdbs -m 22.fsm catalogues/best-single.cat". A wrong length ends the benchmark; a
    program that needs more than --limit processor seconds is killed, and has a row that says so.
    """
    given = dict(item.split("=", 1) for item in arguments)
    found = [peer.program for peer in PEERS.values() if shutil.which(peer.program)]
    print("found:", *found or ["none"])
    korf24 = read_korf50()
    sets = {"Korf's 100": read_korf100(), "17 boards at 80 moves": read_farthest15()}
    sets |= {f"Korf24 #{number}": [korf24[number]] for number in HARD_24}
    for name, boards in sets.items():
        goal = "blank-first" if boards[0].goal.blank == 0 else "blank-last"
        options = ("solve", "--goal", goal, "--jsonl")
        solvers = {"tilework": Solver(TILEWORK, options, _format_ours, r'"length": ?(\d+)')}
        peer = PEERS[boards[0].board.width]
        if peer.program in found:
            solvers[peer.program] = peer
        seconds: dict[str, list[float]] = {program: [] for program in solvers}
        for _ in range(runs):
            for program, solver in solvers.items():
                times = seconds[program]
                times.append(solver.solve(boards, given.get(program, ""), limit))
        for program, times in seconds.items():
            what = f"{name}: {program}"
            if max(times) == inf:
                yield Figure(what, limit, "s", details={"gave_up": True})
            else:
                details = {"least": min(times), "most": max(times)}
                yield Figure(what, median(times), "s", details=details)
