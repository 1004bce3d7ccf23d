"""Records of real searches prove their bounds; modified records do not."""

import json
import logging
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.solver.optimal.proof_records import (
    make_slice_record,
    make_threshold_record,
    record_thresholds,
    split_cursor,
)
from tilework.core.errors import InputError, ProofError
from tilework.core.formats.certificate import SliceRecord, ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_last
from tilework.core.puzzle.moves import Moves
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import Limits
from tilework.core.solver.optimal import proof
from tilework.core.solver.optimal.cursor import Cursor, Position, difference
from tilework.core.solver.optimal.ida_star import ida_star
from tilework.core.solver.optimal.proof import (
    MAX_SHARE,
    MAX_SLICES,
    derive_claims,
    find_error,
    recheck_claim,
)
from tilework.core.solver.optimal.slice import search_slice

GOAL = Board([*range(1, 8), 0, *range(8, 20)], 5, 4)
BOARD = scramble(GOAL.size, GOAL, 1, moves=60)
LENGTH = 30
DATA = Path(__file__).parents[3] / "data"


@cache
def record_search() -> tuple[tuple[ThresholdRecord, ...], Moves]:
    thresholds, moves = record_thresholds(BOARD, GOAL, 150, lambda number: number % 4)
    return tuple(thresholds), moves


def last_tree() -> ThresholdRecord:
    return record_search()[0][-1]


def replace_slices(tree: ThresholdRecord, slices: list[SliceRecord]) -> ThresholdRecord:
    """Return a threshold with other slices and consistent sums."""
    nodes = sum(record.nodes for record in slices)
    return tree.model_copy(update={"slices": slices, "nodes": nodes})


def change_slice(number: int, **changes: object) -> ThresholdRecord:
    """Return the last threshold with one changed slice."""
    slices = list(last_tree().slices)
    slices[number] = slices[number].model_copy(update=changes)
    return replace_slices(last_tree(), slices)


def is_proven(*thresholds: ThresholdRecord, only: int | None = None) -> bool:
    """Whether records are correct; all slices are searched again, or only the one with this id."""
    try:
        for claim in derive_claims(BOARD, GOAL, LENGTH, thresholds):
            if only is None or claim.record.id == only:
                recheck_claim(BOARD, GOAL, claim)
    except ProofError:
        return False
    return True


def test_records_of_a_real_search_prove_its_bound():
    thresholds, moves = record_search()
    assert len(moves) == LENGTH
    claims = derive_claims(BOARD, GOAL, LENGTH, thresholds)
    assert len(claims) == sum(len(tree.slices) for tree in thresholds) > 50
    assert any(len(claim.remaining) > 2 for claim in claims)
    assert is_proven(*thresholds)
    assert is_proven(last_tree())


def test_inconsistent_thresholds_are_rejected():
    thresholds, _ = record_search()
    with pytest.raises(ProofError, match="no thresholds"):
        derive_claims(BOARD, GOAL, LENGTH, [])
    for records in (thresholds[:-2] + thresholds[-1:], thresholds[:-1]):
        with pytest.raises(ProofError, match="follows it"):
            derive_claims(BOARD, GOAL, LENGTH, records)
    odd = last_tree().model_copy(update={"threshold": last_tree().threshold + 1})
    with pytest.raises(ProofError, match="parity"):
        derive_claims(BOARD, GOAL, LENGTH, [odd])
    assert not is_proven(last_tree().model_copy(update={"threshold": last_tree().threshold - 2}))
    with pytest.raises(ProofError, match="follows it"):
        derive_claims(BOARD, GOAL, LENGTH, [last_tree().model_copy(update={"threshold": LENGTH})])
    with pytest.raises(ProofError, match="do not add up"):
        derive_claims(
            BOARD, GOAL, LENGTH, [last_tree().model_copy(update={"nodes": last_tree().nodes + 1})]
        )


def test_every_change_of_a_node_count_or_a_minimum_f_is_found():
    for record in last_tree().slices[::9]:
        nodes = (record.nodes - 1, record.nodes + 1, record.nodes + 1_000_000)
        values = {None, LENGTH, LENGTH + 2} - {record.next_threshold}
        changes = [{"nodes": number} for number in nodes if number >= 0]
        changes += [{"next_threshold": value} for value in values]
        for change in changes:
            assert not is_proven(change_slice(record.id, **change), only=record.id)


