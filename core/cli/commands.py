"""The command ``tilework``: its subcommands and error handling."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any, Final, NoReturn

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from tilework.core.cli.console import (
    ExitCode,
    exit_code_for,
    print_error,
    print_note,
    set_language,
    solvable_for,
)
from tilework.core.errors import TileworkError, UnsolvableError
from tilework.core.messages import Language, Message

SUBCOMMANDS: Final = {
    "solve": ("solve:solve", "Solve a board, or a file of boards."),
    "hint": ("solutions:hint", "Show which tile to move next."),
    "ways": ("solutions:ways", "Count, list or draw all shortest solutions of a board."),
    "slides": (
        "solutions:slides",
        "Solve a board in the fewest slides of one or more tiles.",
    ),
    "check": ("check:check", "Check whether a board is valid and solvable."),
    "scramble": ("check:scramble", "Print random solvable boards."),
    "read-picture": ("check:read_picture", "Read a board from a photo or a screenshot."),
    "analyse": ("analyse:analyse", "Show the wasted moves in a game, and better ones."),
    "compare": ("compare:compare", "Run textbook searches on a board, side by side."),
    "lab": ("lab:app", "List the lab's searches, run one, or show its steps."),
    "verify": ("solutions:verify", "Check a certificate of a solution."),
    "submit": ("jobs:submit", "Submit a board to a server."),
    "status": ("jobs:status", "Show the state of a job."),
    "wait": ("jobs:wait", "Wait for a job and print its solution."),
    "certificate": ("jobs:certificate", "Print the certificate of a job."),
    "cancel": ("jobs:cancel", "Cancel a job."),
    "stats": ("jobs:stats", "Show statistics of a server."),
    "up": ("up:up", "Run the whole system on this machine."),
    "web": ("processes:web", "Run the web server: pages and API."),
    "worker": ("processes:worker", "Run one worker."),
    "keys": ("database:keys", "Create, list and revoke API keys."),
    "pdb": ("pdb:app", "List, build and verify pattern databases."),
    "audit": ("database:audit", "Look for damaged rows in the database."),
    "doctor": ("doctor:doctor", "Check the database, broker, disk and processors."),
    "db": ("database:app", "Migrate, check, back up or restore the database."),
}


class Subcommands(TyperGroup):
    """The group of all subcommands, which imports only the one that is invoked."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for name, (_, summary) in SUBCOMMANDS.items():
            self.add_command(TyperCommand(name, help=summary))

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, command, remaining = super().resolve_command(ctx, args)
        return name, command if name is None else _load(name), remaining


def _load(name: str) -> object:
    module, _, attribute = SUBCOMMANDS[name][0].partition(":")
    loaded = getattr(import_module(f"tilework.core.cli.{module}"), attribute)
    if not isinstance(loaded, typer.Typer):
        wrapper = typer.Typer(add_completion=False, rich_markup_mode=None)
        wrapper.command(name)(loaded)
        loaded = wrapper
    command = get_command(loaded)
    # The language can be chosen before or after the name of a subcommand.
    _add_option(
        command, next(option for option in get_command(app).params if option.name == "lang")
    )
    return command


def _add_option(command: Any, option: Any) -> None:
    command.params.append(option)
    if isinstance(command, TyperGroup):
        for subcommand in command.commands.values():
            _add_option(subcommand, option)


def _print_version(requested: bool) -> None:
    if requested:
        from importlib.metadata import version

        print(f"tilework {version('tilework')}")
        raise typer.Exit


app = typer.Typer(
    cls=Subcommands,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback()
def tilework(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version."
        ),
    ] = False,
    lang: Annotated[
        Language | None,
        typer.Option(
            "--lang",
            # Parsed first, because errors in other options are reported in this language.
            is_eager=True,
            expose_value=False,
            callback=set_language,
            help="Language of output and errors.  [default: en]",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Solve sliding-tile puzzles, with proven bounds."""


def run(words: Sequence[str]) -> NoReturn:
    """Run a command; expected errors print one sentence and set the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # e.g. on a Latin-1 terminal
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    elif sys.stdin is None:  # closed by the caller
        sys.stdin = open(os.devnull)  # noqa: SIM115
    sys.exit(_run(words))


def _run(words: Sequence[str]) -> int:
    set_language(Language.ENGLISH)
    command = next((word for word in words if word in SUBCOMMANDS), "")
    try:
        app(list(words))
    except SystemExit as exit_:
        cause = exit_.__context__
        if isinstance(cause, BrokenPipeError):
            return discard_output(cause)
        code = exit_.code if isinstance(exit_.code, int) else ExitCode.ANSWERED
        if isinstance(getattr(cause, "__cause__", None), KeyboardInterrupt):
            print(file=sys.stderr)
            print_error(
                Message(
                    "command-interrupted", "“tilework {command}” was interrupted", command=command
                )
            )
    except TileworkError as error:
        print_error(error.message)
        if isinstance(error, UnsolvableError):
            if error.reachable_goals:
                print_note(solvable_for(error.reachable_goals))
            if error.explanation:
                print_note(error.explanation)
        code = exit_code_for(error)
    except Exception as error:
        if isinstance(error, OSError) and error.filename is None and error.errno in _WRITE_ERRORS:
            return discard_output(error)
        from tilework.core.logs import one_line

        # No traceback, because it could reveal secrets in URLs and headers.
        what, where = one_line(error)
        print_error(
            Message(
                "unexpected",
                "this is a bug in Tilework; please report it: {what} ({where})",
                what=" ".join(what.split()),
                where=where,
            )
        )
        code = ExitCode.INTERNAL
    try:
        sys.stdout.flush()
    except OSError as error:
        return discard_output(error)
    return code


_WRITE_ERRORS: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})


def discard_output(error: OSError) -> int:
    """Discard output that cannot be written; without a message if it was piped to ``head``."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    if isinstance(error, BrokenPipeError):
        return ExitCode.BROKEN_PIPE
    print_error(
        Message("output", "the output or a file cannot be written: {reason}", reason=error.strerror)
    )
    return ExitCode.BAD_INPUT
