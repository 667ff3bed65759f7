"""The answer to a page that starts."""

from project.access.permissions import Permission
from project.core.options import OptionOut
from project.core.schemas import Out
from project.customer_links.schemas import WorkshopOut
from project.identity.schemas import TicketOut
from project.notices.events import NotificationDocument
from project.notices.schemas import BellOut
from project.parts.schemas import PartOut
from project.staffing.definitions import ProcessOptionOut
from project.staffing.schemas import UserOut


class PlantOut(Out):
    """The plant's time zone and currency: the same values as in access tokens."""

    zone: str
    currency: str


class UnreadOut(Out):
    """What the caller's bell shows."""

    notifications: list[NotificationDocument]
    bell: BellOut


class PageStartOut(TicketOut):
    """A ticket, and what every page needs first. Each part is what its GET answers; null or empty if the GET refuses.

    `epoch` and `id`: the position in the live events where the socket begins. It is half a minute old, so that the page
    misses nothing that changes while it loads. `permissions`: the caller's own. `processes`: all of them, in the
    plant's order. `options`: the first 200 active choices of each catalog.
    `workshop`: for customers alone.
    """

    epoch: str
    id: int
    user: UserOut | None
    permissions: list[Permission]
    plant: PlantOut
    processes: list[ProcessOptionOut]
    options: dict[str, list[ProcessOptionOut | OptionOut]]
    parts: list[PartOut]
    unread: UnreadOut | None
    workshop: WorkshopOut | None
