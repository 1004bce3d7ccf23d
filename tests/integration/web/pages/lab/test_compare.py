import re
from html import unescape

from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3
from tilework.core.assembly import Services
from tilework.core.lab.methods import ALGORITHMS, DEFAULT_METHODS, HEURISTICS

DEFAULT_BOXES = [":".join(method.text.split(":")[:2]) for method in DEFAULT_METHODS]
INVALID_FIELDS = [
    ({"method": []}, "at least one method"),
    ({"method": "magic"}, "unknown algorithm 'magic'"),
    ({"method": "beam:zero", "beam_width": "x"}, "'x' is not a number"),
    ({"time_limit_s": "9999"}, "seconds: invalid value '9999'; use a number of at most 60"),
    ({"memory_limit_mb": "9999"}, "invalid memory limit 9999 mib"),
    ({"kind": "sweep", "width": "30", "height": "30"}, "lab accepts at most"),
    ({"kind": "sweep", "boards": "0"}, "boards: invalid value '0'"),
    ({"kind": "sweep", "boards": "1000", "method": DEFAULT_BOXES}, "too large"),
]


def read_checked_boxes(page: str) -> list[str]:
    return sorted(re.findall(r'name="method" value="([^"]+)" checked', page))


def submit_form(client: FlaskClient, services: Services, **fields: object):
    response = client.post("/comparisons", data={"board": EASY_3X3, **fields})
    assert response.status_code == 303, response.text
    return services.comparisons.view(response.location.rsplit("/", 1)[1])


def list_methods(comparison) -> list[str]:
    return [method.text for method in comparison.methods]


def test_every_pair_has_a_box_and_ten_are_checked(client: FlaskClient) -> None:
    page = client.get("/compare").text
    boxes = re.findall(r'name="method" value="([^"]+)"', page)
    informed_count = sum(facts.informed for facts in ALGORITHMS.values())
    pairs = informed_count * len(HEURISTICS) + len(ALGORITHMS) - informed_count
    assert len(set(boxes)) == len(boxes) == pairs
    assert read_checked_boxes(page) == sorted(DEFAULT_BOXES)


def test_form_becomes_a_comparison(client: FlaskClient, services: Services) -> None:
    comparison = submit_form(client, services, method=sorted(DEFAULT_BOXES))
    assert list_methods(comparison) == [method.text for method in DEFAULT_METHODS]
    boxes = ["weighted-a-star:zero", "beam:hamming", "a-star:zero"]
    fields = {"time_limit_s": "2.5", "node_limit": "1000", "memory_limit_mb": ""}
    comparison = submit_form(client, services, method=boxes, weight="1,5", beam_width="7", **fields)
    expected = {"weighted-a-star:zero:1.5", "beam:hamming:7", "a-star:zero"}
    assert set(list_methods(comparison)) == expected
    limits = comparison.limits
    assert (limits.seconds, limits.nodes, limits.memory_bytes) == (2.5, 1000, 512 * 2**20)
    fields = {"kind": "sweep", "width": "4", "height": "2", "boards": "3", "moves": "9"}
    fields |= {"goal": "blank-first", "seed": "5"}
    comparison = submit_form(client, services, method="a-star:manhattan", **fields)
    assert (comparison.sweep.boards, comparison.sweep.moves, comparison.sweep.seed) == (3, 9, 5)
    assert comparison.goal.cells.tolist() == [0, 1, 2, 3, 4, 5, 6, 7]
    assert (comparison.goal.width, len(comparison.runs)) == (4, 3)


def test_invalid_field_is_reported_and_the_input_is_kept(client: FlaskClient) -> None:
    def read_error(page: str) -> str:
        match = re.search(r'role="alert".*?</strong> (.*?)</p>', page, re.DOTALL)
        return unescape(match[1]).lower()

    for fields, expected in INVALID_FIELDS:
        data = {"board": EASY_3X3, "method": "a-star:manhattan", **fields}
        response = client.post("/comparisons", data=data)
        assert response.status_code == 422
        assert expected in read_error(response.text)
    numbers = {"weight": "3", "node_limit": "77", "seed": "9"}
    boxes = {"method": ["beam:zero", "depth-first"], "goal": "spiral"}
    response = client.post("/comparisons", data={"board": "1 2 q"} | boxes | numbers)
    assert "'q' is not a tile" in read_error(response.text)
    assert "1 2 q</textarea>" in response.text
    assert '<option value="spiral" selected>' in response.text
    assert read_checked_boxes(response.text) == ["beam:zero", "depth-first"]
    for name, value in numbers.items():
        assert re.search(rf'name="{name}" value="{value}"', response.text)
