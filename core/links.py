"""The addresses in the API's responses and in webhook calls."""

from __future__ import annotations

from typing import Final

from tilework.core.model.batches import BatchView
from tilework.core.model.jobs import JobView

API_ROOT: Final = "/api/v1"


def job_url(job_id: str) -> str:
    return f"{API_ROOT}/jobs/{job_id}"


def batch_url(batch_id: str) -> str:
    return f"{API_ROOT}/batches/{batch_id}"


def with_job_links(job: JobView, **values: object) -> JobView:
    """Return a job with the URLs of related resources, and these values of other fields."""
    url = job_url(job.id)
    links = {
        "self": url,
        "events": f"{url}/events",
        "activity": f"{url}/activity",
        "history": f"{url}/history",
    }
    if job.upper_bound is not None:
        links["solution"] = f"{url}/solution"
        if job.finished:
            links["certificate"] = f"{url}/certificate"
    if job.batch_id is not None:
        links["batch"] = batch_url(job.batch_id)
    return job.model_copy(update={"links": links, **values})


def with_batch_links(batch: BatchView) -> BatchView:
    """Return a batch with the URLs of related resources."""
    url = batch_url(batch.id)
    parts = ("events", "results", "certificates")
    links = {"self": url, **{part: f"{url}/{part}" for part in parts}}
    return batch.model_copy(update={"links": links})
