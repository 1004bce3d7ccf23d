from __future__ import annotations

import pytest

from tests.support.services.staging import BOARD, ScriptedSolver
from tilework.core.services.farm.cutting import LEAST_PIECE_S, cut, worth
from tilework.core.services.farm.keeper import Hold
from tilework.core.services.farm.workload import Farm
from tilework.core.services.ports import Piece
from tilework.core.settings import Settings

split = ScriptedSolver().split


@pytest.mark.parametrize(("workers", "seconds"), [(0, 1), (1, 1), (50, 1), (128, 2.56), (512, 5)])
def test_slices_grow_with_the_farm(workers, seconds):
    settings = Settings(search_slice_s=1, search_slice_most_s=5)
    assert Farm(workers=workers).slice_s(settings) == pytest.approx(seconds)


def test_who_works_alone_cuts_nothing():
    assert Farm(workers=1, busy=1, held=1, clients=1).pieces_short(4) == 0


def test_pieces_are_put_by_while_few_wait():
    assert Farm(workers=2, busy=2, held=2, clients=1, ready=4).pieces_short(4) == 0
    assert Farm(workers=2, busy=2, held=2, clients=1, ready=1).pieces_short(4) == 2
    assert Farm(workers=0).pieces_short(4) == 4


def test_the_first_slice_of_a_search_feeds_the_whole_farm():
    farm = Farm(workers=64, busy=1, held=1, clients=1)
    assert farm.hungry == 63
    assert farm.pieces_short(4) == 63
    assert farm.chance_to_share() == 1.0


def test_a_client_cuts_until_he_has_his_part_of_the_farm():
    farm = Farm(workers=64, busy=64, held=1, clients=2, ready=20)
    assert farm.pieces_short(4) == 31
    assert Farm(workers=64, busy=64, held=32, clients=2, ready=20).pieces_short(4) == 0


def test_nobody_ends_early_while_pieces_wait_for_the_idle():
    assert Farm(workers=8, busy=4, ready=4).chance_to_share() == 0.0
    assert Farm(workers=8, busy=8).chance_to_share() == 0.0


def test_of_many_some_end_early_for_one():
    assert 0 < Farm(workers=64, busy=63).chance_to_share() < 0.1


def test_few_at_work_look_often_however_many_wait_for_them():
    assert Farm(workers=512, busy=5).look_s() == Farm(workers=8, busy=5).look_s() <= 0.25


def test_a_piece_is_worth_more_where_many_share_one_lock():
    assert worth(1.05, workers=8) == worth(1.05) == 11
    assert worth(1.05, workers=512) == 2
    assert worth(10.5, workers=512) == 11


def test_until_its_first_look_a_claim_has_slices_as_long_as_the_last_one():
    settings = Settings(search_slice_s=1, search_slice_most_s=5)
    hold = Hold([], "worker", before=Farm(workers=512))
    assert hold.slice_s(settings) == 5
    hold.note(Farm(workers=8, busy=8))
    assert hold.slice_s(settings) == 1


@pytest.mark.parametrize("busy", [1, 8, 64, 512, 4096])
def test_all_together_look_some_hundred_times_a_second_at_most(busy):
    assert busy / Farm(workers=busy, busy=busy).look_s() <= 250


def test_long_work_makes_way_where_nobody_is_idle():
    assert Farm(workers=2, busy=2, pressing=1).chance_to_yield() == 1.0
    assert Farm(workers=2, busy=1, pressing=1).chance_to_yield() == 0.0
    assert Farm(workers=2, busy=2).chance_to_yield() == 0.0
    assert 0 < Farm(workers=100, busy=100, pressing=1).chance_to_yield() < 0.1


def test_the_largest_piece_is_cut_and_the_first_stays_first():
    pieces = cut(split, BOARD, [Piece(b"a:0.2", 0.2), Piece(b"b:0.6", 0.6)], 4)
    assert [piece.cursor.split(b":")[0] for piece in pieces] == [b"a", b"baa", b"bb", b"bab"]
    assert sum(piece.share for piece in pieces) == pytest.approx(0.8)


def test_what_cannot_be_cut_stays_whole():
    assert len(cut(split, BOARD, [Piece(b"a:0.015", 0.015)], 5)) == 1
    assert cut(split, BOARD, [], 5) == ()


def test_little_work_is_not_cut():
    assert worth(LEAST_PIECE_S / 2) == 1
    assert worth(LEAST_PIECE_S * 5.5) == 6
    assert worth(float("inf")) > 1_000
