"""Kinds of notifications, and the public id of one: the cause it stands for."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from project.access.permissions import OF_THE_OFFICE, Permission


class Kind(StrEnum):
    """The types, by their public names."""

    WithoutOutput = "SalesOrderWithoutOutputProcess"
    Expiring = "SalesOrderDeliveryDateExpiring"


KINDS = (Kind.WithoutOutput, Kind.Expiring)


@dataclass(frozen=True)
class Cause:
    """What a notification is about: a process record without exit, or a line near its delivery date.

    There is one notification for a cause, so its id is derived from the cause's and needs no row of its own.
    """

    kind: Kind
    cause_id: int

    @property
    def notification_id(self) -> int:
        return self.cause_id * len(KINDS) + KINDS.index(self.kind)

    @classmethod
    def of(cls, notification_id: int) -> "Cause":
        cause_id, kind = divmod(notification_id, len(KINDS))
        return cls(KINDS[kind], cause_id)


def is_notified(process: int | None, *, permissions: Collection[str], processes: Collection[int]) -> bool:
    """Whether a person is notified of pieces inside a process, or of a delivery date where that is None.

    The office is notified of everything, and so is whoever works in no process; the others of what is inside theirs.
    The client has the same function; both are tested over `tests/contract/notified.json`.
    """
    if Permission.ListOrders not in permissions:
        return False
    return not processes or not OF_THE_OFFICE.isdisjoint(permissions) or process in processes
