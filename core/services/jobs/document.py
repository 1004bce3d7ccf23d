"""A job as it is told to programs: in answers of the API, and to those who are called at its end.

The API adds the boards, and says the message in the language of the request.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, Final

from pydantic import (
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    computed_field,
    model_validator,
)

from tilework.core.lab.result import RunStatistics
from tilework.core.messages import Message
from tilework.core.model.job_views import MethodRunView
from tilework.core.model.states import JobState, Queue
from tilework.core.puzzle.metric import Metric
from tilework.core.search.limits import StopReason

API_ROOT: Final = "/api/v1"
"""Where all addresses of the API begin."""


def _code(message: Message | None) -> str | None:
    return None if message is None else message.code


def _fraction(gap: float | None) -> float:
    return gap or 0.0


def _english(message: Message | None) -> str | None:
    return None if message is None else str(message)


Seconds = Annotated[float, Field(description="Seconds since 1970")]
Code = Annotated[
    str | None,
    BeforeValidator(_code),
    Field(description="What the message says, for programs", examples=["time-is-up"]),
]


class BuildingDocument(BaseModel):
    """A pattern database that is being built."""

    model_config = ConfigDict(from_attributes=True)

    partition: str = Field(
        description="The board's size and how many tiles are looked at together",
        examples=["5x5 6-6-6-6"],
    )
    share: float = Field(description="Share that is built, 0 to 1", examples=[0.4])


class TryDocument(BaseModel):
    """A try at a shorter solution that is under way, or waits for a worker."""

    model_config = ConfigDict(from_attributes=True)

    kind: str = Field(
        description="`beam`: a beam over a view of the whole board; `fresh`: the same, bettered on "
        "its own; `windows`: windows of a stretch of the best solution",
        examples=["windows"],
    )
    width: int = Field(description="Boards that its beam keeps of each level", examples=[1000])
    view: int | None = Field(description="Of a beam: which view; 0 is the board as it is")
    first: int | None = Field(description="Of windows: where the stretch begins")
    count: int | None = Field(description="Of windows: moves of the stretch")
    length: int | None = Field(description="Of windows: moves of each")


class PayDocument(BaseModel):
    """What a kind of try has cost and gained on this board."""

    model_config = ConfigDict(from_attributes=True)

    kind: str
    length: int | None = Field(description="Of windows: moves of each")
    tries: int
    seconds: float = Field(description="Summed over workers")
    gained: int = Field(description="Moves by which the best solution became shorter")


class ImprovementDocument(BaseModel):
    """How the search for shorter solutions of a large board goes."""

    model_config = ConfigDict(from_attributes=True)

    tries: int = Field(description="Begun so far, also for earlier jobs")
    trying: list[TryDocument]
    paid: list[PayDocument]
    improved_at: Seconds | None = Field(description="Of the last gain")


class MethodRunDocument(BaseModel):
    """The run of a textbook search that answers a job; its numbers are null until it is done."""

    model_config = ConfigDict(from_attributes=True)

    id: str = Field(description="Of the run, which others who ask for the same share")
    method: str = Field(examples=["weighted-a-star:manhattan:2"])
    optimal: bool | None = Field(
        description="Whether the solution is a shortest one by the search's promise; null where "
        "nobody can tell"
    )
    stopped_by: StopReason | None = Field(
        description="The limit that ended it; null where the search came to its own end"
    )
    expanded: int | None = Field(description="Nodes whose successors were made")
    generated: int | None = Field(description="Successors made, known ones too")
    visited: int | None = Field(description="Nodes taken up: those expanded, and the goal")
    frontier: int | None = Field(description="Nodes that waited at the end")
    max_frontier: int | None = Field(description="Nodes that waited at most")
    duplicates: int | None = Field(
        description="Of the generated nodes, those whose board was known already"
    )
    depth: int | None = Field(description="Moves from the start to the deepest node expanded")
    branching: float | None = Field(description="Effective branching factor")
    seconds: float | None = Field(description="Of the run alone")
    memory_bytes: int | None = Field(
        description="Of the most nodes kept at once; reckoned, not measured"
    )

    @model_validator(mode="before")
    @classmethod
    def _of_a_view(cls, view: object) -> object:
        if not isinstance(view, MethodRunView):
            return view
        names = [field.name for field in fields(RunStatistics)]
        return {
            "id": view.id,
            "method": view.method.text,
            "optimal": view.optimal,
            "stopped_by": view.stopped_by,
            **{name: getattr(view.statistics, name, None) for name in names},
        }


class JobOutline(BaseModel):
    """A job and where it stands, without its boards; filled from a view."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    state: JobState
    width: int
    height: int
    metric: Metric = Field(
        validation_alias=AliasPath("options", "metric"),
        description="What the bounds, the target and the threshold count: `moves` of single tiles, "
        "or `slides`, in which tiles of a line that go together count once",
    )
    target: str = Field(validation_alias=AliasPath("options", "target"))
    gap_asked: Annotated[float, BeforeValidator(_fraction)] = Field(
        validation_alias=AliasPath("options", "gap")
    )
    algorithm: str = Field(validation_alias=AliasPath("options", "algorithm"))
    heuristic: str = Field(validation_alias=AliasPath("options", "heuristic"))
    time_limit_s: float | None = Field(validation_alias=AliasPath("options", "time_limit_s"))
    created_at: Seconds
    started_at: Seconds | None
    finished_at: Seconds | None
    lower_bound: int = Field(
        description="No solution is shorter, in the metric; proved", examples=[97]
    )
    upper_bound: int | None = Field(
        description="Length of the best solution so far, in the metric", examples=[103]
    )
    gap: float | None = Field(description="(upper − lower) / lower")
    ratio: float | None = Field(description="upper / lower", examples=[1.41])
    threshold: int | None = Field(
        description="Solutions of up to so many moves are being looked for; null before a search "
        "in slices",
        examples=[97],
    )
    progress: float = Field(
        description="Share of the present threshold's tree that is searched, 0 to 1; parts of "
        "equal share may take very different time",
        examples=[0.37],
    )
    nodes: int = Field(description="Boards looked at so far", examples=[48_113_209_776])
    nodes_per_s: float = Field(
        description="Over all workers: of the last seconds while the job runs, over the whole "
        "search after",
        examples=[118_400_000.0],
    )
    seconds_left: float | None = Field(
        description="An estimate of the time to the proof of the optimum if all goes on as now; "
        "null where nothing useful can be said",
        examples=[240.0],
    )
    seconds_left_factor: float | None = Field(
        description="The time left is expected between seconds_left divided by this and "
        "seconds_left times this",
        examples=[2.1],
    )
    threshold_seconds_left: float | None = Field(
        description="An estimate of the time to the end of the present threshold, should no "
        "solution be met in it; null where nothing useful can be said",
        examples=[95.0],
    )
    threshold_seconds_left_factor: float | None = Field(
        description="As seconds_left_factor, for threshold_seconds_left",
        examples=[1.6],
    )
    engine: str | None = Field(
        description="What the last finished slice searched with: the board's size, the parts of "
        "its pattern databases (or `lines` for linear conflicts), the rules against doubles",
        examples=["5x5 6-6-6-6 r10"],
    )
    improvement: ImprovementDocument | None = Field(
        description="Of boards of 25 cells or more: what is tried for a shorter solution, and what "
        "has paid"
    )
    building: BuildingDocument | None = Field(
        description="A better pattern database for boards of this size that is being built; the "
        "search takes it up when it is ready"
    )
    preparing_s: float | None = Field(
        description="Seconds until workers have compiled what they search with, about; the time of "
        "the job begins then; null once they have",
        examples=[12.0],
    )
    run: MethodRunDocument | None = Field(
        description="Of a job that asks for a textbook search: what that search did"
    )
    queue: Queue
    queue_position: int | None
    cached: bool
    version: str
    batch_id: str | None
    message: Annotated[
        str | None, BeforeValidator(_english), Field(description="As a sentence, in English")
    ]
    message_code: Code = Field(validation_alias="message")

    @computed_field  # type: ignore[prop-decorator]
    @property
    def links(self) -> dict[str, str]:
        """Addresses that belong to the job."""
        address = job_address(self.id)
        links = {"self": address, "history": f"{address}/history"}
        if self.upper_bound is not None:
            links["solution"] = f"{address}/solution"
            if self.finished_at is not None:
                links["certificate"] = f"{address}/certificate"
        if self.run is not None:
            links["run"] = f"{API_ROOT}/runs/{self.run.id}"
        if self.batch_id is not None:
            links["batch"] = batch_address(self.batch_id)
        return links


def job_address(job_id: str) -> str:
    """Path of a job."""
    return f"{API_ROOT}/jobs/{job_id}"


def batch_address(batch_id: str) -> str:
    """Path of a batch."""
    return f"{API_ROOT}/batches/{batch_id}"
