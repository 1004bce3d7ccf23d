import re
from html import unescape

from flask.testing import FlaskClient

from tests.integration.web.conftest import EASY_3X3, DoWork

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


def test_comparison_is_listed_and_can_be_repeated(client: FlaskClient) -> None:
    paths = []
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
        paths.insert(0, path)
    recent = client.get("/compare").text.partition('class="recent"')[2]
    assert re.findall(r'href="(/comparisons/[^"]+)"', recent) == paths
