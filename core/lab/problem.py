"""The puzzle as a search problem: states, moves between them, and nodes on paths.

A state is a tuple of tiles, row by row, 0 for the blank. Successors are generated in the order in
which the *blank* moves up, down, left, right. Move codes name the direction of the tile, as in the
rest of Tilework.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from tilework.core.lab.result import State
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.moves import DOWN, LEFT, RIGHT, UP, Moves, blank_steps, legal_moves

Heuristic = Callable[[State], float]  # estimates the moves from a state to the goal


class Node:
    """A state and the path that led to it.

    Attributes
    ----------
    parent : Node or None; None for the root
    move : int; code of the move from the parent; -1 for the root
    g, h : int, float; moves made, and estimated moves to the goal
    number : int; order of generation, 0 for the root; set by the meter
    """

    __slots__ = ("g", "h", "move", "number", "parent", "state")

    backward = False

    def __init__(self, state: State, parent: Node | None, move: int, g: int) -> None:
        self.state = state
        self.parent = parent
        self.move = move
        self.g = g
        self.h: float = 0
        self.number = 0

    def path(self) -> list[Node]:
        nodes = [self]
        while (parent := nodes[-1].parent) is not None:
            nodes.append(parent)
        nodes.reverse()
        return nodes

    def moves(self) -> Moves:
        return np.array([node.move for node in self.path()[1:]], dtype=np.uint8)


class Problem:
    """A start, a goal, and the moves of a board of their size."""

    def __init__(self, start: Board, goal: Board) -> None:
        self.start: State = tuple(start.cells.tolist())
        self.goal: State = tuple(goal.cells.tolist())
        self.width, self.height = start.size
        # By the blank's cell, pairs of a move code and the cell that the blank moves to
        self._blank_moves = tuple(
            tuple(_blank_moves(cell, self.width, self.height)) for cell in range(start.size.cells)
        )

    def root(self) -> Node:
        return Node(self.start, None, -1, 0)

    def successors(self, node: Node) -> Iterator[Node]:
        """Yield the successors of a node: the blank moves up, down, left, right where possible."""
        state, g, make = node.state, node.g + 1, type(node)
        blank = state.index(0)
        for move, cell in self._blank_moves[blank]:
            tiles = list(state)
            tiles[blank], tiles[cell] = tiles[cell], 0
            yield make(tuple(tiles), node, move, g)

    def successors_except_undo(self, node: Node) -> Iterator[Node]:
        """Yield the successors of a node, except the one that undoes its move."""
        state, g, make = node.state, node.g + 1, type(node)
        blank, undo = state.index(0), node.move ^ 1
        for move, cell in self._blank_moves[blank]:
            if move != undo:
                tiles = list(state)
                tiles[blank], tiles[cell] = tiles[cell], 0
                yield make(tuple(tiles), node, move, g)


def _blank_moves(cell: int, width: int, height: int) -> Iterator[tuple[int, int]]:
    legal = legal_moves(cell, width, height)
    steps = blank_steps(width)
    for move in (DOWN, UP, RIGHT, LEFT):
        if legal >> move & 1:
            yield move, cell + steps[move]
