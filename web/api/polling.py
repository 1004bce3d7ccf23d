"""The parameters of long polls."""

from __future__ import annotations

from pydantic import BaseModel, Field


class FollowQuery(BaseModel):
    """How long to wait, and for what."""

    wait: float = Field(
        0,
        ge=0,
        allow_inf_nan=False,
        description="Seconds to wait, up to 20, for another version than If-None-Match or since "
        "names, or for the end of all work where neither is given",
    )
    since: str | None = Field(None, max_length=200, description="A version seen before")
