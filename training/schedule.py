"""The rounds of training: what examples are made with which potential, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass

from training.lessons import Lesson


@dataclass(frozen=True, slots=True)
class Round:
    """Examples, and a fit to them.

    Attributes
    ----------
    lessons : tuple of Lesson
        Made with the potential of the round before.
    keeps : int
        Rounds before this one whose examples are used as well.
    iterations : int
        Of the fit.
    """

    lessons: tuple[Lesson, ...]
    keeps: int = 0
    iterations: int = 100


ROUNDS = (
    # Manhattan distance leads a beam nowhere: the first solutions are those of pattern databases.
    Round((Lesson(5, 400, 3000, by_databases=True),), iterations=80),
    Round(
        (
            Lesson(5, 150, 1000, 4),
            Lesson(6, 100, 1500, 4),
            Lesson(7, 60, 1500, 6),
            Lesson(8, 40, 1500, 8),
            Lesson(10, 16, 1500, 12),
        ),
        keeps=1,
    ),
    Round(
        (
            Lesson(5, 150, 1000, 4),
            Lesson(6, 150, 2000, 4),
            Lesson(7, 80, 2000, 6),
            Lesson(8, 60, 2000, 8),
            Lesson(10, 30, 2000, 12),
            Lesson(12, 10, 1500, 16),
        ),
        keeps=1,
    ),
)
"""Each round is about as long as the sum of all before it."""

QUICK = (
    Round((Lesson(5, 8, 200, by_databases=True),), iterations=10),
    Round((Lesson(5, 4, 200, 4), Lesson(6, 2, 200, 8)), keeps=1, iterations=5),
)
"""For a test: seconds, and worse weights."""
