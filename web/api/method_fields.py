"""What a request for a job says of how to search: all algorithms, the textbook's too."""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import Field

from tilework.core.services.jobs.methods import ALGORITHM_NAMES, HEURISTIC_NAMES
from tilework.web.api.boards_in import TargetFields, one_of
from tilework.web.api.lab.catalogue import MEBIBYTE

_WHOLE: Final = 2**53


AlgorithmText = Annotated[
    str,
    one_of(
        ALGORITHM_NAMES,
        description="How to search. A pair of names of which one is the textbook searches' alone, "
        "as in `greedy` or `a-star` with `hamming`, asks for such a search by the lab. "
        "`lab-a-star`, `lab-ida-star` and `lab-beam` are textbook searches with any heuristic",
    ),
]
HeuristicText = Annotated[
    str,
    one_of(
        HEURISTIC_NAMES,
        description="How to estimate; with auto, a textbook search that asks has manhattan",
    ),
]


class MethodFields(TargetFields):
    """Which algorithm is to search, and what a textbook search takes besides."""

    algorithm: AlgorithmText = "auto"
    heuristic: HeuristicText = "auto"
    weight: float | None = Field(
        None, allow_inf_nan=False, description="Of weighted-a-star, from 1 to 100"
    )
    beam_width: int | None = Field(
        None, lt=_WHOLE, description="Of lab-beam: boards kept of each level"
    )
    node_limit: int | None = Field(
        None, gt=0, lt=_WHOLE, description="Nodes that a textbook search may generate"
    )
    memory_limit_mb: int | None = Field(
        None, gt=0, lt=_WHOLE, description="What the nodes of a textbook search may take, in MiB"
    )

    def options(self) -> dict[str, Any]:
        """Return them as fields of a request."""
        memory = self.memory_limit_mb
        return super().options() | {
            "algorithm": self.algorithm,
            "heuristic": self.heuristic,
            "weight": self.weight,
            "width": self.beam_width,
            "node_limit": self.node_limit,
            "memory_bytes": None if memory is None else memory * MEBIBYTE,
        }
