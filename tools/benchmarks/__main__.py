"""Run a benchmark, or all that take minutes, and record the figures.

``page`` writes the tables of the documents and draws the pictures. The rows of benchmarks that are
not run do not change.
"""

from __future__ import annotations

import subprocess
import sys
from types import GeneratorType
from typing import Annotated, Any

import typer

from tools.benchmarks.load import load
from tools.benchmarks.page import write_documents
from tools.benchmarks.pages import pages
from tools.benchmarks.peers import peers
from tools.benchmarks.record import Figure, format_row, record
from tools.benchmarks.service import farm, first_minute, hints
from tools.benchmarks.solver import fifteen, korf24, large

BENCHMARKS = (fifteen, korf24, large, farm, first_minute, hints, load, pages, peers)
"""Each yields figures; its parameters are the options of its command."""

SHORT = (
    *("fifteen", "large --limits 0.5 --limits 10", "hints", "first_minute --no-clone", "pages"),
    "page",
)


def record_figures(result: GeneratorType[Figure, Any, Any] | None, trial: bool) -> None:
    if result is not None:
        for figure in result:
            print(format_row(figure.row()), flush=True)
            if not trial:
                record(result.__name__, figure)


app = typer.Typer(
    help=__doc__,
    add_completion=False,
    pretty_exceptions_enable=False,
    result_callback=record_figures,
)
for benchmark in BENCHMARKS:
    app.command(benchmark.__name__)(benchmark)
app.command("page")(write_documents)


@app.callback(invoke_without_command=True)
def run_short(
    context: typer.Context,
    trial: Annotated[bool, typer.Option("--trial", help="Record nothing.")] = False,
) -> None:
    if context.invoked_subcommand is None:
        for arguments in SHORT:
            print(f"\n{arguments}", flush=True)
            options = ["--trial"] if trial else []
            command = [sys.executable, "-m", "tools.benchmarks", *options, *arguments.split()]
            subprocess.run(command, check=True)


if __name__ == "__main__":
    app()
