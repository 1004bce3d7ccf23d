import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli.runner import Run
from tests.unit.solver.optimal.proof_records import record_thresholds
from tilework.core.formats.certificate import (
    CanonicalRecord,
    CertificateHeader,
    Proof,
    SearchRecord,
    format_certificate,
)
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.metric import BoundProof
from tilework.core.puzzle.moves import Moves, from_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.heuristics.lower_bounds import best_lower_bound, distance_bound
from tilework.core.solver.solve import solve
from tilework.core.solver.target import Target, TargetKind

GOAL = Board([*range(1, 8), 0, *range(8, 20)], 5, 4)
BOARD = scramble(GOAL.size, GOAL, 1, moves=60)
LARGE_BOARD = scramble(Size(10, 10), blank_last(Size(10, 10)), 1, moves=6)
EASY_BOARD = Board([1, 2, 3, 4, 5, 6, 0, 7, 8])
HARD_BOARD = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
DETOUR = from_letters("LL" + "RL" * 2)


@pytest.fixture
def verify(tilework: Run, tmp_path: Path) -> Run:
    """Verify a certificate in a file."""

    def run(text: str, *options: str) -> Any:
        path = tmp_path / "certificate.json"
        path.write_text(text)
        return tilework("verify", str(path), *options)

    return run


def make_header(board: Board, goal: Board, moves: Moves, **changes: Any) -> CertificateHeader:
    header = CertificateHeader(
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
        canonical=CanonicalRecord.from_form(canonicalize(board, goal)),
    )
    return header.model_copy(update=changes)


def certify(board: Board, **changes: Any) -> str:
    goal = blank_last(board.size)
    moves = solve(board, goal).moves
    assert moves is not None
    return "".join(format_certificate(make_header(board, goal, moves, **changes), moves, []))


def certify_bound(board: Board, bound: int, proof: BoundProof) -> str:
    goal = blank_last(board.size)
    moves = solve(board, goal, target=Target(TargetKind.ANY)).moves
    assert moves is not None
    proof_options = {"lower_bound": bound, "optimal": False, "lower_bound_proof": proof}
    header = make_header(board, goal, moves, **proof_options)
    return "".join(format_certificate(header, moves, []))


def parse_facts(result: Any) -> dict[str, str]:
    return dict(line.split("  ", 1) for line in result.out.splitlines())


@cache
def certify_slices() -> str:
    form = canonicalize(BOARD, GOAL)
    thresholds, moves = record_thresholds(form.board, form.goal, 150, lambda number: number % 4)
    moves = form.transform.from_canonical(moves)
    header = make_header(BOARD, GOAL, moves, proof=Proof.SLICES)
    return "".join(format_certificate(header, moves, [(tree, tree.slices) for tree in thresholds]))


def test_sliced_search_is_verified(verify: Run) -> None:
    result = verify(certify_slices(), "--sample 3", "--seed 5")
    assert result.code == 0, result.out
    facts = {name: value.strip() for name, value in parse_facts(result).items()}
    assert facts["moves"] == "30, replayed to the goal"
    assert facts["searched again"].startswith("3 of ")
    assert facts["searched again"].endswith("chosen with --seed 5")
    assert facts["verdict"] == "proven: every solution has at least 30 moves"
    assert verify(certify_slices(), "--sample 3", "--seed 5").out == result.out
    result = verify(certify_slices(), "--all")
    assert result.code == 0
    count = sum(len(tree["slices"]) for tree in json.loads(certify_slices())["thresholds"])
    assert f"{count} of {count} slices, all" in result.out
    assert verify(certify_slices(), "--sample 0").code == 2


def test_search_in_one_process_is_repeated(tilework: Run, verify: Run) -> None:
    for board, expected in (
        (EASY_BOARD, "2, by the tiles' distances"),
        (HARD_BOARD, "31, by "),
        (LARGE_BOARD, "by the tiles' distances"),
        (Board([1, 2, 3, 4, 5, 6, 7, 8, 0]), "proven: the board is already solved: 0 moves"),
        (Board([1, 2, 0, 3], 4, 1), "1, by "),
    ):
        result = tilework("verify -", stdin=certify(board))
        assert result.code == 0, result.out
        assert expected in result.out


def test_solution_that_is_not_shortest_is_not_proven(verify: Run) -> None:
    goal = blank_last(EASY_BOARD.size)
    # No solution has an odd number of moves.
    for changes in ({}, {"lower_bound": 3, "optimal": False}):
        header = make_header(EASY_BOARD, goal, DETOUR, **changes)
        result = verify("".join(format_certificate(header, DETOUR, [])))
        assert result.code == 1
        assert "not proven: there is a shorter solution: 2 moves" in result.out
    header = make_header(EASY_BOARD, goal, DETOUR, lower_bound=2, optimal=False)
    result = verify("".join(format_certificate(header, DETOUR, [])))
    assert result.code == 0, result.out
    assert "proven: the shortest solution has 2 to 6 moves" in result.out


def test_bound_is_checked_against_its_named_proof(verify: Run) -> None:
    goal = blank_last(Size(8, 8))
    board = scramble(goal.size, goal, 3)
    for bound, expected in (
        (distance_bound(board, goal, conflicts=False), "Manhattan distance"),
        (distance_bound(board, goal), "linear conflict"),
        (best_lower_bound(board, goal), "tile groups"),
    ):
        result = verify(certify_bound(board, bound.value, bound.proof))
        assert result.code == 0, result.out
        assert parse_facts(result)["lower bound"].strip() == f"{bound.value}, by {expected}"
        result = verify(certify_bound(board, bound.value + 2, bound.proof))
        assert result.code == 1
        assert f"by {expected}, which proves only {bound.value}" in result.out


def test_slices_of_unavailable_engines_are_reported(verify: Run) -> None:
    document = json.loads(certify_slices())
    slices = document["thresholds"][-1]["slices"]
    for record in slices[1::2]:
        record["engine"] = "5x4 6-6-7 r10"
    result = verify(json.dumps(document), "--all")
    assert result.code == 1
    assert f"{len(slices) // 2} of the sampled slices could not be searched here: " in result.out
    for engine in ("5x4 lines r1000000", "5x4 lines r1", "4x5 lines r10", "x"):
        for tree in document["thresholds"]:
            for record in tree["slices"]:
                record["engine"] = engine
        result = verify(json.dumps(document), "--sample 1")
        assert result.code == 1
        assert f"have no engine {engine!r}" in result.out


def test_incomplete_records_prove_nothing(verify: Run) -> None:
    for proof, expected in {Proof.INCOMPLETE: "incomplete", Proof.SLICES: "no thresholds"}.items():
        result = verify(certify(HARD_BOARD, proof=proof))
        assert result.code == 1
        assert expected in result.out
    document = json.loads(certify_slices())
    del document["thresholds"][-2]
    result = verify(json.dumps(document))
    assert result.code == 1
    assert "follows it" in result.out


def test_invalid_certificates_are_rejected(verify: Run) -> None:
    for text in ("", "{}", "[1]", '{"format": "another"}', "\x80"):
        result = verify(text)
        assert result.code == 2
        assert "certificate.json': this is not a Tilework certificate: " in result.err
        assert result.err.count("\n") == 1
    document = json.loads(certify(EASY_BOARD))
    assert verify(json.dumps(document | {"board": [1, 2, 3, 4, 5, 6, 7, 8, 8]})).code == 2
    assert verify(json.dumps(document | {"lower_bound_proof": "magic"})).code == 2
    del document["lower_bound_proof"]  # which older versions did not write
    assert verify(json.dumps(document)).code == 0
