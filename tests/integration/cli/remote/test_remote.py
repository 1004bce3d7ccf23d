"""``submit``, ``wait``, ``certificate`` and their like, against a server in this process."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.integration.cli.remote.conftest import Here
from tests.support.cli.terminal import Terminal
from tilework.core.remote.identity import load_cookies, save_cookies

Run = Callable[..., Any]

BOARD = "0 1 3 4 2 5 7 8 6"
UNSOLVABLE = "1 2 3 4 5 6 8 7 0"
NOBODYS_JOB = "01890000-0000-7000-8000-000000000000"


def submitted(tilework: Run, *arguments: str) -> str:
    done = tilework("submit", *arguments)
    assert done.code == 0, done.err
    return done.out.strip()


def test_a_job_in_slides(tilework: Run, here: Here) -> None:
    job = submitted(tilework, "--metric", "slides", "8 6 7 2 5 4 3 0 1")
    assert tilework("wait", job).err == "optimal: 20 slides\n"
    status = dict(line.split(maxsplit=1) for line in tilework("status", job).out.splitlines())
    assert (status["metric"], status["lower_bound"]) == ("slides", "20")


def test_submit_wait_and_status(tilework: Run, here: Here) -> None:
    job = submitted(tilework, BOARD)
    waited = tilework("wait", job)
    assert (waited.code, waited.out) == (0, "LULU\n")
    assert waited.err == "optimal: 4 moves\n"
    status = dict(line.split(maxsplit=1) for line in tilework("status", job).out.splitlines())
    assert status["id"] == job
    assert status["state"] == "optimal"
    assert status["lower_bound"] == status["upper_bound"] == "4"


def test_an_address_to_call_is_sent_along(tilework: Run, here: Here) -> None:
    done = tilework("submit", BOARD, "--callback-url https://hooks.example/")
    assert done.code == 2
    assert "calls nobody back" in done.err


def test_a_textbook_search_tells_its_figures(tilework: Run, here: Here) -> None:
    options = "--algorithm beam --heuristic hamming --beam-width 9 --node-limit 5000"
    done = tilework("submit", BOARD, options)
    job = done.out.strip()
    assert tilework("wait", job).out == "LULU\n"
    told = dict(line.split(None, 1) for line in tilework("status", job).out.splitlines())
    run = tilework("status", job, "--json").json["run"]
    assert told["method"] == run["method"] == "beam:hamming:9"
    for name in ("expanded", "visited", "max_frontier"):
        assert told[name] == str(run[name])
    assert "stopped_by" not in told


def test_a_known_board_is_answered_at_once(tilework: Run, here: Here) -> None:
    tilework("wait", submitted(tilework, BOARD))
    done = tilework("submit", BOARD)
    assert done.err == "optimal: 4 moves\n"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("--format runs", "LULU\n"),
        ("--format tiles", "1 2 5 6\n"),
        ("--by blank", "RDRD\n"),
    ],
)
def test_wait_writes_every_format(tilework: Run, here: Here, options: str, expected: str) -> None:
    assert tilework("wait", submitted(tilework, BOARD), options).out == expected


def test_a_cookie_of_a_server_that_was_here_before_is_replaced(tilework: Run, here: Here) -> None:
    save_cookies(here.url, {"tilework_client": "of.another"})
    submitted(tilework, BOARD)
    kept = load_cookies(here.url)
    assert kept["tilework_client"] != "of.another"
    submitted(tilework, BOARD)
    assert load_cookies(here.url) == kept


def test_a_certificate_can_be_verified(tilework: Run, here: Here) -> None:
    job = submitted(tilework, BOARD)
    tilework("wait", job)
    certificate = tilework("certificate", job)
    assert certificate.json["moves"] == "LULU"
    assert tilework("verify -", stdin=certificate.out).code == 0


def test_a_job_that_goes_on_has_no_certificate(tilework: Run, here: Here) -> None:
    here.pause()
    done = tilework("certificate", submitted(tilework, "1 8 2 0 4 3 7 6 5"))
    assert done.code == 3
    assert "once it has ended" in done.err
    assert tilework("certificate", NOBODYS_JOB).code == 2


def test_wait_in_portuguese(tilework: Run, here: Here) -> None:
    done = tilework("wait", submitted(tilework, BOARD), "--lang pt --format text")
    assert done.out.startswith("Mínimo número de movimentos = 4\n")


def test_a_goal_a_width_and_a_file(tilework: Run, here: Here, tmp_path: Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("1 0 2 3 4 5")
    job = submitted(tilework, str(file), "--width 3 --goal blank-first --gap 0.5 --time-limit 60")
    done = tilework("wait", job)
    assert (done.code, done.out) == (0, "R\n")


def test_json(tilework: Run, here: Here) -> None:
    job = tilework("submit --json", BOARD).json
    assert tilework("status --json", job["id"]).json["id"] == job["id"]


def test_an_unsolvable_board_is_refused_with_the_reason(tilework: Run, here: Here) -> None:
    done = tilework("submit", UNSOLVABLE)
    assert done.code == 1
    assert "odd" in done.err


def test_a_bad_board_is_bad_input(tilework: Run, here: Here) -> None:
    done = tilework("submit 1 2 3 B")
    assert done.code == 2
    assert "'B'" in done.err


def test_a_job_that_does_not_exist(tilework: Run, here: Here) -> None:
    for command in ("status", "wait", "cancel"):
        assert tilework(command, NOBODYS_JOB).code == 2
    assert tilework("status nonsense/../..").code == 2


def test_waiting_ends_with_the_timeout(tilework: Run, here: Here) -> None:
    here.pause()
    job = submitted(tilework, "8 6 7 2 5 4 3 0 1")
    done = tilework("wait", job, "--timeout 0.3")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith("queued: at least ")


def test_ctrl_c_ends_the_waiting_and_not_the_job(
    tilework: Run, here: Here, terminal: Callable[..., Terminal]
) -> None:
    here.pause()
    job = submitted(tilework, "8 0 7 5 6 1 3 2 4")
    there = terminal("wait", job)
    there.read_until("nodes/s")
    there.interrupt()
    shown, code = there.rest()
    assert code == 130
    assert re.search(r"queued: at least \d+ moves; the job goes on\n", shown)
    assert tilework("status", job).code == 0


def test_who_submitted_may_cancel(tilework: Run, here: Here) -> None:
    here.pause()
    job = submitted(tilework, "6 4 7 8 5 0 3 2 1")
    done = tilework("cancel", job)
    assert done.code == 0
    assert "cancelled" in done.out
    assert tilework("wait", job).code == 1


def test_nobody_else_may_cancel(
    tilework: Run, here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.pause()
    job = submitted(tilework, "8 7 6 5 4 3 2 1 0")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "somebody else"))
    assert tilework("cancel", job).code == 3


def test_a_key_is_an_identity_too(
    tilework: Run, here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.pause()
    _, secret = here.services.clients.create_key("test")
    job = submitted(tilework, "8 7 6 5 4 3 1 2 0", "--goal 1,2,3,4,5,6,8,7,0 --key", secret)
    monkeypatch.setenv("TILEWORK_API_KEY", secret)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another machine"))
    assert tilework("cancel", job).code == 0


def test_a_wrong_key(tilework: Run, here: Here) -> None:
    done = tilework("submit", BOARD, "--key wrong")
    assert done.code == 3
    assert done.err.startswith("tilework: ")


def test_stats(tilework: Run, here: Here) -> None:
    tilework("wait", submitted(tilework, BOARD))
    out = tilework("stats").out
    assert out.startswith("jobs ")
    assert "\n3\t3\t" in out
    assert tilework("stats --json").json["total_jobs"] > 0


@pytest.mark.parametrize("command", ["submit 1 2 0 3", f"status {NOBODYS_JOB}", "stats"])
def test_a_server_that_is_away(tilework: Run, command: str) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        done = tilework(command, "--server", url)
    assert done.code == 3
    assert done.err.startswith(f"tilework: no server answers at {url}: ")


@pytest.mark.parametrize("url", ["localhost:8000", "ftp://localhost", "http://", "http://[::1"])
def test_an_address_that_is_none(tilework: Run, url: str) -> None:
    done = tilework("stats --server", url)
    assert done.code == 2
    assert repr(url) in done.err


class Stranger(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(int(self.path.rpartition("/")[2] == "statistics" and 200) or 404)
        self.end_headers()
        self.wfile.write(b"<h1>It works!</h1>")

    def log_message(self, *_: object) -> None:
        pass


def test_a_server_that_is_no_tilework(tilework: Run) -> None:
    with HTTPServer(("127.0.0.1", 0), Stranger) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        url = f"http://127.0.0.1:{server.server_port}"
        for command in ("stats", f"status {NOBODYS_JOB}"):
            done = tilework(command, "--server", url)
            assert done.code == 3
            assert f"the server at {url} is not Tilework" in done.err
        server.shutdown()
        thread.join(10)


def test_a_large_board_is_followed_as_it_gets_better(
    tilework: Run, here: Here, terminal: Callable[..., Terminal]
) -> None:
    here.pause()
    scrambled = tilework("scramble 10x10 --seed 3").out.strip()
    job = submitted(tilework, scrambled.replace("\n", " / "), "--time-limit 4")
    there = terminal("wait", job)
    there.read_until("nodes/s")
    here.may_work.set()
    shown = there.read_until("× lower bound")
    assert re.search(r"\d+ ≤ optimal ≤ \d+   gap [\d.]+%   \d\.\d{3} × lower bound$", shown)
    assert tilework("cancel", job).code == 0
    there.rest()
