"""Jobs on a server: ``submit``, ``status``, ``wait``, ``certificate``, ``cancel``, ``stats``."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator
from functools import partial
from typing import Annotated, Any

import typer

from tilework.core.cli.boards import read_board_text
from tilework.core.cli.exit_codes import ExitCode
from tilework.core.cli.language import current_language, gettext, gettext_noop, translate
from tilework.core.cli.options import (
    AlgorithmName,
    AsJson,
    BoardWords,
    CallbackUrl,
    Gap,
    GoalText,
    HeuristicName,
    Key,
    MetricName,
    MoverName,
    PriorityName,
    ServerUrl,
    SolutionForm,
    TargetName,
    TimeLimit,
    Width,
    option,
)
from tilework.core.cli.remote.job_display import (
    describe_progress,
    format_field,
    job_fields,
    state_name,
    summarize,
)
from tilework.core.cli.solve.searches import make_target
from tilework.core.cli.terminal import ProgressLine, format_count, print_fields, print_rows
from tilework.core.formats.solutions import Mover, SolutionFormat
from tilework.core.messages import Message
from tilework.core.model.states import Priority
from tilework.core.puzzle.metric import Metric
from tilework.core.remote import Server, options_in_request
from tilework.core.solver.target import TargetKind

JobId = Annotated[str, typer.Argument(metavar="JOB", help="The id that submit printed.")]

DEFAULT_SERVER = "http://127.0.0.1:8000"
_MIN_POLL_INTERVAL_S = 0.2
_STATISTICS_COLUMNS = {
    "width": gettext_noop("width"),
    "height": gettext_noop("height"),
    "puzzles": gettext_noop("puzzles"),
    "solved": gettext_noop("solved"),
    "optimal": gettext_noop("optimal"),
    "longest": gettext_noop("longest"),
    "best_ratio": gettext_noop("best_ratio"),
    "mean_ratio": gettext_noop("mean_ratio"),
}


def submit(
    board: BoardWords,
    *,
    goal: GoalText = "blank-last",
    width: Width = None,
    metric: MetricName = Metric.MOVES,
    target: TargetName = None,
    gap: Gap = None,
    time_limit: TimeLimit = None,
    algorithm: AlgorithmName = "auto",
    heuristic: HeuristicName = "auto",
    priority: PriorityName = Priority.NORMAL,
    callback_url: CallbackUrl = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Search even if the answer is already known.")
    ] = False,
    server: ServerUrl = DEFAULT_SERVER,
    key: Key = None,
    as_json: AsJson = False,
) -> None:
    """Submit a board to a server and print the job's id."""
    goal_target = make_target(target, gap)
    request: dict[str, Any] = {
        "board": read_board_text(board, width).strip(),
        "goal": goal,
        **options_in_request(
            metric=metric,
            target=goal_target.kind,
            gap=goal_target.gap if goal_target.kind is TargetKind.GAP else None,
            time_limit_s=time_limit,
            algorithm=algorithm,
            heuristic=heuristic,
            priority=priority,
        ),
    }
    optional = {"width": width, "callback_url": callback_url, "fresh": True if fresh else None}
    request |= {name: value for name, value in optional.items() if value is not None}
    with connect(server, key) as remote:
        job = remote.submit(request, brief=not as_json)
    if as_json:
        print(json.dumps(job))
    else:
        print(job["id"])
        print(translate(summarize(job)), file=sys.stderr)


def status(
    job: JobId, server: ServerUrl = DEFAULT_SERVER, key: Key = None, as_json: AsJson = False
) -> None:
    """Show the state of a job."""
    with connect(server, key) as remote:
        show_job(remote, remote.job(job, brief=not as_json), as_json)


