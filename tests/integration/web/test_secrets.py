import json
import os
import re
import sys
from pathlib import Path
from subprocess import PIPE, Popen, run

import pytest
from pydantic import SecretStr

from tests.support.cli.runner import Run
from tests.support.servers import free_port
from tilework.core.cli.system.processes import worker_command
from tilework.core.settings import Settings, get_settings

ROOT = Path(__file__).parents[3]
JOB = "01890a5d-ac96-774b-bcce-b302099a8057"
CANARY = "Kanarienvogel"

PROGRAM = """
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
    response = app.test_client().get(path, headers=json.loads(sys.argv[1]))
    print(json.dumps({"status": response.status_code, "text": response.text}))
"""

HEADERS = {
    "Authorization": f"Bearer {CANARY}-bearer",
    "Cookie": f"tilework_client={CANARY}-cookie; language=en",
    "X-Api-Key": f"{CANARY}-api-key",
    "X-Auth-Token": f"{CANARY}-token",
    "Proxy-Authorization": f"Basic {CANARY}-basic",
}


def make_settings(folder: Path) -> dict[str, str]:
    """Return all settings that are or contain secrets; no server listens at the URLs."""
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
    values = {**urls, **keys, "data_dir": str(folder), "callback_hosts": "http://127.0.0.1:9"}
    return {f"TILEWORK_{name.upper()}": value for name, value in values.items()}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, **make_settings(tmp_path), "PYTHONPATH": str(ROOT)}


def test_web_process_logs_no_secret(environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", PROGRAM, json.dumps(HEADERS)]
    result = run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    assert CANARY not in result.stderr
    api_response, page_response = (json.loads(line) for line in result.stdout.splitlines())
    failures = [line for line in result.stderr.splitlines() if "request failed" in line]
    error_ids = [re.search(r"error_id='?(\w+)", line)[1] for line in failures]
    assert len(error_ids) == 2
    assert all("ValueError" in line for line in failures)
    # The log contains the error ids of the responses.
    problem = json.loads(api_response["text"])
    assert api_response["status"] == problem["status"] == 500
    assert problem["error_id"] == error_ids[0]
    assert error_ids[0] in problem["detail"]
    assert page_response["status"] == 500
    assert error_ids[1] in page_response["text"]
    assert CANARY not in result.stdout


def test_worker_without_a_database_logs_no_secret(environment: dict[str, str]) -> None:
    command = worker_command(["lab"], "worker")
    process = Popen(command, env=environment, cwd=ROOT, stderr=PIPE, text=True)
    first = process.stderr.readline()
    process.terminate()
    _, output = process.communicate()
    assert "checking the schema of the database failed" in first
    assert CANARY not in first + output


def test_commands_print_no_secret(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tilework: Run
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert CANARY not in repr(Settings())
    server = ["--server", f"http://me:{CANARY}@127.0.0.1:9", "--key", f"{CANARY}-k"]
    for arguments in (["db", "upgrade"], ["keys", "list"], ["status", JOB, *server]):
        get_settings.cache_clear()
        result = tilework(*arguments)
        assert result.code == 3
        assert result.err
        assert CANARY not in result.err + result.out
    get_settings.cache_clear()
