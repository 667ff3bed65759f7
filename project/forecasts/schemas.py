"""Queries of forecasts."""

from typing import Annotated

from pydantic import BaseModel, Field

from project.core.schemas import QueryId


class OfferedDaysQuery(BaseModel):
    """The products of the lines that are being written. `ids`: their ids."""

    ids: Annotated[list[QueryId], Field(min_length=1, max_length=200)]