@given(st.data())
def test_every_change_of_a_cursor_is_found(data):
    tree = last_tree()
    number = data.draw(st.integers(0, len(tree.slices) - 1))
    cursor = bytearray.fromhex(tree.slices[number].cursor)
    index = data.draw(st.integers(0, len(cursor) - 1))
    cursor[index] ^= data.draw(st.integers(1, 255))
    # A changed cursor passes only if it covers the same tree, for example with illegal moves.
    if is_proven(change_slice(number, cursor=cursor.hex())):
        (claim,) = [c for c in derive_claims(BOARD, GOAL, LENGTH, [tree]) if c.record.id == number]
        changed = Cursor.from_bytes(bytes(cursor))
        paths = {path for path, _ in claim.cursor.positions}
        assert {path for path, _ in changed.positions} == paths
        assert changed.share(BOARD) == pytest.approx(claim.cursor.share(BOARD))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"next_threshold": LENGTH - 2}, "minimum f"),
        ({"next_threshold": LENGTH + 1}, "minimum f"),
        ({"engine": None}, "is not recorded"),
        ({"parent": 1}, "does not come from the whole tree"),
        ({"id": 2}, "two slices with the same id"),
        ({"cursor": "ff00"}, "is not a search cursor"),
        ({"cursor": "02"}, "remaining cursors|whole tree"),
    ],
)
def test_inconsistent_slices_are_described(changes, message):
    with pytest.raises(ProofError, match=message):
        derive_claims(BOARD, GOAL, LENGTH, [change_slice(1, **changes)])


def test_lost_or_duplicated_parts_are_found():
    """If a slice and all its descendants are lost, its parent seems to have searched them."""
    tree = last_tree()
    for slice_ in tree.slices[1::8]:
        removed_ids = {slice_.id}
        for record in tree.slices:
            if record.parent in removed_ids:
                removed_ids.add(record.id)
        for ids in ({slice_.id}, removed_ids):
            slices = [record for record in tree.slices if record.id not in ids]
            assert not is_proven(replace_slices(tree, slices), only=slice_.parent)
    slices = [*last_tree().slices, last_tree().slices[1].model_copy(update={"id": 10_000})]
    with pytest.raises(ProofError, match="do not follow"):
        derive_claims(BOARD, GOAL, LENGTH, [replace_slices(last_tree(), slices)])


def test_slice_that_was_only_split():
    """A slice that crashed its workers is split: it has no nodes and no engine."""
    thresholds, _ = record_thresholds(BOARD, GOAL, 1 << 40, lambda _: 0)
    tree = thresholds[-1]
    (complete,) = tree.slices
    records = [complete.model_copy(update={"nodes": 0, "next_threshold": None, "engine": None})]
    for number, half in enumerate(split_cursor(Cursor.root(), 1), 1):
        changes = {"id": number, "parent": 0, "cursor": half.to_bytes().hex()}
        slice_ = complete.model_copy(update=changes)
        records.append(slice_)
    assert len(derive_claims(BOARD, GOAL, LENGTH, [replace_slices(tree, records)])) == 3
    with pytest.raises(ProofError, match="is not recorded"):
        derive_claims(BOARD, GOAL, LENGTH, [replace_slices(tree, records[:2])])
    # The other tree cannot begin at any other goal.
    cursor = Cursor.root(goal_blank=GOAL.blank - 1).to_bytes().hex()
    other_root = records[1].model_copy(update={"cursor": cursor})
    with pytest.raises(ProofError, match="do not follow"):
        derive_claims(BOARD, GOAL, LENGTH, [replace_slices(tree, [records[0], other_root])])


