"""A threshold's record is checked before its bound is told: whole, and a few slices again."""

from __future__ import annotations

import logging
from functools import cache
from pathlib import Path

import pytest

from tests.unit.solver.optimal.recording import record_of
from tilework.core.formats.certificate import SliceRecord, ThresholdRecord
from tilework.core.messages import Message
from tilework.core.puzzle.board import Board
from tilework.core.puzzle.scramble import scramble
from tilework.core.solver.optimal.proof import recheck
from tilework.core.solver.optimal.proof.recheck import MOST_SLICES, SHARE, fault_of

GOAL = Board([*range(1, 8), 0, *range(8, 20)], 5, 4)
BOARD = scramble(GOAL.size, GOAL, 1, moves=60)


@cache
def last_tree() -> ThresholdRecord:
    thresholds, _ = record_of(BOARD, GOAL, 150, lambda number: number % 4)
    return thresholds[-1]


def checked(record: ThresholdRecord, folder: Path, seed: str = "1") -> Message | None:
    return fault_of(BOARD, GOAL, record, seed, pdb_folder=folder, cancelled=lambda: False)


def with_slices(change) -> ThresholdRecord:
    """The tree with slices changed, its sums made to fit."""
    slices = [SliceRecord.model_validate(change(one)) for one in last_tree().slices]
    nodes = sum(one.nodes for one in slices)
    return last_tree().model_copy(update={"slices": slices, "nodes": nodes})


@pytest.fixture(params=["here", "apart"])
def where(request, monkeypatch):
    """In this process, or in one of its own."""
    if request.param == "apart":
        monkeypatch.setattr(recheck, "APART_NODES", 0)


@pytest.mark.usefixtures("where")
def test_a_true_record_passes(tmp_path):
    assert checked(last_tree(), tmp_path) is None


@pytest.mark.usefixtures("where")
def test_slices_that_did_less_than_they_say_do_not(tmp_path):
    def lazier(one: SliceRecord) -> dict[str, object]:
        return one.model_dump(by_alias=False) | {"nodes": max(1, one.nodes - 1)}

    fault = checked(with_slices(lazier), tmp_path)
    assert fault is not None
    assert "it takes" in str(fault)


@pytest.mark.parametrize("lost", [0, 1])
def test_a_record_without_one_of_its_slices_does_not(tmp_path, lost):
    slices = list(last_tree().slices)
    del slices[lost]
    nodes = sum(one.nodes for one in slices)
    record = last_tree().model_copy(update={"slices": slices, "nodes": nodes})
    assert checked(record, tmp_path) is not None


def test_few_are_searched_again(tmp_path, monkeypatch):
    drawn = []

    def redo_all(board, goal, claims, folder, cancelled):
        drawn.append(claims)
        return 0

    monkeypatch.setattr(recheck, "redo_all", redo_all)
    for seed in map(str, range(20)):
        assert checked(last_tree(), tmp_path, seed) is None
    assert len({tuple(claim.record.id for claim in claims) for claims in drawn}) > 1
    for claims in drawn:
        assert 1 <= len(claims) <= MOST_SLICES
        nodes = sum(claim.record.nodes for claim in claims)
        smallest = min(one.nodes for one in last_tree().slices if one.engine is not None)
        assert nodes <= max(SHARE * last_tree().nodes, smallest)


def test_what_cannot_be_searched_here_is_left_out_and_told(tmp_path, caplog):
    def elsewhere(one: SliceRecord) -> dict[str, object]:
        return one.model_dump(by_alias=False) | {"engine": one.engine and "5x4 7-7-5 r10"}

    with caplog.at_level(logging.WARNING):
        assert checked(with_slices(elsewhere), tmp_path) is None
    assert "could not be searched again" in caplog.text


def test_nobody_waits_for_a_check_that_is_cancelled(tmp_path, monkeypatch):
    monkeypatch.setattr(recheck, "APART_NODES", 0)
    stopped = fault_of(BOARD, GOAL, last_tree(), "1", pdb_folder=tmp_path, cancelled=lambda: True)
    assert stopped is None


def test_a_process_that_fails_is_not_a_proof(tmp_path, monkeypatch):
    monkeypatch.setattr(recheck, "APART_NODES", 0)
    monkeypatch.setattr(
        "tilework.core.solver.optimal.proof.recheck_process.sys.executable", "/bin/false"
    )
    with pytest.raises(Exception, match=r"ended with code 1|Broken pipe"):
        checked(last_tree(), tmp_path)
