"""Certificates to verify, and what is said of them."""

from __future__ import annotations

from typing import Any

from tilework.core.formats.bound_proof import BoundProof
from tilework.core.formats.certificate import (
    CanonicalRecord,
    CertificateHead,
    Proof,
    SearchRecord,
    write_certificate,
)
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Target, TargetKind

EASY = Board([1, 2, 3, 4, 5, 6, 0, 7, 8])


def head_of(board: Board, goal: Board, moves: Moves, **changes: Any) -> CertificateHead:
    head = CertificateHead(
        engine_version="tilework 0",
        width=board.width,
        height=board.height,
        board=board.cells.tolist(),
        goal=goal.cells.tolist(),
        length=len(moves),
        lower_bound=len(moves),
        optimal=True,
        proof=Proof.ONE_PROCESS,
        search=SearchRecord(algorithm="a-star", nodes=1, seconds=0.0),
        canonical=CanonicalRecord.of(canonicalize(board, goal)),
    )
    return head.model_copy(update=changes)


def alone(board: Board, **changes: Any) -> str:
    goal = blank_last(board.size)
    moves = solve(board, goal).moves
    assert moves is not None
    return "".join(write_certificate(head_of(board, goal, moves, **changes), moves, []))


def bounded(board: Board, bound: int, proof: BoundProof) -> str:
    goal = blank_last(board.size)
    moves = solve(board, goal, target=Target(TargetKind.ANY)).moves
    assert moves is not None
    head = head_of(board, goal, moves, lower_bound=bound, optimal=False, lower_bound_proof=proof)
    return "".join(write_certificate(head, moves, []))


def facts(done: Any) -> dict[str, str]:
    return dict(line.split("  ", 1) for line in done.out.splitlines())
