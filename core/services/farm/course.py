"""What a job asks for: an algorithm, and the heuristic that it is to search with."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=True, slots=True)
class Course:
    """An algorithm with its heuristic; jobs of one course on one puzzle share its opening.

    Written ``algorithm:heuristic``, as in ``auto:auto``.
    """

    algorithm: str
    heuristic: str

    @classmethod
    def parse(cls, text: str) -> Course:
        """Read what ``str`` has written.

        Raises
        ------
        ValueError
            If there is not one colon.
        """
        algorithm, heuristic = text.split(":")
        return cls(algorithm, heuristic)

    def __str__(self) -> str:
        return f"{self.algorithm}:{self.heuristic}"