def test_records_with_cursors_of_version_1_prove_their_bound():
    """In version 1, a cursor was one path and the untried moves along it."""
    text = (DATA / "record_of_one_path_cursors.json").read_text()
    thresholds = [ThresholdRecord.model_validate(tree) for tree in json.loads(text)]
    assert all(record.cursor.startswith("01") for tree in thresholds for record in tree.slices)
    assert sum(len(tree.slices) for tree in thresholds) > 50
    assert is_proven(*thresholds)
    tree = thresholds[-1]
    slices = [record for record in tree.slices if record.parent != tree.slices[2].id]
    assert len(slices) < len(tree.slices)
    assert not is_proven(*thresholds[:-1], replace_slices(tree, slices))


def test_slice_may_not_return_nodes_beyond_the_solution():
    """A search that starts below the end of the solution finds nothing within the threshold."""
    goal = blank_last(Size(3, 3))
    board = Board([1, 2, 3, 5, 4, 6, 8, 0, 7])
    shortest = ida_star(board, goal).moves
    length = len(shortest)
    child = Cursor((Position(shortest.tobytes(), 15),))
    rest = difference(Cursor.root(), [child], board, goal)
    parts = [
        search_slice(board, goal, length, cursor, 1 << 60) for cursor in (rest.residual, child)
    ]
    # There is only one shortest solution.
    assert [part.moves for part in parts] == [None, None]
    passed = replace(parts[0], nodes=parts[0].nodes + rest.inner_nodes)
    slices = [
        make_slice_record(0, None, Cursor.root(), passed),
        make_slice_record(1, 0, child, parts[1]),
    ]
    tree = make_threshold_record(length, slices)
    first, second = derive_claims(board, goal, length + 2, [tree])
    recheck_claim(board, goal, second)
    with pytest.raises(ProofError, match=f"contains a solution of {length} moves"):
        recheck_claim(board, goal, first)


def test_impossible_thresholds_and_cursors_are_rejected():
    tree = last_tree().model_copy(update={"threshold": 2_000, "next": 2_002})
    with pytest.raises(ProofError, match="limited to paths of 1022 moves"):
        derive_claims(BOARD, GOAL, 2_002, [tree])
    with pytest.raises(InputError, match="limited to paths of 1022 moves"):
        search_slice(BOARD, GOAL, 1_023, Cursor.root(), 1)


NO_LIMITS = Limits()


def find_record_error(
    record: ThresholdRecord, folder: Path, seed: str = "1", limits: Limits = NO_LIMITS
) -> Message | None:
    return find_error(BOARD, GOAL, record, seed, pdb_folder=folder, limits=limits)


def remove_a_node() -> ThresholdRecord:
    """Return a record whose slices have one node less."""
    slices = last_tree().slices
    records = [slice_.model_copy(update={"nodes": max(1, slice_.nodes - 1)}) for slice_ in slices]
    return replace_slices(last_tree(), records)


def test_only_a_correct_record_passes(tmp_path, caplog):
    slices = last_tree().slices
    assert find_record_error(last_tree(), tmp_path) is None
    assert "it needs" in str(find_record_error(remove_a_node(), tmp_path))
    incomplete = replace_slices(last_tree(), slices[1:])
    assert find_record_error(incomplete, tmp_path) is not None
    # Slices that cannot be searched again are reported, but are no error.
    absent = [
        record.model_copy(update={"engine": record.engine and "5x4 7-7-5 r10"}) for record in slices
    ]
    with caplog.at_level(logging.WARNING):
        assert find_record_error(replace_slices(last_tree(), absent), tmp_path) is None
    assert "could not be searched again" in caplog.text


def test_few_slices_are_searched_again(tmp_path, monkeypatch):
    samples = []

    def recheck_claims(board, goal, claims, folder, limits):
        samples.append(claims)
        return 0

    monkeypatch.setattr(proof, "recheck_claims", recheck_claims)
    for seed in map(str, range(10)):
        assert find_record_error(last_tree(), tmp_path, seed) is None
    assert len({tuple(claim.record.id for claim in claims) for claims in samples}) > 1
    smallest = min(record.nodes for record in last_tree().slices if record.engine is not None)
    for claims in samples:
        assert 1 <= len(claims) <= MAX_SLICES
        nodes = sum(claim.record.nodes for claim in claims)
        assert nodes <= max(MAX_SHARE * last_tree().nodes, smallest)
