"""Arguments and options shared by several subcommands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from tilework.core.cli.console import wants_json
from tilework.core.formats.solutions import Mover, SolutionFormat
from tilework.core.lab.methods import ALGORITHMS, HEURISTICS
from tilework.core.model.search_names import ALGORITHM_NAMES, HEURISTIC_NAMES
from tilework.core.puzzle.goals import GoalName
from tilework.core.puzzle.metric import Metric
from tilework.core.solver.target import Algorithm, Heuristic, TargetKind

command_group = partial(
    typer.Typer, add_completion=False, no_args_is_help=True, rich_markup_mode=None
)
"""Creates a group of subcommands; its help is its summary in `SUBCOMMANDS`."""

option = partial(typer.Option, show_default=False)
"""Declares an option whose default is not shown in the help."""


def complete(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a completion of a name, or of the last of several that commas separate.

    A method, ``a-star:manhattan``, is completed part by part. Options with few values have an
    enumeration, which Typer completes by itself.
    """

    def suggest(incomplete: str) -> list[str]:
        before, comma, start = incomplete.rpartition(",")
        return [
            f"{before}{comma}{name}"
            for name in names
            if name.startswith(start) and name.count(":") <= start.count(":")
        ]

    return suggest


complete_method = complete(
    [
        *ALGORITHMS,
        *(
            f"{name}:{heuristic}"
            for name, facts in ALGORITHMS.items()
            if facts.informed
            for heuristic in HEURISTICS
        ),
    ]
)

BoardWords = Annotated[
    list[str],
    typer.Argument(
        metavar="BOARD|FILE|-",
        help="The board in any format, quoted or as several words; a text or .npy file that "
        "contains one; or - for standard input.",
        show_default=False,
    ),
]
GoalText = Annotated[
    str,
    typer.Option(
        "--goal",
        metavar="GOAL",
        autocompletion=complete(GoalName),
        help="blank-last, blank-first, spiral, columns, descending, or a board in any format.",
    ),
]
Width = Annotated[
    int | None, option(min=1, metavar="N", help="Number of columns of a board that is not square.")
]
TargetName = Annotated[
    TargetKind | None, option("--target", help="Required solution quality.  [default: optimal]")
]
MetricName = Annotated[
    Metric, typer.Option("--metric", help="What to minimize: moves of single tiles, or slides.")
]
Gap = Annotated[
    float | None,
    option(
        min=0,
        metavar="FRACTION",
        help="Stop when (length - bound) / bound is at most this: 0.1 for 10%.",
    ),
]
TimeLimit = Annotated[float | None, option(min=0, metavar="SECONDS", help="Time limit per board.")]
AlgorithmName = Annotated[
    str,
    typer.Option(
        "--algorithm",
        metavar="NAME",
        autocompletion=complete(ALGORITHM_NAMES),
        help=f"Search algorithm: {', '.join(Algorithm)}; `tilework solve` also takes the textbook "
        "searches listed by `tilework lab list`.",
    ),
]
HeuristicName = Annotated[
    str,
    typer.Option(
        "--heuristic",
        metavar="NAME",
        autocompletion=complete(HEURISTIC_NAMES),
        help=f"Heuristic: {', '.join(Heuristic)}; `tilework lab list` lists those of textbook "
        "searches.",
    ),
]
DatabasesFolder = Annotated[
    Path | None,
    option(
        "--databases",
        metavar="FOLDER",
        envvar="TILEWORK_PDB_DIR",
        help="Folder of the pattern databases.  [default: the current user's folder]",
    ),
]
Format = TypeVar("Format", bound=StrEnum)


def format_or_json(value: Format) -> Format:
    """Return the value of ``--format``, or ``json`` if ``--json`` was given."""
    return type(value)("json") if wants_json() else value


SolutionForm = Annotated[
    SolutionFormat,
    typer.Option("--format", callback=format_or_json, help="Format of the solution."),
]
MoverName = Annotated[
    Mover, typer.Option("--by", help="Name moves by the direction of the tile or of the blank.")
]

# Of textbook searches.
RunSeconds = Annotated[
    float, typer.Option("--time-limit", metavar="SECONDS", help="Time limit per run.")
]
RunNodes = Annotated[int, typer.Option("--node-limit", metavar="N", help="Node limit per run.")]
RunMemory = Annotated[
    int,
    typer.Option("--memory-limit", metavar="MiB", help="Memory limit for the nodes of each run."),
]
