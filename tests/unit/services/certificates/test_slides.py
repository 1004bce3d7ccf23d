"""Certificates of jobs that count in slides: made, checked again, and refused where changed."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.services.sliding import SlidingSolver, noted_only, slides_between
from tests.support.services.staging import ANY, BOARD, GOAL
from tests.unit.services.certificates.test_make import certificate_of
from tilework.core.errors import InputError
from tilework.core.formats.bound_proof import BoundProof
from tilework.core.formats.certificate import (
    CanonicalRecord,
    Certificate,
    CertificateHead,
    Proof,
    SearchRecord,
    ThresholdHead,
    read_certificate,
    write_certificate,
)
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.canonical import canonicalize
from tilework.core.puzzle.goals import blank_at, blank_last
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.scramble import scramble
from tilework.core.puzzle.slides import slides_in
from tilework.core.services.certificates.check import examine
from tilework.core.services.certificates.options import VerifyOptions
from tilework.core.services.farm.local_solver import LocalSolver
from tilework.core.services.states import JobState
from tilework.core.solver.slides.find import find_slides

ONCE = VerifyOptions(None, 0)
FARTHEST = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
HARD = Board([8, 11, 4, 7, 5, 0, 1, 9, 2, 10, 6, 3], 4, 3)


@pytest.fixture
def true_house(house, pattern_databases):
    house.solver = LocalSolver(pattern_databases)
    return house


def solved(house, board, goal, **options):
    job = house.ask(board, goal=goal, metric=Metric.SLIDES, **options)
    house.work()
    return job


def check(certificate: Certificate) -> None:
    findings = examine(certificate, ONCE)
    assert findings.fault is None, findings.fault


def test_tables_of_the_whole_board_prove_by_themselves(true_house):
    goal = blank_last(Size(3, 3))
    certificate = certificate_of(true_house, solved(true_house, FARTHEST, goal))
    assert certificate.metric is Metric.SLIDES
    assert certificate.slides == certificate.lower_bound == slides_between(FARTHEST, goal) == 20
    assert certificate.length == len(certificate.moves) > 20
    assert certificate.optimal
    assert (certificate.proof, certificate.thresholds) == (Proof.ONE_PROCESS, [])
    check(certificate)


def test_every_threshold_is_searched_again(true_house):
    certificate = certificate_of(true_house, solved(true_house, HARD, blank_last(HARD.size)))
    assert (certificate.slides, certificate.optimal) == (25, True)
    assert certificate.proof is Proof.THRESHOLDS
    assert [one.threshold for one in certificate.thresholds] == [21, 22, 23, 24]
    assert certificate.thresholds[-1].next == 25
    check(certificate)


@pytest.mark.parametrize("size", [(3, 3), (2, 3), (4, 3), (2, 6)], ids=str)
def test_any_goal_is_certified(true_house, size):
    for goal in (blank_last(Size(*size)), blank_at(Size(*size), 1)):
        for seed in range(2):
            board = scramble(goal.size, goal, seed)
            check(certificate_of(true_house, solved(true_house, board, goal)))


def test_what_needs_no_search(true_house):
    goal = blank_last(Size(3, 3))
    for letters in (0, 1):
        board = scramble(goal.size, goal, 1, moves=letters)
        certificate = certificate_of(true_house, solved(true_house, board, goal))
        assert (certificate.proof, certificate.thresholds) == (Proof.ONE_PROCESS, [])
        check(certificate)


def test_what_is_noted_is_certified_without_its_record(house):
    house.solver = SlidingSolver()
    house.solver.slidings.append(noted_only)
    job = house.ask(BOARD, metric=Metric.SLIDES)
    house.worker().serve("interactive", "w", lambda: house.solver.slid > 0)
    house.cancel(job.id, house.client)
    certificate = certificate_of(house, job)
    assert (certificate.lower_bound, certificate.optimal) == (3, False)
    assert (certificate.proof, certificate.thresholds) == (Proof.ONE_PROCESS, [])
    check(certificate)


def test_a_record_that_is_not_that_of_the_search_is_refused(house):
    """The scripted solver makes its numbers up."""
    house.solver = SlidingSolver()
    certificate = certificate_of(house, solved(house, BOARD, GOAL))
    assert certificate.proof is Proof.THRESHOLDS
    assert examine(certificate, ONCE).fault.code == "thresholds-differ"


def test_any_solution_of_a_large_board_has_its_bound_proved(make_house, monkeypatch):
    monkeypatch.setattr("tilework.core.services.farm.searcher.LONG_OPENING_S", 0.3)
    house = make_house()
    house.solver = LocalSolver(house.settings.data_dir)
    for side in (5, 7):
        goal = blank_last(Size(side, side))
        job = solved(house, scramble(goal.size, goal, 1), goal, target=ANY)
        assert house.read.view(job.id).state is JobState.BOUNDED
        check(certificate_of(house, job))


@cache
def text_of(board: Board) -> str:
    goal = blank_last(board.size)
    found = find_slides(board, goal)
    head = CertificateHead(
        engine_version="tilework 0",
        width=board.width,
        height=board.height,
        board=board.cells.tolist(),
        goal=goal.cells.tolist(),
        length=len(found.moves),
        slides=slides_in(found.moves),
        metric=Metric.SLIDES,
        lower_bound=found.lower_bound,
        optimal=True,
        proof=Proof.THRESHOLDS,
        search=SearchRecord(algorithm="ida-star", nodes=1, seconds=0.0),
        canonical=CanonicalRecord.of(canonicalize(board, goal)),
    )
    trees = [
        (ThresholdHead(threshold=one.threshold, nodes=one.nodes, seconds=0.1, next=one.next), ())
        for one in found.thresholds
    ]
    return "".join(write_certificate(head, found.moves, trees))


def places_in(part, place=()):
    """Where the values of a document are, but for what is told and not claimed."""
    if isinstance(part, dict | list) and part:
        items = part.items() if isinstance(part, dict) else enumerate(part)
        return [found for key, value in items for found in places_in(value, (*place, key))]
    told = place[0] in ("search", "engine_version") or place[-1] == "seconds"
    return [] if told else [place]


OTHERS = {
    bool: lambda value: st.just(not value),
    int: lambda value: st.sampled_from([-2, -1, 1, 2, 1000]).map(value.__add__),
    list: lambda _: st.just([{"id": 0}]),
    type(None): lambda _: st.just(1),
}
WORDS = ["moves", "slides", "", "x", *BoundProof, *Proof, "L", "UDLR", "xr"]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_any_other_value_is_found(data):
    document = json.loads(text_of(HARD))
    *way, last = data.draw(st.sampled_from(places_in(document)))
    part = document
    for step in way:
        part = part[step]
    value = part[last]
    others = OTHERS.get(type(value), lambda _: st.sampled_from(WORDS))(value)
    part[last] = data.draw(others.filter(lambda other: other != value))
    with suppress(InputError):
        assert examine(read_certificate(json.dumps(document)), ONCE).fault is not None


@given(st.data())
def test_a_threshold_that_is_missing_is_found(data):
    document = json.loads(text_of(HARD))
    count = len(document["thresholds"])
    first = data.draw(st.integers(0, count - 1))
    del document["thresholds"][first : data.draw(st.integers(first + 1, count))]
    assert examine(read_certificate(json.dumps(document)), ONCE).fault is not None


@given(st.data())
def test_a_field_that_is_missing_is_found(data):
    document = json.loads(text_of(HARD))
    del document[data.draw(st.sampled_from(sorted(document.keys() - DEFAULTS)))]
    with suppress(InputError):
        assert examine(read_certificate(json.dumps(document)), ONCE).fault is not None


# Whose defaults they have here.
DEFAULTS = {"format", "version", "lower_bound_proof"}


def test_the_unchanged_certificate_holds():
    check(read_certificate(text_of(HARD)))


def test_a_worse_solution_is_not_called_the_best():
    document = json.loads(text_of(HARD))
    document["moves"] += "RL"
    document |= {"length": len(document["moves"]), "slides": 27, "lower_bound": 27}
    document["thresholds"] = []
    document["proof"] = Proof.ONE_PROCESS
    fault = examine(read_certificate(json.dumps(document)), ONCE).fault
    assert fault.code == "shorter-solution"
