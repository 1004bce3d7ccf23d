"""The rounds of training: what examples are made with which potential, and what is kept."""

from __future__ import annotations

from dataclasses import dataclass

from tools.training.lessons import Lesson


@dataclass(frozen=True, slots=True)
class Round:
    lessons: tuple[Lesson, ...]
    also: tuple[int, ...] = ()
    iterations: int = 100


ROUNDS = (
    # Manhattan distance leads a beam nowhere: the first solutions are those of pattern databases.
    Round((Lesson(5, 400, 3000, by_databases=True),), iterations=80),
    Round(
        (
            Lesson(5, 150, 1000, 4),
            Lesson(6, 100, 1500, 4),
            Lesson(7, 50, 1500, 6),
            Lesson(8, 30, 1500, 8),
        ),
        also=(0,),
    ),
    Round(
        (
            Lesson(5, 100, 1000, 4),
            Lesson(6, 120, 2000, 4),
            Lesson(7, 60, 2000, 6),
            Lesson(8, 50, 2000, 8),
            Lesson(10, 24, 2000, 12),
            Lesson(12, 8, 1500, 16),
        ),
        also=(0,),
    ),
    Round(
        (
            Lesson(6, 120, 3000, 4),
            Lesson(8, 70, 3000, 8),
            Lesson(10, 36, 3000, 12),
            Lesson(12, 20, 2500, 12),
            Lesson(16, 8, 2000, 24),
        ),
        also=(0,),
    ),
    Round(
        (
            Lesson(5, 100, 3000, 4),
            Lesson(6, 120, 5000, 4),
            Lesson(8, 70, 4000, 8),
            Lesson(10, 36, 4000, 12),
            Lesson(12, 24, 3000, 12),
            Lesson(16, 12, 3000, 24),
            Lesson(20, 5, 2000, 40),
        ),
        also=(0,),
    ),
)
"""Longer boards as the potential comes to solve them, and wider beams."""
