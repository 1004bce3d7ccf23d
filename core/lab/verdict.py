"""Whether a run's solution is a shortest one, by its own promise or by other runs."""

from __future__ import annotations

from collections.abc import Iterable

from tilework.core.lab.method import Method


def proved_length(runs: Iterable[tuple[Method, int | None]]) -> int | None:
    """Return the optimal length of a board, of which these are runs.

    Parameters
    ----------
    runs : iterable of (Method, int or None)
        Each method with the length of the solution that it found.

    Returns
    -------
    int or None
        None where no method that promises a shortest solution found one.
    """
    return next(
        (length for method, length in runs if length is not None and method.promises_optimum),
        None,
    )


def is_optimal(method: Method, length: int | None, proved: int | None) -> bool | None:
    """Return whether a solution is a shortest one.

    Parameters
    ----------
    length : int or None
        Of the solution that the method found.
    proved : int or None
        The board's optimal length, where other runs prove it.

    Returns
    -------
    bool or None
        None without a solution, or if unknown.
    """
    if length is None:
        return None
    if method.promises_optimum:
        return True
    return None if proved is None else length == proved
