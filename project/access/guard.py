"""Guards. Each operation has one: it names the permission that the caller needs, or admits any signed-in user.

By default a guard refuses accounts of type Customer, paired displays and operators at a station: an operation opens
to them only with `customers="why"`, `displays=True` or `operators=True`, so a new operation is closed to them. A
service account may call operations that need a permission it holds. It may call operations that need no permission only
if the guard says `services=True`. An operation that needs no token has `core.routing.Public` instead of a guard.

See infra/docs/rules.md#who-calls.
"""

from typing import Any

from django.http import HttpRequest
from ninja.security import HttpBearer

from project.access import operators
from project.access.principal import Principal
from project.access.token import verify
from project.core.errors import PermissionDenied
from project.core.logs import current_user_id
from project.core.pagination import cursor_reader


class SignedIn(HttpBearer):
    """Admit anyone signed in; customers' accounts, displays, operators and service accounts only if their flag is set.

    Raises 401 `unauthenticated` or `operator_over`, 403 `permission_denied`.

    `why`: why the operation needs no permission. `customers`: what customers' accounts read there; empty if the
    operation is closed to them. `reported_later`: the operation accepts movements that a station reports later. The
    operation itself checks whether the operator was present when the movement was made.
    """

    def __init__(
        self,
        why: str,
        *,
        customers: str = "",
        displays: bool = False,
        operators: bool = False,
        services: bool = False,
        reported_later: bool = False,
    ) -> None:
        super().__init__()
        self.why = why
        self.customers, self.displays, self.services = customers, displays, services
        self.operators, self.reported_later = operators, reported_later

    def __call__(self, request: HttpRequest) -> Any | None:
        return admitted(request, self)

    def authenticate(self, request: HttpRequest, token: str) -> Principal:
        return _verified(token)

    def admits(self, request: HttpRequest, principal: Principal) -> bool:
        """Return whether the caller has the permissions for the operation. `lets_in` also checks the kind of caller."""
        return True

    def lets_in(self, request: HttpRequest, principal: Principal) -> bool:
        """Return whether the operation is open to this kind of caller, and the caller has the permissions for it."""
        known = (
            (bool(self.customers) or not principal.is_customer)
            and (self.displays or not principal.is_display)
            and (self.operators or principal.station is None)
            and (self.services or not principal.is_service)
        )
        return known and self.admits(request, principal)


class Requires(SignedIn):
    """Admit holders of at least one of `actions`. Raises 401, or 403 `permission_denied`.

    `or_options`: also admit all staff to the reduced list (`?fields=options`).
    """

    def __init__(
        self, *actions: str, or_options: bool = False, services: bool = True, customers: str = "", **open_to: bool
    ) -> None:
        super().__init__("", services=services, customers=customers, **open_to)
        self.actions = frozenset(actions)
        self.or_options = or_options

    def admits(self, request: HttpRequest, principal: Principal) -> bool:
        reduced = self.or_options and not principal.is_service and request.GET.get("fields") == "options"
        return principal.holds(*self.actions) or reduced


class RequiresOrSelf(Requires):
    """Admit holders of one of `actions`, and the user whose id is in the path."""

    def admits(self, request: HttpRequest, principal: Principal) -> bool:
        match = request.resolver_match
        own = match is not None and match.kwargs.get("user_id") in (principal.user_id, str(principal.user_id))
        return own or super().admits(request, principal)


def principal_of(request: HttpRequest) -> Principal | None:
    """Return the caller, verified once per request; None without a bearer token.

    Raises `Unauthenticated`; for an operator's token also `OperatorOver` and `PermissionDenied`.
    """
    if not hasattr(request, "principal"):
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        request.principal = _verified(token.strip()) if scheme.lower() == "bearer" and token else None  # type: ignore[attr-defined]
    found: Principal | None = request.principal  # type: ignore[attr-defined]
    if found is not None:
        current_user_id.set(found.user_id)
    return found


def _verified(token: str) -> Principal:
    return operators.verify(token) if operators.is_operators(token) else verify(token)


def admitted(request: HttpRequest, guard: SignedIn) -> Principal | None:
    """Return the caller if `guard` admits them; None without a bearer token.

    Raises `Unauthenticated`, `PermissionDenied`, `OperatorOver`.
    """
    principal = principal_of(request)
    if principal is None:
        return None
    if not guard.lets_in(request, principal):
        raise PermissionDenied
    if not guard.reported_later:
        operators.check_present(principal)
    cursor_reader.set(f"{principal.user_id} {request.path}")
    return principal


def caller(request: HttpRequest) -> Principal:
    """Return the caller of a guarded request."""
    principal: Principal = request.auth  # type: ignore[attr-defined]
    return principal
