from tilework.core.puzzle.board import Size
from tilework.core.solver.pdb.building.budget import has_room, plan
from tilework.core.solver.pdb.files import bytes_of
from tilework.core.solver.pdb.patterns import DEFAULT_SIZES, partition_named, partitions_for

DEFAULTS = {partition for size in DEFAULT_SIZES for partition in partitions_for(size)}
QUICK = {partition_named(Size(4, 4), "6-6-3"), partition_named(Size(5, 5), "5-5-5-5-4")}
LARGE = partition_named(Size(5, 5), "6-6-6-6")


def test_all_fit_the_default(tmp_path):
    found = plan(tmp_path / "none", 5_000_000_000)
    assert set(found.within) == DEFAULTS
    assert found.over == ()
    assert set(found.within[:2]) == QUICK


def test_what_does_not_fit_is_left_out_and_what_is_smaller_still_fits(tmp_path):
    quick = sum(map(bytes_of, QUICK))
    assert set(plan(tmp_path, quick).within) == QUICK
    assert set(plan(tmp_path, quick).over) == DEFAULTS - QUICK
    assert LARGE in plan(tmp_path, quick + bytes_of(LARGE)).within
    found = plan(tmp_path, quick + bytes_of(LARGE) - 1)
    assert LARGE in found.over
    assert partition_named(Size(4, 4), "7-8") in found.within
    assert plan(tmp_path, 0).within == ()


def test_other_databases_count_and_the_defaults_do_not_count_twice(tmp_path):
    quick = sum(map(bytes_of, QUICK))
    (tmp_path / "4x4-6-6-3.pdb").write_bytes(bytes(1000))
    assert set(plan(tmp_path, quick).within) == QUICK
    (tmp_path / "3x3-4-4.pdb").write_bytes(bytes(1000))
    assert len(plan(tmp_path, quick).within) == 1
    assert set(plan(tmp_path, quick + 1000).within) == QUICK


def test_one_has_room_beside_all_else(tmp_path):
    (tmp_path / "3x3-4-4.pdb").write_bytes(bytes(1000))
    (tmp_path / "5x5-6-6-6-6.pdb").write_bytes(b"nonsense")
    assert has_room(LARGE, tmp_path, bytes_of(LARGE) + 1000)
    assert not has_room(LARGE, tmp_path, bytes_of(LARGE) + 999)
