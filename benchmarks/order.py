"""What the order of promise saves under the last threshold, where no beam has spared it.

Usage: python -m benchmarks.order [--boards NUMBER ...]

Of Korf's 24-puzzles: the nodes until a solution is met under the threshold of the optimal length,
of the tree as it comes and of the tree as a worker puts it in order.
"""

from __future__ import annotations

import argparse
import time
from functools import partial
from itertools import zip_longest
from pathlib import Path

from benchmarks.instances import Instance, korf50
from benchmarks.ready_pdb import ready_pdb_folder
from benchmarks.report import Figure, record
from tilework.core.puzzle.board import Size
from tilework.core.solver.optimal.choice import engine_for
from tilework.core.solver.optimal.cursor import Cursor
from tilework.core.solver.optimal.ordering import order_tree
from tilework.core.solver.optimal.slice import search_slice, tree_from_board, tree_from_goal
from tilework.core.solver.work_unit import SliceOutcome

BOARDS = (40, 38, 44, 25, 32, 28, 22, 36, 29)
WHOLE = 1 << 60


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, nargs="+", default=BOARDS, metavar="NUMBER")
    numbers = parser.parse_args().boards
    folder = ready_pdb_folder(Size(5, 5))
    boards = [one for one in korf50() if one.number in numbers]
    before = after = took = 0.0
    for board in boards:
        plain = _nodes(board, Cursor.root(), folder)
        began = time.perf_counter()
        tree = tree_from_board(board.board, board.goal, engine_for(board.goal, folder))
        other = partial(tree_from_goal, board.board, board.goal, tree.engine, folder)
        found = order_tree(tree, other, board.length, cancelled=_never)
        took += time.perf_counter() - began
        ordered = _nodes(board, Cursor.root() if found is None else _in_turn(found), folder)
        print(f"#{board.number:02} {plain:>15,} {ordered:>15,}", flush=True)
        before, after = before + plain, after + ordered
    names = " ".join(f"#{board.number:02}" for board in boards)
    figures = [
        Figure(f"{names}: under the last threshold, as the tree comes", before / 1e6, "M nodes"),
        Figure("the same in the order of promise", after / 1e6, "M nodes"),
        Figure("share", 100 * after / before, "%"),
        Figure("to make an order, mean", took / len(boards), "s"),
    ]
    record("order", figures, notes="No beams; up to the first solution. Nodes are exact.")


def _nodes(board: Instance, cursor: Cursor, folder: Path) -> int:
    start, goal, threshold = board.board, board.goal, board.length
    outcome = search_slice(start, goal, threshold, cursor, WHOLE, pdb_folder=folder)
    assert outcome.moves is not None
    return outcome.nodes


def _in_turn(found: SliceOutcome) -> Cursor:
    """Return the parts of an order as one, which takes from each in turn."""
    parts = [Cursor.from_bytes(piece.cursor).positions for piece in found.remaining]
    turns = tuple(one for row in zip_longest(*parts) for one in row if one is not None)
    return Cursor(turns, Cursor.from_bytes(found.remaining[0].cursor).goal_blank)


def _never() -> bool:
    return False


if __name__ == "__main__":
    main()
