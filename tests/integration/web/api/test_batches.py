import csv
import io
import json
import re
from zipfile import ZipFile

from flask.testing import FlaskClient

from tests.integration.web.conftest import DoWork

BATCHES = "/api/v1/batches"
TEXT = {"content_type": "text/plain"}
LINES = "1 2 3 4 5 6 7 0 8\n# a note\n\nnamed 3 2 1 2 3 4 0 5\n2 1 3 4 5 6 7 8 0\n"
REJECTED_REQUESTS = [
    ({"json": []}, 422),
    ({"json": {}}, 422),
    ({"json": {"boards": ["1 2 3 0"], "target": "gap"}}, 422),
    ({"data": "# nothing\n", **TEXT}, 422),
    ({"data": b"\x00\xff", **TEXT}, 400),
    ({"data": "{", "content_type": "application/json"}, 400),
    ({"data": "1 2 3 0"}, 415),
]


def test_each_line_is_a_job_and_a_line_of_results(client: FlaskClient, work: DoWork) -> None:
    key = {"Idempotency-Key": "once"}
    response, repeated = (client.post(BATCHES, data=LINES, headers=key, **TEXT) for _ in range(2))
    batch = response.json
    assert repeated.json["id"] == batch["id"]
    assert (batch["total"], batch["unfinished"]) == (3, 2)
    work()
    batch = client.get(batch["links"]["self"]).json
    assert batch["states"] == {"optimal": 2, "failed": 1}
    response = client.get(f"{batch['links']['results']}?format=jsonl")
    assert response.content_type == "application/jsonl"
    results = [json.loads(line) for line in response.text.splitlines()]
    assert [result["moves"] for result in results] == ["L", "L", None]
    assert [(result["width"], result["height"]) for result in results] == [(3, 3), (3, 2), (3, 3)]
    assert results[2]["message"]
    jobs = [client.get(f"/api/v1/jobs/{result['job_id']}").json for result in results]
    job, page = jobs[0], f"/batches/{batch['id']}"
    assert (job["batch_id"], job["links"]["batch"]) == (batch["id"], batch["links"]["self"])
    response = client.get(f"{batch['links']['results']}?format=csv")
    rows = list(csv.DictReader(io.StringIO(response.text)))
    assert [row["moves"] for row in rows] == ["L", "L", ""]
    assert f'batch-{batch["id"]}.csv"' in response.headers["Content-Disposition"]
    assert [row["nodes"] for row in rows] == [str(result["nodes"]) for result in results]
    numbers = re.findall(r'<td class="figure soft">(\d+)</td>', client.get(page).text)
    indexes = [str(result["index"]) for result in results]
    assert indexes == [row["index"] for row in rows] == numbers == ["1", "2", "3"]
    assert [float(row["seconds"]) for row in rows[:2]] == [job["search_s"] for job in jobs[:2]]
    archive = ZipFile(io.BytesIO(client.get(batch["links"]["certificates"]).data))
    assert archive.namelist() == ["00001-3x3-1.json", "00002-3x2-1.json"]
    for name, result in zip(archive.namelist(), results, strict=False):
        assert json.loads(archive.read(name))["moves"] == result["moves"]


def test_json_may_be_boards_with_options_or_only_boards(client: FlaskClient) -> None:
    boards = [[1, 2, 0], "1 2 0"]
    for body, query in (
        ({"boards": boards, "width": 3, "goal": "blank-first"}, ""),
        (boards, "?width=3&goal=blank-first&lang=pt"),
    ):
        response = client.post(f"{BATCHES}{query}", json=body)
        assert (response.status_code, response.json["total"]) == (202, 2)
        line = client.get(response.json["links"]["results"]).text.splitlines()[0]
        job = client.get(f"/api/v1/jobs/{json.loads(line)['job_id']}").json
        assert (job["width"], job["goal"]) == (3, [0, 1, 2])
    response = client.post(f"{BATCHES}?width=3&target=any", json={"boards": boards})
    assert (response.status_code, response.json["code"]) == (422, "batch-query")
    assert "remove target, width from the query" in response.json["detail"]


def test_every_invalid_board_is_reported_and_nothing_is_accepted(client: FlaskClient) -> None:
    lines = "1 2 3 0\nrubbish\n# fine\n1 2 3 3\nx 2 2 1 2 0\n"
    response = client.post(BATCHES, data=lines, **TEXT)
    assert (response.status_code, response.json["type"]) == (422, "urn:tilework:problem:lines")
    errors = response.json["errors"]
    assert [error["line"] for error in errors] == [2, 4, 5]
    assert "'rubbish'" in errors[0]["detail"]
    response = client.post(BATCHES, json=["1 2 3 0", [1, 2], None, [[1], [2, 0]]])
    pointers = [error["pointer"] for error in response.json["errors"]]
    assert pointers == ["/boards/1", "/boards/2", "/boards/3"]
    for options, status in REJECTED_REQUESTS:
        response = client.post(BATCHES, **options)
        assert response.status_code == status, options
        assert response.json["detail"]
    assert client.get("/api/v1/statistics").json["total_jobs"] == 0
    path = f"{BATCHES}/00000000-0000-7000-8000-000000000000"
    assert client.get(path).status_code == client.get(f"{path}/results").status_code == 404
