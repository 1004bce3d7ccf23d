import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from tests.support.cli.runner import Run
from tests.support.servers import free_port
from tilework.core.settings import Settings, get_settings

ROOT = Path(__file__).parents[3]
CANARY = "Kanarienvogel"

FAILING = """
import json, sys
from flask import request
from tilework.core.settings import get_settings
from tilework.web.app import serve

def fail():
    settings = get_settings()
    details = json.dumps([dict(request.headers), settings.database_url, settings.broker_url])
    raise ValueError(f"{details} {settings!r} {request.environ}")

app = serve()
app.add_url_rule("/api/fail", view_func=fail)
app.add_url_rule("/fail", view_func=fail, endpoint="page_fail")
for path in ("/api/fail", "/fail"):
    answer = app.test_client().get(path, headers=json.loads(sys.argv[1]))
    print(json.dumps({"status": answer.status_code, "text": answer.text}))
"""

HEADERS = {
    "Authorization": f"Bearer {CANARY}-bearer",
    "Cookie": f"tilework_client={CANARY}-cookie; language=en",
    "X-Api-Key": f"{CANARY}-api-key",
    "X-Auth-Token": f"{CANARY}-token",
    "Proxy-Authorization": f"Basic {CANARY}-basic",
}


def canaries(folder: Path) -> dict[str, str]:
    """Every setting that is or contains a secret; the URLs lead to closed ports."""
    port = free_port()
    urls = {
        "database_url": f"postgresql://me:{CANARY}-db@127.0.0.1:{port}/none?sslpassword={CANARY}-2",
        "broker_url": f"redis://me:{CANARY}-broker@127.0.0.1:{port}/0",
        "rate_storage_url": f"redis://me:{CANARY}-rates@127.0.0.1:{port}/1",
    }
    kinds = {name: str(field.annotation) for name, field in Settings.model_fields.items()}
    keys = {name: f"{CANARY}-{name}" for name, kind in kinds.items() if SecretStr.__name__ in kind}
    assert urls.keys() == {name for name in kinds if name.endswith("_url")}
    assert len(keys) >= 2
    chosen = {**urls, **keys, "data_dir": str(folder), "callback_hosts": "http://127.0.0.1:9"}
    return {f"TILEWORK_{name.upper()}": value for name, value in chosen.items()}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, **canaries(tmp_path), "PYTHONPATH": str(ROOT)}


def test_web_process(environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", FAILING, json.dumps(HEADERS)]
    outcome = subprocess.run(
        command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert CANARY not in outcome.stderr
    of_program, of_page = (json.loads(line) for line in outcome.stdout.splitlines())
    failures = [line for line in outcome.stderr.splitlines() if "request failed" in line]
    logged = [re.search(r"error_id='?(\w+)", line)[1] for line in failures]
    assert len(logged) == 2
    assert all("ValueError" in line for line in failures)
    # The error id of the response is in the log.
    problem = json.loads(of_program["text"])
    assert (of_program["status"], problem["status"], problem["error_id"]) == (500, 500, logged[0])
    assert logged[0] in problem["detail"]
    assert of_page["status"] == 500
    assert logged[1] in of_page["text"]
    assert CANARY not in outcome.stdout


def test_worker_that_waits_for_its_database(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "tilework.worker", "--queues", "lab"]
    process = subprocess.Popen(
        command, env=environment, cwd=ROOT, stderr=subprocess.PIPE, text=True
    )
    first = process.stderr.readline()
    process.terminate()
    _, output = process.communicate()
    assert "waiting for a database" in first
    assert CANARY not in first + output


def test_command_line(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tilework: Run
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert CANARY not in repr(Settings())
    server = ["--server", f"http://me:{CANARY}@127.0.0.1:9", "--key", f"{CANARY}-k"]
    for arguments in (["db", "upgrade"], ["keys", "list"], ["status", "1", *server]):
        get_settings.cache_clear()
        outcome = tilework(*arguments)
        assert outcome.code == 3
        assert outcome.err
        assert CANARY not in outcome.err + outcome.out
    get_settings.cache_clear()
