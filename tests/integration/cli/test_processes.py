import errno
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.support.waiting import wait_until

SLOW_OPTIONS = ("--threads", "2", "--algorithm", "ida-star", "--heuristic", "linear-conflict")
# 80 moves from the goal; takes minutes with linear conflicts.
HARD_BOARD = "0 12 9 13 15 11 10 14 3 7 2 5 4 8 6 1"


def test_light_commands_load_no_heavy_modules() -> None:
    code = (
        "import sys\n"
        "from tilework.core.cli.main import main\n"
        "for command in ('--help', 'check 1 2 3 0', 'scramble 3'):\n"
        "    try: main(command.split())\n"
        "    except SystemExit: pass\n"
        "    print('loaded', *{name.partition('.')[0] for name in sys.modules})"
    )
    output = subprocess.check_output([sys.executable, "-c", code], text=True)
    module_lists = [line.split() for line in output.splitlines() if line.startswith("loaded ")]
    heavy_modules = {"numba", "cv2", "PIL", "celery", "flask", "sqlalchemy", "httpx2", "rich"}
    assert not {"typer", "numpy", "pydantic"} & set(module_lists[0])
    for modules in module_lists[1:]:
        assert "typer" in modules
    for modules in module_lists:
        assert not heavy_modules & set(modules)


def test_jsonl_results_are_printed_immediately_until_ctrl_c(executable: Path) -> None:
    with subprocess.Popen(
        [executable, "solve", "--jsonl", "-", *SLOW_OPTIONS],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        for board, moves in [("1 2 0 3", "L"), ("1 0 3 2", "U")]:
            process.stdin.write(board + "\n")
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["moves"] == moves
        running = psutil.Process(process.pid)
        before_s = running.cpu_times().user
        process.stdin.write(f"{HARD_BOARD}\n" * 20)
        process.stdin.flush()
        wait_until(lambda: running.cpu_times().user > before_s + 0.3)
        process.send_signal(signal.SIGINT)
        records = [json.loads(line) for line in process.stdout]
    assert process.returncode == 130
    assert 1 <= len(records) <= 2
    for record in records:
        assert not record["optimal"]
        assert 40 <= record["lower_bound"] <= 80


def test_unreadable_input_and_a_full_disk_are_reported(executable: Path) -> None:
    environment = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    for command, stdin in (("check -", b"\xff 1 2 3"), ("check -", None), ("check \udcff 1", None)):
        result = subprocess.run(
            [executable, *command.split()],
            input=stdin,
            env=environment,
            capture_output=True,
            check=False,
        )
        assert (result.returncode, result.stderr.count(b"\n")) == (2, 1)
    with Path("/dev/full").open("w") as full:
        for unbuffered in ("", "1"):
            environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
            result = subprocess.run(
                [executable, "scramble", "4"],
                stdout=full,
                stderr=subprocess.PIPE,
                env=environment,
                check=False,
            )
            assert result.returncode == 2
            assert result.stderr == b"tilework: the output or a file cannot be written: " + (
                os.strerror(errno.ENOSPC).encode() + b"\n"
            )


@pytest.mark.parametrize("closed", [("stdin",), ("stdout",), ("stdin", "stdout", "stderr")])
def test_streams_that_the_caller_closed_are_empty(
    executable: Path, tmp_path: Path, closed: tuple[str, ...]
) -> None:
    numbers = {"stdin": "<&-", "stdout": ">&-", "stderr": "2>&-"}
    redirections = " ".join(numbers[name] for name in closed)
    for command in (
        "solve 1 2 0 3",
        "check 1 2 0 3",
        "lab list",
        "moves '1 2 0 3' L",
        "help solve",
    ):
        result = subprocess.run(
            ["sh", "-c", f"exec {executable} {command} {redirections}"],
            capture_output=True,
            check=False,
            cwd=tmp_path,
        )
        assert (result.returncode, result.stderr) == (0, b""), command
        assert bool(result.stdout) == ("stdout" not in closed)
        assert list(tmp_path.iterdir()) == []


def test_closed_pipe_ends_the_command_silently(executable: Path, tmp_path: Path) -> None:
    boards = tmp_path / "boards.txt"
    boards.write_text("1 2 0 3\n" + f"{HARD_BOARD}\n" * 3)
    for command in (
        ("scramble", "9", "--seed", "1", "--count", "2000"),
        ("solve", "--jsonl", str(boards), *SLOW_OPTIONS),
    ):
        with subprocess.Popen(
            [executable, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process:
            process.stdout.close()
            assert process.stderr.read() == b""
        assert process.returncode == 141
