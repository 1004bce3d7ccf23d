from __future__ import annotations

import subprocess
import sys

from flask.testing import FlaskClient

LAB = "/api/v1/lab"


def test_every_algorithm_tells_what_it_promises(client: FlaskClient) -> None:
    algorithms = {one["name"]: one for one in client.get(LAB).json["algorithms"]}
    assert len(algorithms) == 19
    assert algorithms["a-star"] == {
        "name": "a-star",
        "title": "A*",
        "informed": True,
        "complete": True,
        "optimal": "admissible",
        "parameter": None,
    }
    assert algorithms["breadth-first"]["optimal"] == "always"
    assert algorithms["greedy"]["optimal"] == "never"
    assert algorithms["a-star-closed"]["optimal"] == "consistent"
    assert {one["name"]: one["parameter"] for one in algorithms.values() if one["parameter"]} == {
        "weighted-a-star": "weight",
        "beam": "width",
    }


def test_every_heuristic_tells_what_holds_of_it(client: FlaskClient) -> None:
    heuristics = {one["name"]: one for one in client.get(LAB).json["heuristics"]}
    assert len(heuristics) == 13
    assert heuristics["manhattan"] == {
        "name": "manhattan",
        "title": "Manhattan",
        "admissible": True,
        "consistent": True,
    }
    assert not heuristics["sum"]["admissible"]


def test_the_ten_methods_compared_by_default_are_named(client: FlaskClient) -> None:
    methods = client.get(LAB).json["default_methods"]
    assert len(methods) == len(set(methods)) == 10
    assert methods[0] == "a-star:manhattan"


def test_the_limits_are_those_of_the_service(make_app) -> None:
    client = make_app(
        lab_seconds=3,
        lab_max_seconds=7.5,
        lab_nodes=1_000,
        lab_memory_bytes=2**22,
        lab_max_cells=25,
        lab_runs_per_comparison=12,
    ).test_client()
    lab = client.get(LAB).json
    assert lab["limits"]["time_limit_s"] == {"default": 3, "most": 7.5}
    assert lab["limits"]["node_limit"]["default"] == 1_000
    assert lab["limits"]["memory_limit_mb"]["default"] == 4
    assert (lab["max_cells"], lab["max_runs"]) == (25, 12)


def test_the_names_may_be_kept_for_a_while(client: FlaskClient) -> None:
    answer = client.get(LAB)
    assert answer.headers["Cache-Control"] == "public, max-age=300"
    again = client.get(LAB, headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_telling_of_the_lab_loads_none_of_its_searches() -> None:
    code = (
        "import sys, tilework.web.app; "
        "sys.exit('tilework.core.lab.catalogue' in sys.modules or 'numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
