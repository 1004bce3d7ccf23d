"""Records of real searches prove their bound; records that were tampered with do not."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.solver.optimal.recording import pieces_of, record_of
from tilework.core.errors import InputError, ProofError
from tilework.core.formats.certificate import SliceRecord, ThresholdRecord
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.optimal.cursor import Cursor, Position
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.optimal.proof.claims import claims_of
from tilework.core.solver.optimal.proof.difference import difference
from tilework.core.solver.optimal.proof.redo import redo
from tilework.core.solver.optimal.slice import search_slice

GOAL = Board([*range(1, 8), 0, *range(8, 20)], 5, 4)
BOARD = scramble(GOAL.size, GOAL, 1, moves=60)
LENGTH = 30
DATA = Path(__file__).parents[3] / "data"


@cache
def record() -> tuple[tuple[ThresholdRecord, ...], Moves]:
    thresholds, moves = record_of(BOARD, GOAL, 150, lambda number: number % 4)
    return tuple(thresholds), moves


def changed(threshold: int, number: int, **changes: object) -> list[ThresholdRecord]:
    """The record with one slice of one threshold changed."""
    thresholds = list(record()[0])
    tree = thresholds[threshold]
    slices = list(tree.slices)
    slices[number] = slices[number].model_copy(update=changes)
    thresholds[threshold] = with_slices(tree, slices)
    return thresholds


def with_slices(tree: ThresholdRecord, slices: list[SliceRecord]) -> ThresholdRecord:
    """A tree of other slices, its sums made to fit."""
    nodes = sum(piece.nodes for piece in slices)
    return tree.model_copy(update={"slices": slices, "nodes": nodes})


def proved(thresholds: list[ThresholdRecord]) -> bool:
    """Whether the records stand, every slice searched again."""
    try:
        for claim in claims_of(BOARD, GOAL, len(record()[1]), thresholds):
            redo(BOARD, GOAL, claim)
    except ProofError:
        return False
    return True


def test_a_real_search_is_proved():
    thresholds, moves = record()
    assert len(moves) == LENGTH
    claims = claims_of(BOARD, GOAL, LENGTH, thresholds)
    assert len(claims) == sum(len(tree.slices) for tree in thresholds)
    assert len(claims) > 50
    assert any(len(claim.remains) > 2 for claim in claims)
    assert proved(list(thresholds))


def test_one_threshold_alone_proves_what_all_do():
    thresholds, _ = record()
    assert claims_of(BOARD, GOAL, LENGTH, thresholds[-1:])


def test_no_thresholds_prove_nothing():
    with pytest.raises(ProofError, match="no thresholds"):
        claims_of(BOARD, GOAL, LENGTH, [])


def test_a_threshold_that_is_missing():
    thresholds, _ = record()
    with pytest.raises(ProofError, match="follows it"):
        claims_of(BOARD, GOAL, LENGTH, thresholds[:-2] + thresholds[-1:])
    with pytest.raises(ProofError, match="follows it"):
        claims_of(BOARD, GOAL, LENGTH, thresholds[:-1])


def test_a_threshold_that_is_raised():
    thresholds, _ = record()
    last = thresholds[-1]
    odd = last.model_copy(update={"threshold": last.threshold + 1})
    with pytest.raises(ProofError, match="parity"):
        claims_of(BOARD, GOAL, LENGTH, [odd])
    first = [thresholds[-1].model_copy(update={"threshold": last.threshold - 2})]
    assert not proved(first)


@pytest.mark.parametrize("more", [-1, 1, 1_000_000])
def test_every_change_of_a_node_count_is_found(more):
    for threshold, tree in enumerate(record()[0]):
        for number, piece in enumerate(tree.slices):
            thresholds = changed(threshold, number, nodes=piece.nodes + more)
            if piece.nodes + more >= 0:
                assert not proved(thresholds)


def test_sums_that_do_not_fit():
    thresholds, _ = record()
    tree = thresholds[-1].model_copy(update={"nodes": thresholds[-1].nodes + 1})
    with pytest.raises(ProofError, match="do not add up"):
        claims_of(BOARD, GOAL, LENGTH, [tree])


def test_every_dropped_slice_is_found():
    for threshold, tree in enumerate(record()[0]):
        for number in range(len(tree.slices)):
            slices = [piece for place, piece in enumerate(tree.slices) if place != number]
            thresholds = list(record()[0])
            thresholds[threshold] = with_slices(tree, slices)
            assert not proved(thresholds)


def test_every_dropped_branch_is_found():
    """Without a slice and all that came of it, its parent seems to have searched more."""
    tree = record()[0][-1]
    for lost in tree.slices[1:]:
        gone = {lost.id}
        for piece in tree.slices:
            if piece.parent in gone:
                gone.add(piece.id)
        slices = [piece for piece in tree.slices if piece.id not in gone]
        assert not proved([with_slices(tree, slices)])


@given(st.data())
def test_exchanged_cursors_are_found(data):
    tree = record()[0][-1]
    places = st.integers(0, len(tree.slices) - 1)
    one, other = data.draw(places), data.draw(places)
    slices = list(tree.slices)
    cursors = slices[one].cursor, slices[other].cursor
    slices[one] = slices[one].model_copy(update={"cursor": cursors[1]})
    slices[other] = slices[other].model_copy(update={"cursor": cursors[0]})
    # Two that say the same of themselves, and handed nothing back, have exchanged their numbers.
    parents = {piece.parent for piece in slices}
    renumbered = {"id": tree.slices[one].id, "cursor": cursors[0]}
    alike = (
        tree.slices[one] == tree.slices[other].model_copy(update=renumbered)
        and not {tree.slices[one].id, tree.slices[other].id} & parents
    )
    assert proved([with_slices(tree, slices)]) == (cursors[0] == cursors[1] or alike)


@given(st.data())
def test_any_other_byte_in_a_cursor_is_found(data):
    tree = record()[0][-1]
    number = data.draw(st.integers(0, len(tree.slices) - 1))
    cursor = bytearray.fromhex(tree.slices[number].cursor)
    place = data.draw(st.integers(0, len(cursor) - 1))
    cursor[place] ^= data.draw(st.integers(1, 255))
    thresholds = changed(len(record()[0]) - 1, number, cursor=cursor.hex())
    # A set may hold moves that cannot be made: the same tree in other words.
    if proved(thresholds):
        (before,) = [
            c for c in claims_of(BOARD, GOAL, LENGTH, record()[0][-1:]) if c.record.id == number
        ]
        after = Cursor.from_bytes(bytes(cursor))
        assert {path for path, _ in after.positions} == {
            path for path, _ in before.cursor.positions
        }
        assert after.share(BOARD) == pytest.approx(before.cursor.share(BOARD))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"next_threshold": LENGTH - 2}, "least f"),
        ({"next_threshold": LENGTH + 1}, "least f"),
        ({"engine": None}, "does not record the engine"),
        ({"parent": 1}, "does not come from the whole tree"),
        ({"id": 2}, "two slices with one id"),
        ({"cursor": "ff00"}, "is not a search cursor"),
        ({"cursor": "02"}, "remaining cursors|whole tree"),
    ],
)
def test_words_for_a_slice_that_does_not_fit(changes, words):
    thresholds = changed(len(record()[0]) - 1, 1, **changes)
    with pytest.raises(ProofError, match=words):
        claims_of(BOARD, GOAL, LENGTH, thresholds)


def test_a_piece_given_out_twice():
    tree = record()[0][-1]
    piece = tree.slices[1]
    twice = [*tree.slices, piece.model_copy(update={"id": 10_000})]
    with pytest.raises(ProofError, match="do not follow"):
        claims_of(BOARD, GOAL, LENGTH, [with_slices(tree, twice)])


def test_a_slice_that_was_only_cut_in_parts():
    """Halves of a slice that broke its workers: no nodes, no engine, nothing lost."""
    thresholds, _ = record_of(BOARD, GOAL, 1 << 40, lambda _: 0)
    tree = thresholds[-1]
    (whole,) = tree.slices
    halves = pieces_of(Cursor.root(), 1)
    cut = whole.model_copy(update={"nodes": 0, "next_threshold": None, "engine": None})
    records = [cut]
    for number, half in enumerate(halves, 1):
        done = whole.model_copy(update={"id": number, "parent": 0, "cursor": half.to_bytes().hex()})
        records.append(done)
    claims = claims_of(BOARD, GOAL, LENGTH, [with_slices(tree, records)])
    assert len(claims) == 3
    lost = with_slices(tree, records[:2])
    with pytest.raises(ProofError, match="does not record the engine"):
        claims_of(BOARD, GOAL, LENGTH, [lost])


def test_records_of_earlier_cursors_still_prove_their_bound():
    """In version 1 a slice left one path and the moves untried along it."""
    text = (DATA / "record_of_one_path_cursors.json").read_text()
    thresholds = [ThresholdRecord.model_validate(tree) for tree in json.loads(text)]
    assert all(piece.cursor.startswith("01") for tree in thresholds for piece in tree.slices)
    assert sum(len(tree.slices) for tree in thresholds) > 50
    assert proved(thresholds)
    last = thresholds[-1]
    lost = [piece for piece in last.slices if piece.parent != last.slices[2].id]
    assert len(lost) < len(last.slices)
    assert not proved([*thresholds[:-1], with_slices(last, lost)])


def test_a_slice_may_not_hand_back_what_lies_beyond_the_solution():
    """Below a solution's end all is over the threshold: who looks only there finds nothing."""
    goal = blank_last(Size(3, 3))
    board = Board([1, 2, 3, 5, 4, 6, 8, 0, 7])
    shortest = ida_star(board, goal).moves
    length = len(shortest)
    child = Cursor((Position(shortest.tobytes(), 15),))
    found = difference(Cursor.root(), [child])
    assert found is not None
    parts = [search_slice(board, goal, length, cursor, 1 << 60) for cursor in (found.rest, child)]
    # The only shortest one.
    assert [part.moves for part in parts] == [None, None]
    slices = [
        SliceRecord(
            id=number,
            parent=parent,
            cursor=cursor.to_bytes().hex(),
            nodes=part.nodes + passed,
            next_threshold=part.next_threshold,
            engine=part.engine,
        )
        for number, parent, cursor, part, passed in (
            (0, None, Cursor.root(), parts[0], found.passed),
            (1, 0, child, parts[1], 0),
        )
    ]
    tree = ThresholdRecord(
        threshold=length,
        nodes=sum(one.nodes for one in slices),
        seconds=0.1,
        next=length + 2,
        slices=slices,
    )
    first, second = claims_of(board, GOAL, length + 2, [tree])
    redo(board, goal, second)
    with pytest.raises(ProofError, match=f"contains a solution of {length} moves"):
        redo(board, goal, first)


