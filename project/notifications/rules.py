"""Kinds of notifications, and the public id of a notification, which is derived from its cause."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from project.access.permissions import OF_THE_OFFICE, Permission


class Kind(StrEnum):
    """The types of notifications, by their public names."""

    WithoutOutput = "SalesOrderWithoutOutputProcess"
    Expiring = "SalesOrderDeliveryDateExpiring"
    LikelyLate = "likelyLate"
    CustomerAnswer = "customerAnswer"


KINDS = (Kind.WithoutOutput, Kind.Expiring, Kind.LikelyLate, Kind.CustomerAnswer)


@dataclass(frozen=True)
class Cause:
    """What a notification is about: a process record without exit, a line near or past its delivery date or likely to
    be late, or an answer of a customer.

    Each cause has one notification, with an id that is computed from the cause. So a notification needs no row.
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
    """Say whether a person is notified of pieces inside `process`, or of a delivery date if `process` is None.

    Only holders of `ListOrders` are notified. Of them, the office is notified of everything, and so are people who work
    in no process. The others are notified of pieces inside the processes that they work in. The client has the same
    function; `tests/contract/notified.json` tests both.
    """
    if Permission.ListOrders not in permissions:
        return False
    return not processes or not OF_THE_OFFICE.isdisjoint(permissions) or process in processes