def wait(
    job: JobId,
    *,
    timeout: Annotated[
        float, option(min=0, metavar="SECONDS", help="Stop waiting after this time.")
    ] = math.inf,
    output: SolutionForm = SolutionFormat.UDLR,
    by: MoverName = Mover.TILE,
    server: ServerUrl = DEFAULT_SERVER,
    key: Key = None,
) -> None:
    """Wait until a job has ended, then print its solution.

    Ctrl-C stops waiting; the job continues.
    """
    with connect(server, key) as remote:
        first = view = remote.job(job, brief=True)
        try:
            for view in _poll_job(remote, first, timeout):  # noqa: B007 - the last one counts
                pass
        except KeyboardInterrupt:
            note = Message("job-goes-on", "{job}; the job continues", job=summarize(view))
            print(translate(note), file=sys.stderr)
            raise typer.Exit(ExitCode.INTERRUPTED) from None
        is_solved = view["finished_at"] is not None and view["upper_bound"] is not None
        if is_solved:
            for chunk in remote.solution(
                job, format=output.value, lang=current_language().value, by=by.value
            ):
                sys.stdout.write(chunk)
            sys.stdout.flush()
    print(translate(summarize(view)), file=sys.stderr)
    raise typer.Exit(ExitCode.ANSWERED if is_solved else ExitCode.NO_SOLUTION)


def certificate(job: JobId, server: ServerUrl = DEFAULT_SERVER, key: Key = None) -> None:
    """Print the certificate of a job that has ended, for `tilework verify`."""
    with connect(server, key) as remote:
        for chunk in remote.certificate(job):
            sys.stdout.write(chunk)


def cancel(
    job: JobId, server: ServerUrl = DEFAULT_SERVER, key: Key = None, as_json: AsJson = False
) -> None:
    """Cancel a job that this user or this key submitted."""
    with connect(server, key) as remote:
        show_job(remote, remote.cancel(job, brief=not as_json), as_json)


def stats(server: ServerUrl = DEFAULT_SERVER, as_json: AsJson = False) -> None:
    """Show statistics of a server."""
    with connect(server) as remote:
        statistics = remote.statistics()
    if as_json:
        print(json.dumps(statistics))
        return
    jobs = statistics["jobs"].items()
    print_fields(
        {
            gettext("jobs"): str(statistics["total_jobs"]),
            gettext("answered from stored solutions"): str(statistics["cached_jobs"]),
            **{state_name(state): str(number) for state, number in jobs if number},
            gettext("nodes"): format_count(statistics["nodes"]),
            gettext("nodes per second now"): format_count(statistics["nodes_per_s"]),
            gettext("workers for long searches"): str(statistics["workers"]),
            gettext("seconds of worker time"): f"{statistics['seconds']:.1f}",
        }
    )
    print()
    print_rows(
        _STATISTICS_COLUMNS,
        (
            [format_field(column, size.get(column)) for column in _STATISTICS_COLUMNS]
            for size in statistics["sizes"]
        ),
    )


def connect(url: str, key: str | None = None) -> Server:
    def warn(message: Message) -> None:
        print(f"tilework: {translate(message)}", file=sys.stderr)

    return Server(url, key, language=current_language(), is_remembered=True, warn=warn)


def _poll_job(remote: Server, view: dict[str, Any], timeout: float) -> Iterator[dict[str, Any]]:
    started = time.monotonic()
    with ProgressLine(sys.stderr) as progress:
        while view["finished_at"] is None:
            elapsed = time.monotonic() - started
            details = view | remote.activity(view["id"])
            progress.draw(partial(describe_progress, details, elapsed))
            if elapsed >= timeout:
                break
            polled_at = time.monotonic()
            before, view = view, remote.wait_for_job(view, timeout - elapsed)
            yield view
            if view["version"] == before["version"]:
                # A server with many waiting clients answers immediately, so pause here instead.
                time.sleep(max(0.0, _MIN_POLL_INTERVAL_S - (time.monotonic() - polled_at)))


def show_job(remote: Server, job: dict[str, Any], as_json: bool) -> None:
    if as_json:
        print(json.dumps(job))
    else:
        print_fields(job_fields(job | remote.activity(job["id"])))
