"""Facts and rows for people: drawn by rich on a terminal, plain text in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence

from tilework.core.cli.language import say_words

Columns = Sequence[str] | Mapping[str, str]


def print_fields(fields: Mapping[str, str]) -> None:
    """Print a name and its value on each line; in a pipe the values begin at one column."""
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        table = Table(box=None, show_header=False, pad_edge=False)
        table.add_column(style="bold")
        table.add_column(overflow="fold")
        for name, value in fields.items():
            table.add_row(name, value)
        Console(highlight=False, markup=False).print(table)
        return
    indent = max(map(len, fields), default=0) + 2
    for name, value in fields.items():
        print(f"{name:<{indent}}{value}")


def yes_or_no(holds: bool) -> str:
    """Write a truth for people."""
    return say_words("yes") if holds else say_words("no")


def print_rows(columns: Sequence[str] | Mapping[str, str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table; in a pipe a header line and tabs between the columns.

    Parameters
    ----------
    columns : mapping of str to str, or sequence of str
        Names, which in a pipe are the same in every language; their headings for people.
    """
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.table import Table

        told = map(say_words, columns.values()) if isinstance(columns, Mapping) else columns
        table = Table(*told)
        for row in rows:
            table.add_row(*row)
        Console(highlight=False, markup=False).print(table)
        return
    print("\t".join(columns))
    for row in rows:
        print("\t".join(row))
