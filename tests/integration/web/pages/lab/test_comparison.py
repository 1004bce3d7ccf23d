import re
from html import unescape

from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, DoWork
from tilework.core.assembly import Services
from tilework.core.lab.methods import ALGORITHMS, DEFAULT_METHODS, HEURISTICS

NEAR_SPIRAL = "1 2 3 8 4 0 7 6 5"
BOARD_OF_27_MOVES = "7 5 8 2 3 4 1 0 6"
FORMS = [
    {"board": NEAR_SPIRAL, "goal": "spiral", "time_limit_s": "2.5", "memory_limit_mb": "77"},
    {"board": "4x2: 1 2 3 4 5 6 0 7", "goal": "own", "goal_board": "1 2 3 4 5 6 7 0"},
    {"kind": "sweep", "width": "2", "height": "3", "boards": "4", "moves": "6", "seed": "8"},
]


def make_comparison(client: FlaskClient, *methods: str, **fields: str) -> str:
    data = {"board": EASY_3X3, "method": list(methods), **fields}
    response = client.post("/comparisons", data=data)
    assert response.status_code == 303, response.text
    return response.location


def read_rows(page: str) -> dict[str, list[str]]:
    """Return the texts of the table's cells by method."""
    body = re.search(r'<tbody data-part="rows">(.*?)</tbody>', page, re.DOTALL)
    cells_by_method = {}
    for key, row in re.findall(r'<tr data-key="([^"]+)">(.*?)</tr>', body[1], re.DOTALL):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL)
        cells_by_method[key] = [unescape(re.sub(r"<[^>]+>", "", cell)).strip() for cell in cells]
    return cells_by_method


def test_proven_optimal_length_is_shown(client: FlaskClient, work: DoWork) -> None:
    methods = ("breadth-first", "greedy:manhattan", "weighted-a-star:manhattan")
    path = make_comparison(client, *methods, board=BOARD_OF_27_MOVES, weight="1")
    greedy_path = make_comparison(client, "greedy:manhattan")
    work()
    page = client.get(path).text
    cells = read_rows(page)
    assert cells["breadth-first"][1:4] == ["solved", "27", "yes"]
    assert cells["weighted-a-star:manhattan:1"][2:4] == ["27", "yes"]  # proved by the other method
    assert cells["greedy:manhattan"][3] == "no"
    assert int(cells["greedy:manhattan"][2]) > 27
    assert "optimal length: 27 moves" in page
    page = client.get(greedy_path).text
    assert read_rows(page)["greedy:manhattan"][3] == "–"
    assert "shortest solution:" not in page


def test_sweep_has_a_row_for_each_method_with_medians(client: FlaskClient, work: DoWork) -> None:
    sweep = {"kind": "sweep", "boards": "3", "moves": "3"}
    path = make_comparison(client, "breadth-first", "greedy:zero", **sweep)
    assert read_rows(client.get(path).text)["breadth-first"][1] == "0 of 3 done"
    work()
    page = client.get(path).text
    cells = read_rows(page)
    # Walks of one, two and three moves without reversals: each solution is as long as its walk.
    assert cells["breadth-first"][1:4] == ["3 of 3 solved", "2", "3 / 3"]
    assert cells["greedy:zero"][1] == "3 of 3 solved"
    assert "2 methods on 3 boards of size 3×3" in page
    assert 'data-chart="sweep"' in page


def test_comparison_can_be_repeated(client: FlaskClient) -> None:
    for fields in FORMS:
        path = make_comparison(client, "beam:manhattan", "breadth-first", **fields)
        page = client.get(path).text
        form = client.get(unescape(re.search(r'class="button" href="(/compare\?[^"]+)"', page)[1]))
        inputs = re.findall(r'<input type="number"[^>]* name="([^"]+)" value="([^"]*)"', form.text)
        data: dict[str, object] = dict(inputs)
        data["kind"] = re.search(r'name="kind" value="(\w+)" checked', form.text)[1]
        data["goal"] = re.search(r'<option value="([^"]+)" selected', form.text)[1]
        for name in ("board", "goal_board"):
            match = re.search(rf'name="{name}".*?>(.*?)</textarea>', form.text, re.DOTALL)
            data[name] = unescape(match[1])
        data["method"] = re.findall(r'name="method" value="([^"]+)" checked', form.text)
        assert client.post("/comparisons", data=data).location == path, fields


DEFAULT_BOXES = [":".join(method.text.split(":")[:2]) for method in DEFAULT_METHODS]
INVALID_FIELDS = [
    ({"method": []}, "at least one method"),
    ({"method": "magic"}, "'magic' is not available"),
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


def test_every_pair_has_a_box_and_three_are_checked(client: FlaskClient) -> None:
    page = client.get("/compare").text
    boxes = re.findall(r'name="method" value="([^"]+)"', page)
    informed_count = sum(facts.informed for facts in ALGORITHMS.values())
    pairs = informed_count * len(HEURISTICS) + len(ALGORITHMS) - informed_count
    assert len(set(boxes)) == len(boxes) == pairs
    assert read_checked_boxes(page) == ["a-star:manhattan", "breadth-first", "ida-star:manhattan"]


def test_form_becomes_a_comparison(client: FlaskClient, services: Services) -> None:
    comparison = submit_form(client, services, method=DEFAULT_BOXES)
    assert list_methods(comparison) == [method.text for method in DEFAULT_METHODS]
    boxes = ["weighted-a-star:zero", "beam:hamming", "a-star:zero"]
    fields = {"time_limit_s": "2.5", "node_limit": "1000", "memory_limit_mb": ""}
    comparison = submit_form(client, services, method=boxes, weight="1,5", beam_width="7", **fields)
    expected = ["weighted-a-star:zero:1.5", "beam:hamming:7", "a-star:zero"]
    assert list_methods(comparison) == expected
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
    # Lessons on what goes wrong are apart from the methods to use.
    for title in ("Course versions", "Faulty heuristics"):
        assert f"<summary>{title}</summary>" in response.text
