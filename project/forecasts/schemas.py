"""Queries of forecasts."""

from typing import Annotated

from pydantic import BaseModel, Field

from project.core.schemas import QueryId


class OfferedDaysQuery(BaseModel):
    """The lines that are being written. `ids`: the ids of their products."""

    ids: Annotated[list[QueryId], Field(min_length=1, max_length=200)]
