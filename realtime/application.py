"""What the engine needs of the application. The application gives it once, at its start (`configure`)."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol


class Store(Protocol):
    """Stores rows. `commits`: nothing follows in their transaction but its commit, which may be sent with them."""

    def __call__(self, rows: Sequence[Any], /, *, commits: bool) -> None: ...


class Principal(Protocol):
    """A signed-in person with the rights of a moment. A customer's account receives what is that customer's alone.

    `scope`: the keys to which what he receives is narrowed (`privacy.Scoped`), None where it is not.
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


class CurrentPrincipal(Protocol):
    """The person with the rights of this moment; None once the session is over. May wait for the database."""

    def __call__(self, *, user_id: int, jti: str, expires_at: datetime, version: int) -> Principal | None: ...


class Collect(Protocol):
    """Decides when `store` is called with `rows`: last in their transaction, after everything else it writes."""

    def __call__(self, store: Store, rows: Iterable[Any]) -> None: ...


@dataclass(frozen=True)
class Application:
    """The clock, the sessions and the unit of work of the application, and what it is told and asked."""

    now: Callable[[], datetime]
    current_principal: CurrentPrincipal
    collect: Collect
    note_connected: Callable[[Collection[int]], None]
    """Called every 20 s with the users whose sockets are open in this process. May wait for the database."""
    calls_wait: Callable[[], bool] = lambda: False
    """Whether HTTP requests of this process wait for their answer."""


_configured: list[Application] = []


def configure(application: Application) -> None:
    """Work in `application` from now on."""
    _configured[:] = [application]


def application() -> Application:
    """The application that was given. Raises RuntimeError before that."""
    if not _configured:
        raise RuntimeError("realtime.application.configure was not called")
    return _configured[0]
