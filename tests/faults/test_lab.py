"""A comparison whose workers die: every run ends, once, and every answer is right."""

from __future__ import annotations

from core.lab.method import Method
from core.puzzle.board import Size
from core.puzzle.goals import blank_last
from core.services.lab.requests import ComparisonRequest
from core.services.lab.sweep import Sweep
from core.services.states import RunState
from tests import naive
from tests.faults.stage import Stage, lengths

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
