"""Bodies and answers of displays."""

from typing import Annotated, Literal

from pydantic import Field

from project.core.pagination import ListQuery
from project.core.schemas import Id, In, Instant, Name, Out, changes


class PairingOut(Out):
    """What a screen shows (`code`), what it asks with (`secret`), and for how many seconds both are good."""

    code: str
    secret: str
    expires_in: int


class PairedOut(Out):
    """Whether somebody has named the screen. `token` is answered until it is used, and is good until the display is
    revoked; `zone` is the plant's time zone, in which the screen tells time."""

    status: Literal["waiting", "paired"]
    token: str | None = None
    name: str | None = None
    zone: str | None = None


class DisplayQuery(ListQuery):
    """`active=false`: those that were revoked."""

    active: bool | None = None


class DisplayFields(In):
    name: Name
    production_process_ids: Annotated[list[Id], Field(max_length=200)] = []


class DisplayIn(DisplayFields):
    """The code as somebody typed it: small letters, spaces and dashes do no harm."""

    code: Annotated[str, Field(max_length=40)]


class DisplayChange(changes(DisplayFields)):  # type: ignore[misc]
    """A display's PUT."""


class DisplayOut(Out):
    """A wall screen; without `productionProcessIds` it shows every lane."""

    id: int
    name: str
    production_process_ids: list[int]
    last_seen: Instant | None
    active: bool
    version: int