def test_thresholds_and_cursors_beyond_any_board_are_refused():
    tree = record()[0][-1].model_copy(update={"threshold": 2_000, "next": 2_002})
    with pytest.raises(ProofError, match="limited to paths of 1022 moves"):
        claims_of(BOARD, GOAL, 2_002, [tree])
    with pytest.raises(InputError, match="limited to paths of 1022 moves"):
        search_slice(BOARD, GOAL, 1_023, Cursor.root(), 1)
    long = Position(bytes([0, 1] * 600), 15)
    with pytest.raises(InputError, match="not a search cursor"):
        Cursor.from_bytes(Cursor((long,)).to_bytes())
    with pytest.raises(InputError, match="not a search cursor"):
        Cursor.from_bytes(b"\x01" + bytes(20_000) + b"\x0f")
    with pytest.raises(InputError, match="not a search cursor"):
        Cursor.from_bytes(b"\x02" + b"\x00\x00\x10" * 20_000)


@given(st.data())
def test_what_is_taken_away_and_what_is_left_are_the_whole(data):
    """Every node below a cursor is either passed, or left, or in what was searched."""
    claims = claims_of(BOARD, GOAL, LENGTH, record()[0][-1:])
    claim = data.draw(st.sampled_from([one for one in claims if one.remains]))
    searched = difference(claim.cursor, claim.remains)
    assert searched is not None
    parts = [position for rest in claim.remains for position in rest.positions]
    parts += searched.rest.positions
    together = Cursor(tuple(parts)).share(BOARD)
    assert together == pytest.approx(claim.cursor.share(BOARD))
    assert difference(claim.cursor, [*claim.remains, claim.remains[0]]) is None
    assert difference(claim.remains[0], [claim.cursor]) is None or claim.remains == (claim.cursor,)
