"""Bodies and answers of displays."""

from typing import Annotated, Literal

from pydantic import Field

from project.core.pagination import ListQuery
from project.core.schemas import Id, In, Instant, Name, Out, changes


class PairingOut(Out):
    """The code that the screen shows, the secret that it polls with, and the seconds for which both are valid."""

    code: str
    secret: str
    expires_in: int


class PairedOut(Out):
    """The state of a pairing. `status`: `paired` once an administrator has named the screen.

    `token`: answered until the screen first uses it; it stays valid until the display is revoked. `zone`: the plant's
    time zone, for the screen's clock.
    """

    status: Literal["waiting", "paired"]
    token: str | None = None
    name: str | None = None
    zone: str | None = None


class DisplayQuery(ListQuery):
    """The parameters of the list of displays. `active=false`: only revoked displays."""

    active: bool | None = None


class DisplayFields(In):
    name: Name
    production_process_ids: Annotated[list[Id], Field(max_length=200)] = []


class DisplayIn(DisplayFields):
    """A display to create. `code`: the code that the screen shows; case, spaces and dashes are ignored."""

    code: Annotated[str, Field(max_length=40)]


class DisplayChange(changes(DisplayFields)):  # type: ignore[misc]
    """A change of a display; omitted fields keep their values."""


class DisplayOut(Out):
    """A wall screen. With empty `productionProcessIds` it shows all lanes."""

    id: int
    name: str
    production_process_ids: list[int]
    last_seen: Instant | None
    active: bool
    version: int
