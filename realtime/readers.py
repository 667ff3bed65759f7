"""Which events somebody receives, and which parts of them are hidden from him."""

from dataclasses import dataclass
from functools import cache, lru_cache

from realtime import registry
from realtime.application import Principal
from realtime.privacy import BY_NOBODY, Private, Scoped


@dataclass(frozen=True)
class Reader:
    """All that decides which bytes somebody receives: equal readers receive the same.

    `permissions` are those that events ask for. A customer's account receives events of `customer` alone, and none
    where that is None (infra/docs/rules.md#customers-accounts). `scope` cuts events down to what lies in it.
    """

    permissions: frozenset[str]
    is_customer: bool = False
    customer: int | None = None
    scope: frozenset[int] | None = None

    @classmethod
    def of(cls, principal: Principal) -> "Reader":
        return cls(
            principal.permissions & _live_permissions(), principal.is_customer, principal.customer_id, principal.scope
        )

    def receives(self, audience: frozenset[str], customer: int | None) -> bool:
        """Whether he receives what goes to `audience` and to the accounts of `customer`."""
        if self.is_customer:
            return customer is not None and customer == self.customer
        return not audience.isdisjoint(self.permissions)

    def receives_personal(self, type: str) -> bool:
        """Whether he receives a personal event of this type."""
        return not self.is_customer or registry.is_for_every_account(type)

    def hidden_in(self, type: str) -> tuple[Private, ...]:
        """The fields of an event of this type that are hidden from him."""
        return _hidden(type, self.permissions, self.is_customer)

    def narrowed_in(self, type: str) -> tuple[Scoped, ...]:
        """The parts of an event of this type that are cut down to his scope."""
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
