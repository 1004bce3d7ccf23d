"""Methods by the names of algorithms and heuristics: every pair."""

from __future__ import annotations

from collections.abc import Sequence

from tilework.core.lab.method import DEFAULT_HEURISTIC, Method
from tilework.core.lab.names import ALGORITHMS, LabAlgorithm


def methods_of(algorithms: Sequence[str], heuristics: Sequence[str] = ()) -> tuple[Method, ...]:
    """Pair every algorithm with every heuristic; one that uses none is listed once.

    Parameters
    ----------
    algorithms : sequence of str
        Weighted A* and beam search among them have their default weight and width.
    heuristics : sequence of str
        Without any, Manhattan.

    Returns
    -------
    tuple of Method
        Algorithm by algorithm, none twice.

    Raises
    ------
    OptionError
        For a name that is not offered.
    """
    estimates = [Method.of(LabAlgorithm.A_STAR, name).heuristic for name in heuristics]
    methods = []
    for name in algorithms:
        alone = Method.of(name)
        informed = ALGORITHMS[alone.algorithm].informed
        chosen = estimates or [DEFAULT_HEURISTIC]
        methods += [Method.of(name, one) for one in chosen] if informed else [alone]
    return tuple(dict.fromkeys(methods))
