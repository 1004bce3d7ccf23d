"""``tilework verify`` on bounds: each names what proves it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.unit.cli.solve.certifying import EASY, alone, bounded, facts, head_of
from tilework.core.formats.bound_proof import BoundProof
from tilework.core.formats.certificate import write_certificate
from tilework.core.puzzle.board import Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.heuristics.best_bound import best_lower_bound
from tilework.core.solver.heuristics.lower_bound import distance_bound

Run = Callable[..., Any]


def test_a_bound_below_the_length(verify: Run) -> None:
    moves = from_letters("LL" + "RL" * 2)
    text = "".join(
        write_certificate(
            head_of(EASY, blank_last(EASY.size), moves, lower_bound=2, optimal=False), moves, []
        )
    )
    done = verify(text)
    assert done.code == 0, done.out
    assert "proved: the shortest solution has 2 to 6 moves" in done.out


@pytest.mark.parametrize(
    ("seed", "proof", "words"),
    [
        (1, BoundProof.MANHATTAN, "Manhattan distance"),
        (3, BoundProof.LINEAR_CONFLICT, "linear conflict"),
        (3, BoundProof.TILE_GROUPS, "tile groups"),
    ],
)
def test_a_bound_that_names_its_proof(
    verify: Run, seed: int, proof: BoundProof, words: str
) -> None:
    goal = blank_last(Size(8, 8))
    board = scramble(goal.size, goal, seed)
    bound = {
        BoundProof.MANHATTAN: distance_bound(board, goal, conflicts=False),
        BoundProof.LINEAR_CONFLICT: distance_bound(board, goal),
        BoundProof.TILE_GROUPS: best_lower_bound(board, goal),
    }[proof]
    assert bound.proof is proof
    done = verify(bounded(board, bound.value, proof))
    assert done.code == 0, done.out
    assert facts(done)["lower bound"].strip() == f"{bound.value}, by {words}"
    forged = verify(bounded(board, bound.value + 2, proof))
    assert forged.code == 1
    assert (
        f"not proved: the certificate gives a lower bound of {bound.value + 2} by {words}, "
        f"which proves only {bound.value}"
    ) in forged.out


def test_a_bound_by_a_proof_that_there_is_not(verify: Run) -> None:
    document = json.loads(alone(EASY)) | {"lower_bound_proof": "magic"}
    assert verify(json.dumps(document)).code == 2


def test_a_file_that_does_not_name_its_proof(verify: Run) -> None:
    document = json.loads(alone(EASY))
    del document["lower_bound_proof"]
    assert verify(json.dumps(document)).code == 0
