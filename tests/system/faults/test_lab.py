"""A comparison whose workers die: every run ends, once, and every answer is right."""

from __future__ import annotations

from tests.support import naive
from tests.system.faults.stage import Stage, lengths
from tilework.core.lab.method import Method
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.services.lab.requests import ComparisonRequest
from tilework.core.services.lab.sweep import Sweep
from tilework.core.services.states import RunState

METHODS = tuple(Method.of(name) for name in ("breadth-first", "bidirectional"))
BOARDS = 10


def test_workers_are_killed_amid_a_comparison(stage: Stage) -> None:
    asked = stage.services.compare(
        ComparisonRequest(
            client_id=stage.client,
            start=None,
            goal=blank_last(Size(3, 3)),
            methods=METHODS,
            sweep=Sweep(boards=BOARDS, moves=80),
        )
    )

    def ended() -> int:
        return len(asked.runs) - stage.services.comparisons.view(asked.id).unfinished

    for share in (4, 2):
        worker = stage.start_worker("lab")
        stage.await_that(lambda share=share: ended() >= len(asked.runs) // share)
        worker.kill()
        worker.wait()
        assert ended() < len(asked.runs)
    stage.start_worker("lab")
    stage.await_that(lambda: ended() == len(asked.runs))

    for run in stage.services.comparisons.view(asked.id).runs:
        assert run.state is RunState.DONE
        detail = stage.services.comparisons.run(run.id)
        tiles = tuple(detail.start.cells.tolist())
        moves = "".join("UDLR"[code] for code in detail.moves)
        assert len(moves) == run.length == lengths()[tiles]
        assert naive.played(tiles, 3, moves) == naive.solved(3, 3)
