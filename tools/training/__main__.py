"""``python -m tools.training``: train the learned potential and write its weights file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich import print as say

from tilework.core.solver.large.learned.potential import WEIGHTS_FILE, save
from tools.training.rounds import ROUNDS, train


def main(
    output: Annotated[Path, typer.Option(help="Weights file to write.")] = WEIGHTS_FILE,
    seed: Annotated[int, typer.Option(help="The same seed gives the same weights.")] = 1,
    threads: Annotated[int, typer.Option(help="Threads to use.")] = 2,
) -> None:
    """Train the learned potential from scratch."""
    potential = train(ROUNDS, seed, threads, say)
    save(potential, output, {"seed": seed, "quick": False})
    say(f"{output}: {output.stat().st_size} bytes")


typer.run(main)
