"""The subcommands by name; each one's module is imported when it is called, not before.

So help for all of them, or a check of one board, starts without Numba, SQLAlchemy or an HTTP
client, which saves half a second per call.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from tilework.core.cli.language import let_choose

SUBCOMMANDS: Final = {
    "solve": ("tilework.core.cli.solve.command:solve", "Solve a board, or a file of boards."),
    "hint": ("tilework.core.cli.hint:hint", "Say which tile to move next."),
    "ways": (
        "tilework.core.cli.ways.ways:ways",
        "Count, list or draw all shortest solutions of a board.",
    ),
    "slides": (
        "tilework.core.cli.ways.slides:slides",
        "Solve a board in the fewest slides of several tiles.",
    ),
    "check": ("tilework.core.cli.check:check", "Say whether a board is valid and solvable."),
    "scramble": ("tilework.core.cli.scramble:scramble", "Print random solvable boards."),
    "read-picture": (
        "tilework.core.cli.read_picture:read_picture",
        "Read a board from a photo or a screenshot.",
    ),
    "analyse": (
        "tilework.core.cli.analyse.command:analyse",
        "Say where a game lost moves, and the better way.",
    ),
    "compare": (
        "tilework.core.cli.lab.compare:compare",
        "Run textbook searches on a board, side by side.",
    ),
    "lab": (
        "tilework.core.cli.lab.command:app",
        "List the lab's searches, run one, or show its steps.",
    ),
    "verify": ("tilework.core.cli.solve.verify:verify", "Check a certificate of a solution."),
    "submit": ("tilework.core.cli.remote.commands:submit", "Give a server a board to solve."),
    "status": ("tilework.core.cli.remote.commands:status", "Show where a job stands."),
    "wait": ("tilework.core.cli.remote.commands:wait", "Wait for a job and print its solution."),
    "certificate": (
        "tilework.core.cli.remote.commands:certificate",
        "Print what proves a job's solution.",
    ),
    "cancel": ("tilework.core.cli.remote.commands:cancel", "Cancel a job."),
    "stats": ("tilework.core.cli.remote.commands:stats", "Show what a server has solved so far."),
    "up": ("tilework.core.cli.system.up:up", "Run the whole system on this machine."),
    "web": ("tilework.core.cli.system.roles:web", "Serve the page and the API."),
    "worker": ("tilework.core.cli.system.roles:worker", "Run one worker."),
    "keys": ("tilework.core.cli.system.keys:app", "Create, list and revoke API keys."),
    "pdb": ("tilework.core.cli.system.pdb:app", "List, build and verify pattern databases."),
    "audit": ("tilework.core.cli.system.audit:audit", "Look for damaged rows in the database."),
    "doctor": (
        "tilework.core.cli.doctor.command:doctor",
        "Say what is wrong here, and what to do.",
    ),
    "db": (
        "tilework.core.cli.system.database:app",
        "Migrate, check, back up or restore the database.",
    ),
}


class Subcommands(TyperGroup):
    """The group of all subcommands: it lists their names and loads the one that is called."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for name, (_, summary) in SUBCOMMANDS.items():
            self.add_command(TyperCommand(name, help=summary))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the subcommand that the arguments begin with."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command if name is None else _load(name), rest


def _load(name: str) -> object:
    module, _, attribute = SUBCOMMANDS[name][0].partition(":")
    found = getattr(import_module(module), attribute)
    if not isinstance(found, typer.Typer):
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(name)(found)
        found = alone
    command = get_command(found)
    let_choose(command)
    return command
