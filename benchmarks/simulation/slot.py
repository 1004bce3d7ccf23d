"""A simulated worker."""

from __future__ import annotations

from dataclasses import dataclass, field

from tilework.core.model.workload import Farm
from tilework.core.solver.work_unit import Piece, SliceOutcome


@dataclass(eq=False)
class Slot:
    """A worker: until when its ticket lasts, what it knows of the farm, what it searches."""

    until: float = 0.0
    farm: Farm | None = None
    before: Farm = field(default_factory=Farm)
    piece: Piece | None = None
    began: float = 0.0
    seconds: float = 0.0
    outcome: SliceOutcome | None = None
    run: int = 0
    keeper: int = 0
