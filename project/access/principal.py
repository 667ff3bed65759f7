"""Who is calling, with the rights held at this moment."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


class Account(Protocol):
    """What this package needs to know of a user; `identity.User` is one."""

    pk: int
    token_version: int

    @property
    def full_name(self) -> str: ...

    @property
    def may_sign_in(self) -> bool: ...

    def permission_names(self) -> frozenset[str]: ...


@dataclass(frozen=True)
class Principal:
    """A signed-in person: what the token says, checked against the database now."""

    user_id: int
    full_name: str
    permissions: frozenset[str]
    jti: str
    expires_at: datetime

    def holds(self, *actions: str) -> bool:
        """Whether at least one of `actions` is held."""
        return not self.permissions.isdisjoint(actions)
