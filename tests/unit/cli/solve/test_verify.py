"""``tilework verify``: certificates that hold, and every way in which one does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.cli.solve.certifying import EASY, alone, facts, head_of
from tests.unit.solver.optimal.recording import record_of
from tilework.core.errors import InputError
from tilework.core.formats.certificate import Proof, read_certificate, write_certificate
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import from_letters
from tilework.core.puzzle.scramble import scramble
from tilework.core.services.certificates.check import examine
from tilework.core.services.certificates.options import VerifyOptions
from tilework.core.solver.optimal.version import engine_version

Run = Callable[..., Any]

GOAL = Board([*range(1, 8), 0, *range(8, 20)], 5, 4)
BOARD = scramble(GOAL.size, GOAL, 1, moves=60)
LARGE = scramble(Size(10, 10), blank_last(Size(10, 10)), 1, moves=6)
HARD = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])


@cache
def sliced() -> str:
    form = canonicalize(BOARD, GOAL)
    thresholds, moves = record_of(form.board, form.goal, 150, lambda number: number % 4)
    given = form.transform.from_canonical(moves)
    head = head_of(BOARD, GOAL, given, proof=Proof.SLICES)
    return "".join(write_certificate(head, given, [(tree, tree.slices) for tree in thresholds]))


def test_a_search_in_slices(verify: Run) -> None:
    done = verify(sliced(), "--sample 3", "--seed 5")
    assert done.code == 0, done.out
    said = {name: value.strip() for name, value in facts(done).items()}
    assert said["moves"] == "30, replayed to the goal"
    assert said["searched again"].startswith("3 of ")
    assert said["searched again"].endswith("drawn with --seed 5")
    assert said["verdict"] == "proved: no solution is shorter than 30 moves"
    assert verify(sliced(), "--sample 3", "--seed 5").out == done.out


def test_a_solved_board_is_said_to_be_solved(verify: Run) -> None:
    done = verify(alone(Board([1, 2, 3, 4, 5, 6, 7, 8, 0])))
    assert done.code == 0, done.out
    assert facts(done)["verdict"].strip() == "proved: the board is already solved: 0 moves"


def test_another_version_of_the_program_is_told(verify: Run) -> None:
    said = facts(verify(alone(EASY)))
    assert said["written by"].strip() == "tilework 0"
    assert said["verified by"].strip() == engine_version()
    assert "verified by" not in facts(verify(alone(EASY, engine_version=engine_version())))


def test_all_slices(verify: Run) -> None:
    done = verify(sliced(), "--all")
    assert done.code == 0
    count = sum(len(tree["slices"]) for tree in json.loads(sliced())["thresholds"])
    assert f"{count} of {count} slices, all" in done.out


def test_standard_input(tilework: Run) -> None:
    assert tilework("verify -", stdin=alone(EASY)).code == 0


@pytest.mark.parametrize(
    ("board", "words"),
    [
        (EASY, "2, by the distances of the tiles"),
        (HARD, "31, by "),
        (LARGE, "by the distances"),
    ],
)
def test_a_search_in_one_process_is_done_again(verify: Run, board: Board, words: str) -> None:
    done = verify(alone(board))
    assert done.code == 0, done.out
    assert words in done.out


def test_a_solution_that_is_not_the_shortest(verify: Run) -> None:
    moves = from_letters("LL" + "RL" * 2)
    detour = head_of(EASY, blank_last(EASY.size), moves)
    done = verify("".join(write_certificate(detour, moves, [])))
    assert done.code == 1
    assert "not proved: there is a shorter solution: 2 moves" in done.out


def test_a_record_that_is_incomplete(verify: Run) -> None:
    done = verify(alone(HARD, proof=Proof.INCOMPLETE))
    assert done.code == 1
    assert "incomplete" in done.out


def test_slices_without_any(verify: Run) -> None:
    done = verify(alone(HARD, proof=Proof.SLICES))
    assert done.code == 1
    assert "no thresholds" in done.out


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"moves": "LR"}, "does not end at"),
        ({"moves": "LLL"}, "no tile can slide that way"),
        ({"length": 3}, "has 2 moves, but the certificate gives its length as 3"),
        ({"optimal": False}, "contradict each other"),
        ({"lower_bound": 4}, "contradict each other"),
        ({"goal": [0, 1, 2, 3, 4, 5, 6, 7, 8]}, "does not end at"),
    ],
)
def test_what_is_said_of_the_solution(verify: Run, changes: dict[str, Any], words: str) -> None:
    done = verify(json.dumps(json.loads(alone(EASY)) | changes))
    assert done.code == 1
    assert words in done.out


@pytest.mark.parametrize(
    ("name", "value"), [("transform", "tx"), ("goal", [1, 2, 3, 0]), ("width", 4)]
)
def test_another_canonical_form(verify: Run, name: str, value: Any) -> None:
    document = json.loads(alone(EASY))
    document["canonical"][name] = value
    done = verify(json.dumps(document))
    assert done.code == 1
    assert "not the canonical form" in done.out


def test_what_a_sample_may_miss_all_slices_show(verify: Run) -> None:
    document = json.loads(sliced())
    tree = document["thresholds"][-1]
    one, other = tree["slices"][0], tree["slices"][-1]
    one["nodes"] += 1
    other["nodes"] -= 1
    codes = {verify(json.dumps(document), "--sample 1", f"--seed {seed}").code for seed in range(4)}
    assert 0 in codes
    done = verify(json.dumps(document), "--all")
    assert done.code == 1
    assert "not proved: threshold 28, slice " in done.out


def test_slices_whose_databases_are_not_built_here(verify: Run) -> None:
    document = json.loads(sliced())
    tree = document["thresholds"][-1]
    for piece in tree["slices"][1::2]:
        piece["engine"] = "5x4 6-6-7 r10"
    done = verify(json.dumps(document), "--all")
    assert done.code == 1
    half = len(tree["slices"]) // 2
    assert f"not proved: {half} of the drawn slices could not be searched here: " in done.out
    assert "6-6-7" in done.out


@pytest.mark.parametrize("engine", ["5x4 lines r1000000", "5x4 lines r0", "4x5 lines r10", "x"])
def test_engines_that_there_cannot_be(verify: Run, engine: str) -> None:
    document = json.loads(sliced())
    for tree in document["thresholds"]:
        for piece in tree["slices"]:
            piece["engine"] = engine
    done = verify(json.dumps(document), "--sample 1")
    assert done.code == 1
    assert f"have no engine {engine!r}" in done.out


def test_a_threshold_that_is_left_out(verify: Run) -> None:
    document = json.loads(sliced())
    del document["thresholds"][-2]
    done = verify(json.dumps(document))
    assert done.code == 1
    assert "follows it" in done.out


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"format": "another"}', "\x80"])
def test_no_certificate(verify: Run, text: str) -> None:
    done = verify(text)
    assert done.code == 2
    assert done.err.startswith("tilework: this is not a Tilework certificate: ")
    assert done.err.count("\n") == 1


def test_tiles_that_are_no_board(verify: Run) -> None:
    done = verify(json.dumps(json.loads(alone(EASY)) | {"board": [1, 2, 3, 4, 5, 6, 7, 8, 8]}))
    assert done.code == 2


def test_no_file(tilework: Run) -> None:
    done = tilework("verify nowhere.json")
    assert done.code == 2
    assert "'nowhere.json' cannot be read: No such file" in done.err


def test_no_slices_cannot_be_asked_for(verify: Run) -> None:
    assert verify(sliced(), "--sample 0").code == 2


def numbers_in(part: Any, place: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Where the whole numbers of a document are."""
    if isinstance(part, dict | list):
        items = part.items() if isinstance(part, dict) else enumerate(part)
        return [found for key, value in items for found in numbers_in(value, (*place, key))]
    return [place] if type(part) is int else []


@given(st.data())
def test_any_other_number_is_found(data: st.DataObject) -> None:
    """But for the effort, which is told and not claimed, and for names."""
    document = json.loads(sliced())
    places = [place for place in numbers_in(document) if place[0] != "search"]
    places = [place for place in places if place[-1] != "id"]
    *way, last = data.draw(st.sampled_from(places))
    part = document
    for step in way:
        part = part[step]
    part[last] += data.draw(st.sampled_from([-2, -1, 1, 2, 1000]))
    try:
        certificate = read_certificate(json.dumps(document))
        assert examine(certificate, VerifyOptions(None, 0)).fault is not None
    except InputError:
        pass
