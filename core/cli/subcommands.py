"""What the command line offers, in the order of its help, each with examples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from textwrap import fill
from typing import Final, NamedTuple

from tilework.core.cli.words import gettext_noop


class Subcommand(NamedTuple):
    """A subcommand: where its function is, what it does, and calls that show it."""

    target: str  # the module in this package, and the function or the group of subcommands
    summary: str
    examples: tuple[str, ...]
    section: str = ""  # of docs/cli.md; by default, that of its group


GROUPS: Final[dict[str, dict[str, Subcommand]]] = {
    gettext_noop("Solve and check"): {
        "solve": Subcommand(
            "solve.solve:solve",
            "Solve a board, or files of boards.",
            ('solve "8 6 7 / 2 5 4 / 3 0 1"', "solve --target any --time-limit 5 board.txt"),
            "solve-a-board",
        ),
        "check": Subcommand(
            "check:check",
            "Check whether a board is valid and solvable.",
            ('check "1 2 3 / 4 5 6 / 8 7 0"', "check --json board.txt"),
            "check-a-board",
        ),
        "hint": Subcommand(
            "solutions:hint",
            "Show which tile to move next.",
            ('hint "1 2 3 / 4 0 6 / 7 5 8"', "hint --lang pt board.txt"),
            "get-a-hint",
        ),
        "ways": Subcommand(
            "solutions:ways",
            "Count, list or draw all shortest solutions of a board.",
            ('ways "2 0 / 1 3"', "ways --list 3 board.txt"),
            "all-shortest-solutions",
        ),
        "moves": Subcommand(
            "analyse:moves",
            "Join, simplify or invert sequences of moves.",
            ('moves "1 2 3 / 4 5 6 / 7 0 8" LR L --simplify', "moves board.txt moves.txt --invert"),
            "sequences-of-moves",
        ),
        "verify": Subcommand(
            "solutions:verify",
            "Check a certificate of a solution.",
            ("verify certificate.json", "verify - < certificate.json"),
            "verify-a-certificate",
        ),
        "scramble": Subcommand(
            "check:scramble",
            "Print random solvable boards.",
            ("scramble 4x4", "scramble 3x3 --count 5 --seed 1"),
            "scramble",
        ),
        "embed": Subcommand(
            "check:embed",
            "Make a board a part of a larger one.",
            ('embed 4x4 "8 6 7 / 2 5 4 / 3 0 1"', "embed 5x4 board.txt --format grid"),
            "embed-a-board",
        ),
        "read-picture": Subcommand(
            "check:read_picture",
            "Read a board from a photo or a screenshot.",
            ("read-picture photo.jpg", "read-picture --json photo.jpg"),
            "read-a-board-from-a-picture",
        ),
    },
    gettext_noop("Learn"): {
        "compare": Subcommand(
            "lab.compare:compare",
            "Run textbook searches on a board, side by side.",
            (
                'compare "1 2 3 / 4 0 6 / 7 5 8"',
                "compare --method a-star --method ida-star board.txt",
            ),
            "compare-searches",
        ),
        "lab": Subcommand(
            "lab.lab:app",
            "List the lab's searches, or show the steps of one.",
            ("lab list", 'lab trace --method a-star:manhattan "1 2 3 / 4 0 6 / 7 5 8"'),
            "a-search-step-by-step",
        ),
        "analyse": Subcommand(
            "analyse:analyse",
            "Show the wasted moves in a game, and better ones.",
            ('analyse "1 2 3 / 4 5 6 / 7 0 8" LRL', "analyse board.txt moves.txt"),
            "analyse-a-game",
        ),
    },
    gettext_noop("Use a server"): {
        "submit": Subcommand(
            "jobs:submit",
            "Submit a board to a server.",
            ('submit "8 6 7 / 2 5 4 / 3 0 1"', "submit --server https://tiles.example board.txt"),
        ),
        "status": Subcommand(
            "jobs:status", "Show the state of a job.", ("status JOB", "status --json JOB")
        ),
        "wait": Subcommand(
            "jobs:wait",
            "Wait for a job and print its solution.",
            ("wait JOB", "wait --format arrows JOB"),
        ),
        "certificate": Subcommand(
            "jobs:certificate",
            "Print the certificate of a job.",
            (
                "certificate JOB > certificate.json",
                "certificate --server https://tiles.example JOB",
            ),
        ),
        "cancel": Subcommand("jobs:cancel", "Cancel a job.", ("cancel JOB", "cancel --json JOB")),
    },
    gettext_noop("Run the system"): {
        "up": Subcommand(
            "system.up:up",
            "Run the whole system on this machine.",
            ("up", "up --port 9000 --workers 2"),
        ),
        "web": Subcommand(
            "system.processes:web",
            "Run the web server: pages and API.",
            ("web", "web --host 0.0.0.0 --port 8000"),
        ),
        "worker": Subcommand(
            "system.processes:worker", "Run one worker.", ("worker", "worker --queues search")
        ),
        "doctor": Subcommand(
            "system.doctor:doctor",
            "Check the database, broker, disk and processors.",
            ("doctor", "doctor --json"),
        ),
        "keys": Subcommand(
            "system.database:keys",
            "Create, list and revoke API keys.",
            ("keys create laboratory", "keys list"),
        ),
        "db": Subcommand(
            "system.database:app",
            "Migrate, check, back up or restore the database.",
            ("db upgrade", "db backup tilework.backup"),
        ),
        "audit": Subcommand(
            "system.database:audit",
            "Look for damaged rows in the database.",
            ("audit", "audit --json"),
        ),
        "pdb": Subcommand(
            "system.pdb:app",
            "List, build and verify pattern databases.",
            ("pdb list", "pdb build 4x4-6-6-3"),
            "pattern-databases",
        ),
    },
}

SUBCOMMANDS: Final = {
    name: entry._replace(section=entry.section or title.lower().replace(" ", "-"))
    for title, group in GROUPS.items()
    for name, entry in group.items()
}

TITLE: Final = gettext_noop("Solve sliding-tile puzzles, with proven bounds.")
LANGUAGE_HELP: Final = gettext_noop("Language of output and errors; also TILEWORK_LANG.")
JSON_HELP: Final = gettext_noop("Print the result as JSON.")

_OPTIONS: Final = {
    "--version": gettext_noop("Print the version."),
    "--lang en|pt": LANGUAGE_HELP,
    "--json": JSON_HELP,
    "--install-completion": gettext_noop("Install completion for the current shell."),
    "--show-completion": gettext_noop("Show completion for the current shell, to copy it."),
    "-h, --help": gettext_noop("Show this message."),
}
_MORE: Final = {"help COMMAND": gettext_noop("Show examples and options of a command.")}
_COLUMNS: Final = 80


def overview(gettext: Callable[[str], str] = str) -> str:
    """Return the help of the command itself, which is printed without loading a library."""
    sections = {
        gettext_noop("Options"): _OPTIONS,
        **{
            title: {name: entry.summary for name, entry in group.items()}
            for title, group in GROUPS.items()
        },
        gettext_noop("More"): _MORE,
    }

    def lines() -> Iterator[str]:
        yield gettext(gettext_noop("Usage: tilework [OPTIONS] COMMAND [ARGUMENTS]..."))
        yield f"\n  {gettext(TITLE)}"
        for title, entries in sections.items():
            yield f"\n{gettext(title)}:"
            indent = max(map(len, entries)) + 4
            for name, text in entries.items():
                start = f"  {name:<{indent - 2}}"
                yield fill(start + gettext(text), _COLUMNS, subsequent_indent=" " * indent)

    return "\n".join(lines())
