"""Whether a goal can be reached, and why, in words for people.

The textbook's argument, for any goal: number the tiles by their order in the goal (row by row,
without the blank). A sideways move leaves that order alone. A move up or down carries a tile
past ``width − 1`` others, which changes the parity of the inversions where the width is even.
So the inversions (width odd), or the inversions plus the rows between the blank and its goal row
(width even), keep their parity, and at the goal they are 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.errors import BoardError, OptionError, UnsolvableError
from core.puzzle.board import Board
from core.puzzle.distance import inverse


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parity argument for one board.

    Attributes
    ----------
    inversions : int
        Pairs of tiles that stand in the other order than in the goal.
    blank_row : int
        The blank's row, from 1.
    blank_distance : int
        Rows between the blank and its goal row.
    sum : int
        What has to be even: the inversions, plus ``blank_distance`` where the width is even.
    words : str
        The argument as sentences.
    """

    solvable: bool
    inversions: int
    blank_row: int
    blank_distance: int
    sum: int
    words: str


_PHRASES = {
    "en": {
        "line": "On a board one cell wide or high the tiles can never pass each other. ",
        "line_yes": "They stand in the goal's order, so the goal can be reached.",
        "line_no": "They do not stand in the goal's order, so the goal cannot be reached.",
        "inversions": (
            "Inversions (pairs of tiles in the other order than in the goal): {inversions}. "
        ),
        "odd_width": (
            "The width, {width}, is odd: no move changes whether that number is even or odd, "
            "and at the goal it is 0. "
        ),
        "even_width": (
            "The blank is in row {blank_row} and its goal row is {goal_row}: distance "
            "{blank_distance}. The width, {width}, is even: no move changes whether inversions "
            "plus distance is even or odd, and at the goal it is 0. "
            "The sum is {inversions} + {blank_distance} = {sum}. "
        ),
        "yes": "{sum} is even, so the goal can be reached.",
        "no": "{sum} is odd, so the goal cannot be reached.",
    },
    "pt": {
        "line": (
            "Num tabuleiro com uma só casa de largura ou de altura, as peças nunca passam umas "
            "pelas outras. "
        ),
        "line_yes": "Estão na ordem do objetivo, logo o objetivo pode ser alcançado.",
        "line_no": "Não estão na ordem do objetivo, logo o objetivo não pode ser alcançado.",
        "inversions": (
            "Inversões (pares de peças em ordem contrária à do objetivo): {inversions}. "
        ),
        "odd_width": (
            "A largura, {width}, é ímpar: nenhuma jogada muda a paridade desse número, "
            "e no objetivo ele é 0. "
        ),
        "even_width": (
            "O espaço vazio está na linha {blank_row} e a sua linha no objetivo é a {goal_row}: "
            "distância {blank_distance}. A largura, {width}, é par: nenhuma jogada muda a paridade "
            "de inversões mais distância, e no objetivo a soma é 0. "
            "A soma é {inversions} + {blank_distance} = {sum}. "
        ),
        "yes": "{sum} é par, logo o objetivo pode ser alcançado.",
        "no": "{sum} é ímpar, logo o objetivo não pode ser alcançado.",
    },
}


def is_solvable(start: Board, goal: Board) -> bool:
    """Whether moves lead from start to goal; linear in the cells.

    Raises
    ------
    BoardError
        If the two differ in size.
    """
    return start.is_solvable(goal)


def check_solvable(start: Board, goal: Board) -> None:
    """Refuse a board whose goal is out of reach.

    Raises
    ------
    BoardError
        If the two differ in size.
    UnsolvableError
        With the explanation.
    """
    if start.size != goal.size:
        raise BoardError(f"a goal of {goal.size} does not fit a board of {start.size}")
    if not is_solvable(start, goal):
        raise UnsolvableError(
            f"this board of {start.size} cannot reach its goal", explain(start, goal).words
        )


def explain(start: Board, goal: Board, language: str = "en") -> Explanation:
    """Give the parity argument with its numbers, in English (``en``) or Portuguese (``pt``).

    Takes O(n log n) for n cells.

    Raises
    ------
    BoardError
        If the two differ in size.
    OptionError
        At any other language.
    """
    if language not in _PHRASES:
        raise OptionError(f"{language[:20]!r} is not a language; languages are en, pt")
    if start.size != goal.size:
        raise BoardError(f"a goal of {goal.size} does not fit a board of {start.size}")
    width = start.width
    inversions = count_inversions(_ranks(start, goal))
    row, goal_row = start.blank // width, goal.blank // width
    distance = abs(row - goal_row)
    total = inversions + (distance if width % 2 == 0 else 0)
    numbers = {
        "inversions": inversions,
        "blank_row": row + 1,
        "goal_row": goal_row + 1,
        "blank_distance": distance,
        "sum": total,
        "width": width,
    }
    if 1 in start.size:
        solvable = inversions == 0
        parts = ["line", "line_yes" if solvable else "line_no"]
    else:
        solvable = total % 2 == 0
        parts = [
            "inversions",
            "even_width" if width % 2 == 0 else "odd_width",
            "yes" if solvable else "no",
        ]
    words = "".join(_PHRASES[language][part] for part in parts).format_map(numbers)
    return Explanation(solvable, inversions, row + 1, distance, total, words)


def _ranks(start: Board, goal: Board) -> NDArray[np.int32]:
    """The start's tiles in reading order, each as its place in the goal's order, from 0."""
    places = inverse(goal.cells)
    ranks: NDArray[np.int32] = places[start.cells[start.cells != 0]]
    ranks -= ranks > goal.blank
    return ranks


def count_inversions(ranks: NDArray[np.integer]) -> int:
    """Count pairs that stand in descending order in a permutation of ``0 .. n-1``.

    Bit by bit from the highest: among the numbers that agree in all higher bits, which lie
    together and in their first order, each 1 before a 0 is an inversion; then zeros and ones
    are parted, keeping their order. That is log2(n) passes of array operations.
    """
    count = ranks.size
    values = ranks.astype(np.int64)
    places = np.arange(count, dtype=np.int64)
    inversions = 0
    for bit in reversed(range(max(count - 1, 0).bit_length())):
        ones = values >> bit & 1
        ones_before = np.cumsum(ones) - ones
        group_starts = values >> (bit + 1) << (bit + 1)
        ones_in_group_before = ones_before - ones_before[group_starts]
        zeros = ones == 0
        inversions += int(ones_in_group_before[zeros].sum())
        zeros_in_group_before = places - group_starts - ones_in_group_before
        targets = np.where(
            zeros,
            group_starts + zeros_in_group_before,
            group_starts + (1 << bit) + ones_in_group_before,
        )
        parted = np.empty_like(values)
        parted[targets] = values
        values = parted
    return inversions
