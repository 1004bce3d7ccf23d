"""Jobs on a server: ``submit``, ``status``, ``wait``, ``certificate``, ``cancel``."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Annotated, Any

import typer

from tilework.core.cli import options
from tilework.core.cli.answers import already_solved, between
from tilework.core.cli.boards import read_board_argument
from tilework.core.cli.console import (
    ExitCode,
    ProgressLine,
    current_language,
    format_bounds,
    format_count,
    format_duration,
    format_effort,
    format_gap,
    format_ratio,
    gettext,
    print_error,
    print_fields,
    print_json,
    print_note,
    show,
    translate,
    wants_json,
)
from tilework.core.cli.options import option
from tilework.core.cli.words import gettext_noop
from tilework.core.errors import UnfinishedError
from tilework.core.formats.solutions import Mover, SolutionFormat
from tilework.core.messages import Message
from tilework.core.model.ids import check_id
from tilework.core.model.states import Priority
from tilework.core.puzzle.metric import Metric
from tilework.core.puzzle.phrases import moves
from tilework.core.remote import Server
from tilework.core.solver.target import TargetKind

JobId = Annotated[str, typer.Argument(metavar="JOB", help="The id that submit printed.")]
ServerUrl = Annotated[
    str,
    typer.Option("--server", metavar="URL", envvar="TILEWORK_SERVER", help="URL of the server."),
]
Key = Annotated[
    str | None,
    option(
        "--key",
        metavar="KEY",
        envvar="TILEWORK_API_KEY",
        help="API key. Without one, jobs belong to this user on this machine.",
    ),
]

DEFAULT_SERVER = "http://127.0.0.1:8000"


def submit(
    board: options.BoardWords,
    *,
    goal: options.GoalText = "blank-last",
    width: options.Width = None,
    metric: options.MetricName = Metric.MOVES,
    target: options.TargetName = None,
    gap: options.Gap = None,
    time_limit: options.TimeLimit = None,
    algorithm: options.AlgorithmName = "auto",
    heuristic: options.HeuristicName = "auto",
    priority: Annotated[
        Priority, typer.Option(help="Which of your own waiting jobs are searched first.")
    ] = Priority.NORMAL,
    callback_url: Annotated[
        str | None, option(metavar="URL", help="URL that the server calls when the job ends.")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Search even if the answer is already known.")
    ] = False,
    server: ServerUrl = DEFAULT_SERVER,
    key: Key = None,
) -> None:
    """Submit a board to a server and print the job's id."""
    start = read_board_argument(board, width)
    request = {
        "board": start.cells.reshape(start.height, start.width).tolist(),
        "goal": goal,
        "metric": metric,
        "target": target or (TargetKind.OPTIMAL if gap is None else TargetKind.GAP),
        "gap": gap,
        "time_limit_s": time_limit,
        "algorithm": algorithm,
        "heuristic": heuristic,
        "priority": priority,
        "callback_url": callback_url,
        "fresh": fresh,
    }
    with _connect(server, key) as remote:
        job = remote.json("POST", "/jobs", request, **_brief())

    def print_text() -> None:
        print(job["id"])
        print_note(_summarize(job))

    show(job, print_text)


