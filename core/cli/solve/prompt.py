"""``tilework solve -`` on a terminal: ask for a board, solve it, ask for the next."""

from __future__ import annotations

import contextlib
import sys

from tilework.core.cli import phrases
from tilework.core.cli.exits import ExitCode
from tilework.core.cli.language import say
from tilework.core.cli.solve.answers import AnswerStyle
from tilework.core.cli.solve.one import solve_one
from tilework.core.cli.solve.searching import SearchOptions
from tilework.core.errors import InputError

_EXAMPLE = "0 1 3 4 2 5 7 8 6"


def solve_prompted(
    goal_text: str, width: int | None, options: SearchOptions, style: AnswerStyle
) -> ExitCode:
    """Solve what is typed until an empty line or the end of input.

    Ctrl-C during a search ends that search; at the prompt it ends the command.
    """
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - gives input() its line editing and history

    print(say(phrases.welcome()), file=sys.stderr)
    print(say(phrases.example(_EXAMPLE)), file=sys.stderr)
    while text := _ask(say(phrases.prompt())):
        try:
            solve_one([text], goal_text, width, options, style)
        except InputError as error:
            print(say(error.message), file=sys.stderr)
    return ExitCode.ANSWERED


def _ask(prompt: str) -> str:
    """Read a line; after a lone side length (a pasted Princeton file), its rows too."""
    first = _read_line(prompt)
    if not first.isdecimal() or int(first) < 2:
        return first
    rows = [_read_line("") for _ in range(int(first))]
    return "\n".join([first, *rows])


def _read_line(prompt: str) -> str:
    try:
        return input(prompt).strip()
    except EOFError:
        print(file=sys.stderr)
        return ""
