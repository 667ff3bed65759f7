"""The guards: every operation names the permission it needs, or that anyone signed in will do.

An account of type Customer is refused by every guard that does not say `customers=True`, a paired display by every one
that does not say `displays=True`, an operator at a station by every one that does not say `operators=True`, so that a
new operation is closed to them until somebody has thought of them. A service account calls what
needs a permission that it was given; what needs none is closed to it unless the guard says `services=True`.

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
    """Anyone who is signed in; customers' accounts, displays, operators and service accounts too where `customers`,
    `displays`, `operators` and `services` say so. Raises 401 `unauthenticated` and `operator_over`, 403.

    `reported_later`: the operation takes what a station reports later, so it checks itself whether the operator was
    still present then.
    """

    def __init__(
        self,
        *,
        customers: bool = False,
        displays: bool = False,
        operators: bool = False,
        services: bool = False,
        reported_later: bool = False,
    ) -> None:
        super().__init__()
        self.customers, self.displays, self.services = customers, displays, services
        self.operators, self.reported_later = operators, reported_later

    def __call__(self, request: HttpRequest) -> Any | None:
        return admitted(request, self)

    def authenticate(self, request: HttpRequest, token: str) -> Principal:
        return _verified(token)

    def admits(self, request: HttpRequest, principal: Principal) -> bool:
        """Whether this person may call the operation, as far as his kind of caller may."""
        return True

    def lets_in(self, request: HttpRequest, principal: Principal) -> bool:
        """Whether this person may call the operation."""
        known = (
            (self.customers or not principal.is_customer)
            and (self.displays or not principal.is_display)
            and (self.operators or principal.station is None)
            and (self.services or not principal.is_service)
        )
        return known and self.admits(request, principal)


class Requires(SignedIn):
    """Someone who holds at least one of `actions`; any of the staff for the reduced list (`?fields=options`)
    where `or_options` says so. Raises 401, or 403 `permission_denied`."""

    def __init__(self, *actions: str, or_options: bool = False, services: bool = True, **open_to: bool) -> None:
        super().__init__(services=services, **open_to)
        self.actions = frozenset(actions)
        self.or_options = or_options

    def admits(self, request: HttpRequest, principal: Principal) -> bool:
        reduced = self.or_options and not principal.is_service and request.GET.get("fields") == "options"
        return principal.holds(*self.actions) or reduced


class RequiresOrSelf(Requires):
    """Someone who holds one of `actions`, or the user whose own id stands in the path."""

    def admits(self, request: HttpRequest, principal: Principal) -> bool:
        match = request.resolver_match
        own = match is not None and match.kwargs.get("user_id") in (principal.user_id, str(principal.user_id))
        return own or super().admits(request, principal)


def principal_of(request: HttpRequest) -> Principal | None:
    """The caller, verified once a request; None where no bearer token is sent. Raises `Unauthenticated`."""
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
    """The caller if `guard` admits him, None where nobody is signed in. Raises `PermissionDenied`, `OperatorOver`."""
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
    """The person behind a guarded request."""
    principal: Principal = request.auth  # type: ignore[attr-defined]
    return principal
