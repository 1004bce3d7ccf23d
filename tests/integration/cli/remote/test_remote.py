import re
import socket
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler

from tests.integration.cli.remote.conftest import LiveServer
from tests.support.cli.runner import Run
from tests.support.cli.terminal import Terminal
from tests.support.http_server import respond, serve
from tilework.core.remote import load_cookies, save_cookies

BOARD = "0 1 3 4 2 5 7 8 6"
UNSOLVABLE = "1 2 3 4 5 6 8 7 0"
UNKNOWN_JOB = "01890000-0000-7000-8000-000000000000"


def submit_job(tilework: Run, *arguments: str) -> str:
    result = tilework("submit", *arguments)
    assert result.code == 0, result.err
    return result.out.strip()


def read_status(tilework: Run, job: str) -> dict[str, str]:
    return dict(line.split(None, 1) for line in tilework("status", job).out.splitlines())


def test_job_from_submission_to_certificate(tilework: Run, live_server: LiveServer) -> None:
    job = submit_job(tilework, BOARD)
    result = tilework("wait", job)
    assert (result.code, result.out) == (0, "LULU\n")
    assert result.err == "optimal: 4 moves\n"
    status = read_status(tilework, job)
    assert (status["id"], status["state"]) == (job, "optimal")
    assert status["lower_bound"] == status["upper_bound"] == "4"
    assert tilework("status --json", job).json["id"] == job
    certificate = tilework("certificate", job)
    assert certificate.json["moves"] == "LULU"
    assert tilework("verify -", stdin=certificate.out).code == 0
    # The server now has the answer.
    assert tilework("submit", BOARD).err == "optimal: 4 moves\n"
    assert tilework("submit --json", BOARD).json["state"] == "optimal"
    for options, expected in {"--format tiles": "1 2 5 6\n", "--by blank": "RDRD\n"}.items():
        assert tilework("wait", job, options).out == expected
    output = tilework("wait", job, "--lang pt --format text").out
    assert output.startswith("Mínimo número de movimentos = 4\n")


def test_cookie_of_an_earlier_server_is_replaced(tilework: Run, live_server: LiveServer) -> None:
    save_cookies(live_server.url, {"tilework_client": "foreign.cookie"})
    submit_job(tilework, BOARD)
    cookies = load_cookies(live_server.url)
    assert cookies["tilework_client"] != "foreign.cookie"
    submit_job(tilework, BOARD)
    assert load_cookies(live_server.url) == cookies


def test_invalid_options_are_rejected(tilework: Run, live_server: LiveServer) -> None:
    for arguments, code, expected in (
        (f"submit {UNSOLVABLE}", 1, "odd"),
        ("submit 1 2 3 7Q", 2, "'7Q'"),
        (f"submit {BOARD} --callback-url https://hooks.example/", 2, "does not send callbacks"),
        (f"submit {BOARD} --time-limit inf", 2, "invalid time_limit_s inf; use a finite number"),
        (f"submit {BOARD} --key wrong", 3, "tilework: "),
        (f"wait {UNKNOWN_JOB}", 2, "tilework: "),
        (f"certificate {UNKNOWN_JOB}", 2, "tilework: "),
        ("status nonsense/../..", 2, "tilework: "),
    ):
        result = tilework(arguments)
        assert (result.code, result.out) == (code, ""), result.err
        assert expected in result.err


def test_wait_times_out_while_the_job_runs(tilework: Run, live_server: LiveServer) -> None:
    live_server.pause()
    job = submit_job(tilework, "8 0 7 5 6 1 3 2 4")
    result = tilework("wait", job, "--timeout 0.01")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("queued: at least ")
    result = tilework("wait", job, "--timeout 0.01 --json")
    assert (result.code, result.json["state"]) == (1, "queued")
    result = tilework("certificate", job)
    assert result.code == 3
    assert "will be available when it ends" in result.err
    assert "cancelled" in tilework("cancel", job).out


def test_unreachable_server_and_invalid_url_are_reported(tilework: Run) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        result = tilework("submit 1 2 0 3 --server", url)
        assert result.code == 3
        assert result.err.startswith(f"tilework: no server answers at {url}: ")
    for url in ("localhost:8000", "ftp://localhost", "http://", "http://[::1"):
        result = tilework(f"status {UNKNOWN_JOB} --server", url)
        assert result.code == 2
        assert repr(url) in result.err


def test_server_that_is_not_tilework_is_reported(tilework: Run) -> None:
    def answer(request: BaseHTTPRequestHandler) -> None:
        respond(request, 200 if "brief" in request.path else 404, b"<h1>It works!</h1>")

    def redirect(request: BaseHTTPRequestHandler) -> None:
        respond(request, 308, Location="https://tiles.example/")

    with serve(answer) as url:
        for command in (f"status {UNKNOWN_JOB}", f"certificate {UNKNOWN_JOB}", "submit 1 2 0 3"):
            result = tilework(command, "--server", url)
            assert (result.code, f"the server at {url} is not Tilework" in result.err) == (3, True)
    with serve(redirect) as url:
        for command in (f"status {UNKNOWN_JOB}", "submit 1 2 0 3"):
            result = tilework(command, "--server", url)
            assert result.code == 3
            assert f"{url} redirects to https://tiles.example/;" in result.err


def test_waiting_shows_improvements_and_ctrl_c_ends_only_the_wait(
    tilework: Run, live_server: LiveServer, terminal: Callable[..., Terminal]
) -> None:
    live_server.pause()
    board = tilework("scramble 10x10 --seed 3").out.strip()
    job = submit_job(tilework, board)
    session = terminal("wait", job)
    session.read_until("nodes/s")
    live_server.work_enabled.set()
    output = session.read_until("× lower bound")
    assert re.search(r"\d+ ≤ optimal ≤ \d+   gap [\d.]+%   \d\.\d{3} × lower bound$", output)
    session.interrupt()
    output, code = session.read_to_end()
    assert code == 130
    assert re.search(r"\d+ to \d+ moves; the job continues\n", output)
    assert tilework("cancel", job).code == 0
