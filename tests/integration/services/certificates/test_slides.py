import json
import random
from dataclasses import replace

import pytest

from tests.integration.services.certificates.test_certificates import CHECK_ALL, certify
from tests.integration.services.conftest import read_certificate_text
from tests.support.services.scripted_slides import (
    ScriptedSlidesSolver,
    min_slides,
    report_bounds_only,
    solve_in_fewest_slides,
)
from tests.support.services.scripted_solver import BOARD, GOAL
from tilework.core.errors import InputError
from tilework.core.formats.certificate import Proof, read_certificate
from tilework.core.puzzle.board import Board, Size
from tilework.core.puzzle.goals import blank_at, blank_last
from tilework.core.puzzle.metric import BoundProof, Metric
from tilework.core.puzzle.scramble import scramble
from tilework.core.search.limits import StopReason
from tilework.core.services.certificates.verifier import examine
from tilework.core.solver.result import SearchedThreshold

FARTHEST_BOARD = Board([8, 6, 7, 2, 5, 4, 3, 0, 1])
HARD_BOARD = Board([8, 11, 4, 7, 5, 0, 1, 9, 2, 10, 6, 3], 4, 3)


@pytest.fixture
def database_url(sqlite_url):
    """URL of a SQLite database: the certificates of sliced searches are read from both kinds."""
    return sqlite_url


def solve(service, board, goal, **options):
    job = service.request(board, goal=goal, metric=Metric.SLIDES, **options)
    service.work()
    return job


def check(certificate):
    findings = examine(certificate, CHECK_ALL)
    assert findings.error is None, findings.error


def test_complete_tables_prove_the_solution_optimal(real_service):
    goal = blank_last(Size(3, 3))
    certificate = certify(real_service, solve(real_service, FARTHEST_BOARD, goal))
    assert certificate.metric is Metric.SLIDES
    assert certificate.slides == certificate.lower_bound == min_slides(FARTHEST_BOARD, goal) == 20
    assert certificate.length == len(certificate.moves) > 20
    assert certificate.optimal
    assert (certificate.proof, certificate.thresholds) == (Proof.ONE_PROCESS, [])
    check(certificate)


def test_boards_near_and_far_from_any_goal_are_certified(real_service):
    # For the first two, no search is needed.
    for goal, moves in (
        (blank_last(Size(3, 3)), 0),
        (blank_last(Size(3, 3)), 1),
        (blank_at(Size(2, 6), 1), 1_001),
    ):
        board = scramble(goal.size, goal, 1, moves=moves)
        check(certify(real_service, solve(real_service, board, goal)))


def test_bounds_found_during_a_search_do_not_replace_a_record(service):
    service.solver = ScriptedSlidesSolver()

    def prove_all_but_one(board, goal, limits, on_solution):
        optimal = solve_in_fewest_slides(board, goal, limits, on_solution)
        bound = optimal.lower_bound - 1
        return replace(
            optimal,
            lower_bound=bound,
            moves=None,
            stopped_by=StopReason.CANCELLED,
            thresholds=(SearchedThreshold(bound - 1, 70, 0.1, bound),),
        )

    def report_optimum_first(board, goal, limits, on_solution):
        optimal = solve_in_fewest_slides(board, goal, limits, on_solution)
        on_solution(replace(optimal, thresholds=()))
        return optimal

    for count, script in enumerate((prove_all_but_one, report_bounds_only)):
        service.solver.scripts.append(script)
        job = service.request(BOARD, metric=Metric.SLIDES)
        service.worker().run("interactive", "w", lambda before=count: service.solver.calls > before)
        service.cancel(job.id, service.client)
    certificate = certify(service, job)
    assert certificate.lower_bound == min_slides(BOARD, GOAL) - 1
    assert certificate.proof is Proof.THRESHOLDS
    service.solver.scripts.append(report_optimum_first)
    certificate = certify(service, solve(service, BOARD, GOAL))
    assert (certificate.optimal, certificate.proof) == (True, Proof.THRESHOLDS)


def test_wrong_record_is_rejected(service):
    """The scripted solver invents its numbers."""
    service.solver = ScriptedSlidesSolver()
    certificate = certify(service, solve(service, BOARD, GOAL))
    assert certificate.proof is Proof.THRESHOLDS
    assert examine(certificate, CHECK_ALL).error.code == "thresholds-differ"


def find_value_paths(part, path=()):
    """Return the paths of all values of a document that `verify` checks."""
    if isinstance(part, dict | list) and part:
        items = part.items() if isinstance(part, dict) else enumerate(part)
        return [child for key, value in items for child in find_value_paths(value, (*path, key))]
    unchecked = path[0] in ("search", "engine_version") or path[-1] == "seconds"
    return [] if unchecked else [path]


STRINGS = ("moves", "slides", "", "x", *BoundProof, *Proof, "L", "UDLR", "xr")


def make_replacements(value):
    """Return values that could replace this one."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value - 2, value - 1, value + 1, value + 2, value + 1000]
    if isinstance(value, str):
        return [string for string in STRINGS if string != value]
    return [[{"id": 0}]] if value == [] else [1]


def is_rejected(document):
    try:
        return examine(read_certificate(json.dumps(document)), CHECK_ALL).error is not None
    except InputError:
        return True


def test_every_changed_or_missing_field_is_detected(real_service):
    job = solve(real_service, HARD_BOARD, blank_last(HARD_BOARD.size))
    text = read_certificate_text(real_service, job)
    document, rng = json.loads(text), random.Random(1)
    assert (document["slides"], document["optimal"], document["proof"]) == (25, True, "thresholds")
    assert [threshold["threshold"] for threshold in document["thresholds"]] == [21, 22, 23, 24]
    assert not is_rejected(document)
    for *path, last in find_value_paths(document):
        changed_document = part = json.loads(text)
        for step in path:
            part = part[step]
        part[last] = rng.choice(make_replacements(part[last]))
        assert is_rejected(changed_document), (*path, last, part[last])
    # The defaults of these fields equal their values here.
    defaults = {"format", "version", "lower_bound_proof"}
    for name in document.keys() - defaults:
        assert is_rejected({key: document[key] for key in document.keys() - {name}}), name
    thresholds = document["thresholds"]
    for first, end in ((0, 1), (1, 3), (3, 4), (0, 4)):
        assert is_rejected(document | {"thresholds": thresholds[:first] + thresholds[end:]})
    # A longer solution must not pass as the shortest.
    moves = document["moves"] + "RL"
    longer = document | {"moves": moves, "length": len(moves), "slides": 27, "lower_bound": 27}
    longer |= {"thresholds": [], "proof": Proof.ONE_PROCESS}
    assert examine(read_certificate(json.dumps(longer)), CHECK_ALL).error.code == "shorter-solution"
