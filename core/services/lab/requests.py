"""What a client asks of the lab, checked before anything is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tilework.core.errors import OptionError
from tilework.core.lab.method import Method
from tilework.core.lab.trace import TraceWindow
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.phrases import cells
from tilework.core.services.lab.sweep import Sweep
from tilework.core.settings import Settings

MIB: Final = 2**20
MOST_DIGITS: Final = 40


@dataclass(frozen=True, slots=True)
class RunLimits:
    """What ends each run of a comparison; None is the default of the settings."""

    seconds: float | None = None
    nodes: int | None = None
    memory_bytes: int | None = None

    def filled(self, settings: Settings) -> RunLimits:
        """Return them with the defaults filled in.

        Raises
        ------
        OptionError
            For a limit that is not over 0, or over what the settings allow.
        """
        seconds = settings.lab_seconds if self.seconds is None else self.seconds
        nodes = settings.lab_nodes if self.nodes is None else self.nodes
        memory = settings.lab_memory_bytes if self.memory_bytes is None else self.memory_bytes
        if not 0 < seconds <= settings.lab_max_seconds:
            raise OptionError(
                "run-time-limit",
                "invalid time limit {limit} s; give more than 0 and at most {most} s",
                limit=_amount(seconds),
                most=_amount(settings.lab_max_seconds),
            )
        if not 0 < nodes <= settings.lab_max_nodes:
            raise OptionError(
                "run-node-limit",
                "invalid limit of {limit} nodes; give more than 0 and at most {most}",
                limit=_amount(nodes),
                most=_amount(settings.lab_max_nodes),
            )
        if not 0 < memory <= settings.lab_max_memory_bytes:
            raise OptionError(
                "run-memory-limit",
                "invalid memory limit {limit} MiB; give more than 0 and at most {most} MiB",
                limit=_amount(memory // MIB),
                most=_amount(settings.lab_max_memory_bytes // MIB),
            )
        return RunLimits(float(seconds), nodes, memory)


@dataclass(frozen=True, kw_only=True)
class ComparisonRequest:
    """Methods to compare, on one board or on the boards of a sweep.

    Attributes
    ----------
    start, goal : Board
        Of a comparison on one board. A sweep has only the goal; its start is None.
    window : TraceWindow or None
        None records no trace.
    exhaust : bool
        Whether a board that cannot reach its goal is searched, too.
    """

    client_id: str
    start: Board | None
    goal: Board
    methods: Sequence[Method]
    limits: RunLimits = RunLimits()
    window: TraceWindow | None = None
    sweep: Sweep | None = None
    exhaust: bool = False


def check_cells(size: Size, settings: Settings) -> None:
    """Refuse a board that is too large for the lab.

    Raises
    ------
    OptionError
    """
    if size.cells > settings.lab_max_cells:
        raise OptionError(
            "too-many-lab-cells",
            "a board of {size} has {cells}; the lab accepts at most {most}",
            size=size,
            cells=cells(size.cells),
            most=settings.lab_max_cells,
        )


def _amount(value: float) -> str:
    return (f"{value:g}" if isinstance(value, float) else str(value))[:MOST_DIGITS]
