"""What a shell completes: the names that an argument or an option takes.

Options with few values have an enumeration, which Typer completes by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def complete(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return a completion of a name, or of the last of several that commas separate.

    A method, ``a-star:manhattan``, is completed part by part.
    """

    def suggest(incomplete: str) -> list[str]:
        before, comma, start = incomplete.rpartition(",")
        return [
            f"{before}{comma}{name}"
            for name in names()
            if name.startswith(start) and name.count(":") <= start.count(":")
        ]

    return suggest


# Imported here, because only a completion needs them all.


def goals() -> Iterable[str]:
    from tilework.core.puzzle.goals import GoalName

    return GoalName


def algorithms() -> Iterable[str]:
    from tilework.core.model.search_names import ALGORITHM_NAMES

    return ALGORITHM_NAMES


def heuristics() -> Iterable[str]:
    from tilework.core.model.search_names import HEURISTIC_NAMES

    return HEURISTIC_NAMES


def lab_algorithms() -> Iterable[str]:
    from tilework.core.lab.methods import ALGORITHMS

    return ALGORITHMS


def lab_heuristics() -> Iterable[str]:
    from tilework.core.lab.methods import HEURISTICS

    return HEURISTICS


def methods() -> Iterator[str]:
    from tilework.core.lab.methods import ALGORITHMS, HEURISTICS

    for name, facts in ALGORITHMS.items():
        yield name
        if facts.informed:
            yield from (f"{name}:{heuristic}" for heuristic in HEURISTICS)


def columns() -> Iterable[str]:
    from tilework.core.formats.downloads import RUN_COLUMNS

    return RUN_COLUMNS


def databases() -> Iterator[str]:
    from tilework.core.solver.pdb.files import table_name
    from tilework.core.solver.pdb.partitions import DEFAULT_SIZES, partitions_for

    for size in DEFAULT_SIZES:
        yield from map(table_name, partitions_for(size))
