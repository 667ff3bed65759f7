"""What the live engine needs from the application. The application passes it once at startup, with `configure`."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol


class Store(Protocol):
    """Stores rows. `commits`: only the commit follows in the transaction, so it may be sent with the rows."""

    def __call__(self, rows: Sequence[Any], /, *, commits: bool) -> None: ...


class Principal(Protocol):
    """A signed-in caller with their rights at one moment. A customer's account receives only its customer's data.

    `scope`: the keys that limit what the caller receives (`privacy.Scoped`). None means no limit. `page`: the caller is
    a page that shows one subject (`registry.Event.followed`), or all subjects of its customer if it is 0.
    """

    @property
    def user_id(self) -> int: ...
    @property
    def full_name(self) -> str: ...
    @property
    def permissions(self) -> frozenset[str]: ...
    @property
    def jti(self) -> str: ...
    @property
    def expires_at(self) -> datetime: ...
    @property
    def token_version(self) -> int: ...
    @property
    def is_customer(self) -> bool: ...
    @property
    def customer_id(self) -> int | None: ...
    @property
    def scope(self) -> frozenset[int] | None: ...
    @property
    def page(self) -> int | None: ...


class CurrentPrincipal(Protocol):
    """Returns the caller with their current rights, or None if the session is over. May wait for the database."""

    def __call__(self, *, user_id: int, jti: str, expires_at: datetime, version: int) -> Principal | None: ...


class Collect(Protocol):
    """Passes `rows` to `store` at the end of the unit of work, after all other writes.

    Outside a unit of work, passes them at once.
    """

    def __call__(self, store: Store, rows: Iterable[Any]) -> None: ...


@dataclass(frozen=True)
class Application:
    """The clock, the sessions and the unit of work of the application, and two callbacks."""

    now: Callable[[], datetime]
    current_principal: CurrentPrincipal
    collect: Collect
    note_connected: Callable[[Collection[int]], None]
    """Called every 20 s with the user ids of the open sockets of this process. May wait for the database."""
    calls_wait: Callable[[], bool] = lambda: False
    """Returns whether an HTTP request of this process still waits for its answer."""


_configured: list[Application] = []


def configure(application: Application) -> None:
    """Use `application` from now on."""
    _configured[:] = [application]


def application() -> Application:
    """Return the configured application. Raises RuntimeError if `configure` was not called."""
    if not _configured:
        raise RuntimeError("realtime.application.configure was not called")
    return _configured[0]
