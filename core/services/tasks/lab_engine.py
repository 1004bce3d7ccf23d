"""The lab running in this process. Only workers import this module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tilework.core.errors import InputError
from tilework.core.lab.result import RunResult
from tilework.core.lab.run import run
from tilework.core.model.comparisons import run_document
from tilework.core.model.states import RunState
from tilework.core.model.tasks import Progress, Result, RunSpec, TaskEnd, pack_json
from tilework.core.puzzle.packing import pack
from tilework.core.search.limits import Limits, StopReason


def run_search(
    spec: RunSpec,
    limits: Limits,
    _on_progress: Callable[[Progress], object],
    run: Callable[..., RunResult] = run,
) -> TaskEnd | None:
    """Run a method on a board, within its own limits; return None if cancelled."""
    limits = replace(limits, nodes=spec.limits.nodes, memory_bytes=spec.limits.memory_bytes)
    try:
        # The submission checked that the board is solvable, or that searching it anyway is
        # intended.
        outcome = run(spec.start, spec.goal, spec.method, limits, spec.window, exhaust=True)
    except InputError as error:  # the method is not available for boards of this size
        return TaskEnd(RunState.FAILED, message=error.message)
    if outcome.stopped_by is StopReason.CANCELLED:
        return None
    result = Result(
        run_document(outcome),
        None if outcome.moves is None else pack(outcome.moves),
        None if outcome.trace is None else pack_json(outcome.trace.document()),
    )
    return TaskEnd(RunState.DONE, result, outcome.message)
