import json

import pytest

from tilework.core.errors import InputError
from tilework.core.formats.certificate import (
    CanonicalRecord,
    Certificate,
    CertificateHeader,
    Proof,
    SearchRecord,
    SliceRecord,
    ThresholdRecord,
    format_certificate,
    read_certificate,
)
from tilework.core.puzzle.moves import from_letters

TILES = [1, 2, 0, 3]
HEADER = CertificateHeader(
    engine_version="tilework 0",
    width=2,
    height=2,
    board=TILES,
    goal=[1, 2, 3, 0],
    length=1,
    lower_bound=1,
    optimal=True,
    proof=Proof.SLICES,
    search=SearchRecord(algorithm="ida-star", nodes=7, seconds=0.5),
    canonical=CanonicalRecord(width=2, height=2, board=TILES, goal=[1, 2, 3, 0], transform="i"),
)
MOVES = from_letters("L")
SLICES = [
    SliceRecord(id=0, parent=None, cursor="010f", nodes=3, next_threshold=1, engine="lines"),
    SliceRecord(id=1, parent=0, cursor="0101", nodes=4, next_threshold=None, engine=None),
]
TREES = [
    ThresholdRecord(threshold=threshold, nodes=7, seconds=0.25, next=threshold + 2, slices=SLICES)
    for threshold in (3, 5)
]


def pair_slices(trees):
    return [(tree, tree.slices) for tree in trees]


def test_written_certificate_is_read():
    for count in range(3):
        text = "".join(format_certificate(HEADER, MOVES, pair_slices(TREES[:count])))
        assert read_certificate(text) == Certificate(
            **HEADER.model_dump(exclude={"canonical", "search"}),
            canonical=HEADER.canonical,
            search=HEADER.search,
            moves="L",
            thresholds=TREES[:count],
        )
        assert json.loads(text)["format"] == "tilework certificate"
    lines = "".join(format_certificate(HEADER, MOVES, pair_slices(TREES))).splitlines()
    slices = [line.rstrip(",") for line in lines if line.startswith('{"id"')]
    assert [json.loads(line)["nodes"] for line in slices] == [3, 4, 3, 4]
    # The name of `next_threshold` in files of version 1.
    assert [json.loads(line)["least_over"] for line in slices] == [1, None, 1, None]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"version": 2}, "version"),
        ({"moves": "LX"}, "moves.*'LX'"),
        ({"length": -1}, "length.*-1"),
        ({"proof": "trust me"}, "proof"),
        ({"v" * 5_000: 1}, "vvv"),
        ({"board": "9" * 10_000}, "board"),
        ({"thresholds": [{}]}, r"thresholds\.0\.threshold: this field is required"),
    ],
)
def test_first_invalid_field_is_named(changes, expected):
    document = json.loads("".join(format_certificate(HEADER, MOVES, pair_slices(TREES)))) | changes
    with pytest.raises(InputError, match=expected) as error_info:
        read_certificate(json.dumps(document))
    assert len(str(error_info.value)) < 300