def status(job: JobId, server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Show the state of a job."""
    _show_job("GET", job, server, key)


def wait(
    job: JobId,
    *,
    timeout: Annotated[
        float, option(min=0, metavar="SECONDS", help="Stop waiting after this time.")
    ] = math.inf,
    output: options.SolutionForm = SolutionFormat.UDLR,
    by: options.MoverName = Mover.TILE,
    server: ServerUrl = DEFAULT_SERVER,
    key: Key = None,
) -> None:
    """Wait until a job has ended, then print its solution.

    Ctrl-C stops waiting; the job continues.
    """
    with _connect(server, key) as remote:
        path = f"/jobs/{check_id(job)}"
        view = remote.json("GET", path, brief="true")
        started = time.monotonic()
        try:
            with ProgressLine() as line:

                def describe() -> str:
                    details = view | _activity(remote, view)
                    return describe_progress(details, time.monotonic() - started)

                views = remote.follow(path, view, timeout, brief="true")
                for view in views:  # noqa: B007 - `describe` reads it
                    line.draw(describe)
        except UnfinishedError:
            pass
        except KeyboardInterrupt:
            print_note(Message("job-goes-on", "{job}; the job continues", job=_summarize(view)))
            raise typer.Exit(ExitCode.INTERRUPTED) from None
        is_solved = view["finished_at"] is not None and view["upper_bound"] is not None
        if is_solved:
            query = {"format": output.value, "lang": current_language().value, "by": by.value}
            sys.stdout.writelines(remote.text(f"{path}/solution", **query))
            sys.stdout.flush()
        elif wants_json():
            print_json(remote.json("GET", path))
    print_note(_summarize(view))
    raise typer.Exit(ExitCode.ANSWERED if is_solved else ExitCode.NO_SOLUTION)


def certificate(job: JobId, server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Print the certificate of a job that has ended, for `tilework verify`."""
    with _connect(server, key) as remote:
        sys.stdout.writelines(remote.text(f"/jobs/{check_id(job)}/certificate"))


def cancel(job: JobId, server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Cancel a job that this user or this key submitted."""
    _show_job("DELETE", job, server, key)


def _show_job(method: str, job_id: str, server: str, key: str | None) -> None:
    with _connect(server, key) as remote:
        job = remote.json(method, f"/jobs/{check_id(job_id)}", **_brief())
        # One that has just been cancelled has none.
        activity = {} if wants_json() or method == "DELETE" else _activity(remote, job)
    show(job, lambda: print_fields(job_fields(job | activity)))


def _activity(remote: Server, job: dict[str, Any]) -> dict[str, Any]:
    """Return what workers do for a job, and estimates."""
    return remote.json("GET", f"/jobs/{check_id(job['id'])}/activity")


def _brief() -> dict[str, Any]:
    """Return the parameter that omits the boards, which may be large, unless they are printed."""
    return {} if wants_json() else {"brief": "true"}


def _connect(url: str, key: str | None = None) -> Server:
    return Server(url, key, language=current_language(), is_remembered=True, warn=print_error)


_FIELDS = (
    gettext_noop("id"),
    gettext_noop("state"),
    gettext_noop("width"),
    gettext_noop("height"),
    gettext_noop("metric"),
    gettext_noop("target"),
    gettext_noop("lower_bound"),
    gettext_noop("upper_bound"),
    gettext_noop("gap"),
    gettext_noop("threshold"),
    gettext_noop("progress"),
    gettext_noop("nodes"),
    gettext_noop("nodes_per_s"),
    gettext_noop("time_left"),
    gettext_noop("engine"),
    gettext_noop("building"),
    gettext_noop("queue"),
    gettext_noop("queue_position"),
    gettext_noop("message"),
)

# The states of a job; one of another version is not translated.
_STATES = (
    gettext_noop("queued"),
    gettext_noop("running"),
    gettext_noop("optimal"),
    gettext_noop("bounded"),
    gettext_noop("cancelled"),
    gettext_noop("expired"),
    gettext_noop("failed"),
)

# Numbers are formatted as in the progress line and in the notes of searches.
_FORMATS: dict[str, Callable[[float], str]] = {
    "gap": lambda gap: format_gap(1 + gap),
    "progress": lambda share: f"{share:.1%}",
    "nodes_per_s": format_count,
}

# Each unit, its length in seconds, and the time up to which it is used.
_UNITS = (
    ("s", 1.0, 90.0),
    ("min", 60.0, 5_400.0),
    ("h", 3_600.0, 129_600.0),
    (gettext_noop("days"), 86_400.0, 60_480_000.0),
    (gettext_noop("years"), 31_557_600.0, math.inf),
)


def _summarize(job: dict[str, Any]) -> Message:
    lower, upper = job["lower_bound"], job["upper_bound"]
    metric = Metric(job["options"]["metric"])
    if upper is None:
        bounds = Message("at-least", "at least {moves}", moves=metric.describe(lower))
    elif upper == 0:
        bounds = already_solved()
    elif lower == upper:
        bounds = metric.describe(upper)
    else:
        bounds = between(lower, upper, metric)
    return Message("job-summary", "{state}: {known}", state=gettext(job["state"]), known=bounds)


def job_fields(job: dict[str, Any]) -> dict[str, str]:
    building = job.get("building")
    metric = job["options"]["metric"]
    values = {
        **job["options"],
        **job,
        "metric": None if metric == Metric.MOVES else gettext("slides"),
        "state": gettext(job["state"]),
        "time_left": format_time_left(job),
        "building": building and f"{building['partition']}, {building['fraction']:.0%}",
    }
    return {
        gettext(name): format_field(name, values[name])
        for name in _FIELDS
        if values.get(name) is not None
    }


def format_field(name: str, value: Any) -> str:
    """Format the value of a JSON field for a table."""
    if value is None:
        return ""
    if name in _FORMATS:
        return _FORMATS[name](value)
    return f"{value:.1f}" if isinstance(value, float) else str(value)


def describe_progress(job: dict[str, Any], waited_s: float) -> str:
    """Describe a search on one line; a narrow terminal may cut off the last parts."""
    left = format_time_left(job)
    parts = (
        format_bounds(job["lower_bound"], job["upper_bound"]),
        _format_quality(job),
        left and translate(Message("left", "{time} left", time=left)),
        format_duration(waited_s),
        format_effort(job["nodes"], job["nodes_per_s"]),
    )
    return "   ".join(filter(None, parts))


def _format_quality(job: dict[str, Any]) -> str | None:
    """Format the share of the threshold that was searched, or the gap of the best solution."""
    lower, upper, threshold = job["lower_bound"], job["upper_bound"], job.get("threshold")
    if threshold is not None:
        return translate(
            Message(
                "share-of-threshold",
                "{share} of {moves}",
                share=_FORMATS["progress"](job["progress"]),
                moves=moves(threshold),
            )
        )
    if upper is None or not 0 < lower < upper:
        return None
    return translate(
        Message(
            "bound-quality",
            "gap {gap}   {ratio} × lower bound",
            gap=format_gap(upper / lower),
            ratio=format_ratio(upper / lower),
        )
    )


def format_time_left(job: dict[str, Any]) -> str | None:
    """Format the estimated time to the proof: ``4 min (2–9 min)``."""
    seconds, factor = job.get("seconds_left"), job.get("seconds_left_factor")
    if seconds is None or factor is None:
        return None
    number, unit = _round_time(seconds)
    lower, lower_unit = _round_time(seconds / factor)
    upper, upper_unit = _round_time(seconds * factor)
    start = f"{lower}–" if lower_unit == upper_unit else f"{lower} {lower_unit} – "
    return f"{number} {unit} ({start}{upper} {upper_unit})"


def _round_time(seconds: float) -> tuple[int, str]:
    """Round a time to the precision of an estimate, and return it with its unit."""
    unit, length, _ = next(unit for unit in _UNITS if seconds < unit[2])
    number = seconds / length
    step = 1 if number < 10 else 5 if number < 100 else 10 ** (int(math.log10(number)) - 1)
    return max(1, round(number / step) * step), gettext(unit)
