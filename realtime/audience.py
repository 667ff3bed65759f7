"""Who receives an event: what each reader may see."""

from dataclasses import dataclass
from functools import cache, lru_cache

from realtime import registry
from realtime.application import Principal
from realtime.privacy import BY_NOBODY, Private, Scoped


@dataclass(frozen=True)
class Reader:
    """Everything that decides which bytes a socket receives. Equal readers receive the same bytes.

    `permissions`: only those that some event asks for. A customer's account receives only events of `customer`, and
    none if `customer` is None. `scope`: events are reduced to the rows inside it (`privacy.Scoped`). `page`: the reader
    is a page. It receives only the customer's events that it follows, and learns from them only that something changed.
    """

    permissions: frozenset[str]
    is_customer: bool = False
    customer: int | None = None
    scope: frozenset[int] | None = None
    page: int | None = None

    @classmethod
    def of(cls, principal: Principal) -> "Reader":
        return cls(
            principal.permissions & _live_permissions(),
            principal.is_customer,
            principal.customer_id,
            principal.scope,
            principal.page,
        )

    def receives(self, audience: frozenset[str], customer: int | None) -> bool:
        """Whether the reader receives an event for `audience` and for the accounts of `customer`."""
        if self.is_customer:
            return customer is not None and customer == self.customer
        return not audience.isdisjoint(self.permissions)

    def receives_personal(self, type: str) -> bool:
        """Whether the reader receives a personal event of this type."""
        return not self.is_customer or registry.is_for_every_account(type)

    def hidden_in(self, type: str) -> tuple[Private, ...]:
        """The fields of events of this type that are hidden from the reader."""
        return _hidden(type, self.permissions, self.is_customer)

    def narrowed_in(self, type: str) -> tuple[Scoped, ...]:
        """The parts of events of this type that are reduced to the reader's scope."""
        return () if self.scope is None else registry.scoped_parts(type)


@cache
def _live_permissions() -> frozenset[str]:
    return registry.permissions()


@lru_cache(maxsize=4_096)
def _hidden(type: str, permissions: frozenset[str], is_customer: bool) -> tuple[Private, ...]:
    hidden = [
        field
        for field in registry.private_fields(type)
        if field.needs.isdisjoint(permissions) or (is_customer and field.staff)
    ]
    if is_customer and BY_NOBODY.path not in [field.path for field in hidden]:
        hidden.append(BY_NOBODY)
    return tuple(hidden)
