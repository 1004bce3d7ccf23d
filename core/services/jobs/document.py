"""A job as JSON, in the API's responses and in callbacks.

The API adds the boards and translates the message.
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import (
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    computed_field,
)

from tilework.core.messages import Message
from tilework.core.model.states import JobState, Priority, Queue
from tilework.core.puzzle.metric import Metric

API_ROOT: Final = "/api/v1"


def _code(message: Message | None) -> str | None:
    return None if message is None else message.code


def _fraction(gap: float | None) -> float:
    return gap or 0.0


def _english(message: Message | None) -> str | None:
    return None if message is None else str(message)


Seconds = Annotated[float, Field(description="A time, in seconds since 1970-01-01 UTC.")]
Code = Annotated[
    str | None,
    BeforeValidator(_code),
    Field(description="The code of the message, for programs.", examples=["time-is-up"]),
]


class BuildingDocument(BaseModel):
    """A pattern database that is being built."""

    model_config = ConfigDict(from_attributes=True)

    partition: str = Field(
        description="The size of the board and the number of tiles in each pattern.",
        examples=["5x5 6-6-6-6"],
    )
    share: float = Field(
        validation_alias="fraction",
        description="The fraction already built, from 0 to 1.",
        examples=[0.4],
    )


class TryDocument(BaseModel):
    """An attempt to find a shorter solution that is running or waiting for a worker."""

    model_config = ConfigDict(from_attributes=True)

    kind: str = Field(
        description="`sweep`: a quick improvement by long paths of the blank. `beam`: a beam "
        "search over the whole board. `fresh`: a beam search whose "
        "solution is then improved separately. `suffix`: a beam search from a board along the best "
        "solution. `windows`: a search for shortcuts within windows of a segment of the best "
        "solution.",
        examples=["windows"],
    )
    width: int = Field(description="The number of boards kept per level.", examples=[1000])
    view: int | None = Field(
        description="For `beam` and `fresh`: which symmetric view of the board is searched. 0 is "
        "the board as given."
    )
    first: int | None = Field(description="For windows: the first move of the segment.")
    count: int | None = Field(description="For windows: the number of moves in the segment.")
    length: int | None = Field(description="For windows: the number of moves in each window.")


class PayDocument(BaseModel):
    """The cost and the gain of one kind of attempt on this board."""

    model_config = ConfigDict(from_attributes=True)

    kind: str
    length: int | None = Field(description="For windows: the number of moves in each window.")
    tries: int
    seconds: float = Field(
        description="Worker time: the time of the attempts, summed over all workers."
    )
    gained: int = Field(description="The number of moves saved in the best solution.")


class ImprovementDocument(BaseModel):
    """The search for shorter solutions of a large board."""

    model_config = ConfigDict(from_attributes=True)

    tries: int = Field(
        description="The number of attempts that ended, including those of other jobs."
    )
    trying: list[TryDocument]
    paid: list[PayDocument]
    improved_at: Seconds | None = Field(description="The time of the last improvement.")


class JobOutline(BaseModel):
    """A job without its boards, created from a view."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    state: JobState
    width: int
    height: int
    metric: Metric = Field(
        validation_alias=AliasPath("options", "metric"),
        description="The unit of the bounds, the target and the threshold: `moves` of single "
        "tiles, or `slides`, in which adjacent tiles that move together count as one.",
    )
    target: str = Field(validation_alias=AliasPath("options", "target"))
    gap_asked: Annotated[float, BeforeValidator(_fraction)] = Field(
        validation_alias=AliasPath("options", "gap")
    )
    algorithm: str = Field(validation_alias=AliasPath("options", "algorithm"))
    heuristic: str = Field(validation_alias=AliasPath("options", "heuristic"))
    time_limit_s: float | None = Field(validation_alias=AliasPath("options", "time_limit_s"))
    priority: Priority = Field(
        validation_alias=AliasPath("options", "priority"),
        description="Which of the client's own waiting jobs are searched first.",
    )
    created_at: Seconds
    started_at: Seconds | None
    finished_at: Seconds | None
    lower_bound: int = Field(
        validation_alias=AliasPath("bounds", "lower"),
        description="A proven lower bound on the length of any solution, in the metric.",
        examples=[97],
    )
    upper_bound: int | None = Field(
        validation_alias=AliasPath("bounds", "upper"),
        description="The length of the best solution so far, in the metric.",
        examples=[103],
    )
    gap: float | None = Field(description="(upper − lower) / lower")
    ratio: float | None = Field(description="upper / lower", examples=[1.41])
    threshold: int | None = Field(
        description="The length up to which solutions are being searched for. null before the "
        "search by thresholds starts.",
        examples=[97],
    )
    progress: float = Field(
        description="The fraction of the current threshold's tree that has been searched, from 0 "
        "to 1. Equal fractions can take very different times.",
        examples=[0.37],
    )
    nodes: int = Field(
        description="The number of nodes searched so far.", examples=[48_113_209_776]
    )
    nodes_per_s: float = Field(
        description="Nodes per second of all workers: over the last few seconds while the job is "
        "running, or over the whole search once it has ended.",
        examples=[118_400_000.0],
    )
    search_s: float = Field(
        description="The seconds in which at least one worker has searched, without waiting for "
        "workers and without loading code or databases. The search may have begun for an earlier "
        "job.",
        examples=[406.4],
    )
    seconds_left: float | None = Field(
        description="The estimated time until the optimum is proved, at the current rate. null if "
        "no useful estimate exists.",
        examples=[240.0],
    )
    seconds_left_factor: float | None = Field(
        description="The margin of seconds_left: the actual time is expected between seconds_left "
        "divided by this factor and seconds_left multiplied by it.",
        examples=[2.1],
    )
    threshold_seconds_left: float | None = Field(
        description="The estimated time until the current threshold is finished, if it contains no "
        "solution. null if no useful estimate exists.",
        examples=[95.0],
    )
    threshold_seconds_left_factor: float | None = Field(
        description="The margin of threshold_seconds_left, as in seconds_left_factor.",
        examples=[1.6],
    )
    engine: str | None = Field(
        description="How A* or IDA* searched last: the size of the board, the heuristic, and the "
        "duplicate rules of IDA*. The heuristic is `lines` for linear conflicts, `manhattan`, or "
        "the patterns of its databases.",
        examples=["5x5 6-6-6-6+ r14"],
    )
    improvement: ImprovementDocument | None = Field(
        description="For boards of 25 cells or more: the search for shorter solutions."
    )
    building: BuildingDocument | None = Field(
        description="A better pattern database for this size that is being built. The search uses "
        "it as soon as it is ready."
    )
    preparing_s: float | None = Field(
        description="The approximate number of seconds until the workers have compiled their "
        "search code. The job's time limit starts then. null once they are ready.",
        examples=[12.0],
    )
    queue: Queue
    queue_position: int | None
    cached: bool
    version: str
    batch_id: str | None
    message: Annotated[
        str | None, BeforeValidator(_english), Field(description="The message in English.")
    ]
    message_code: Code = Field(validation_alias="message")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """URLs of related resources."""
        url = job_url(self.id)
        links = {"self": url, "events": f"{url}/events", "history": f"{url}/history"}
        if self.upper_bound is not None:
            links["solution"] = f"{url}/solution"
            if self.finished_at is not None:
                links["certificate"] = f"{url}/certificate"
        if self.batch_id is not None:
            links["batch"] = batch_url(self.batch_id)
        return links


def job_url(job_id: str) -> str:
    return f"{API_ROOT}/jobs/{job_id}"


def batch_url(batch_id: str) -> str:
    return f"{API_ROOT}/batches/{batch_id}"
