"""Changes of permissions: serialized, and published to exactly the users whose permissions changed."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from project.access import token
from project.access.principal import Principal
from project.core.errors import Unauthenticated
from project.identity import rules, selectors
from project.identity.models import Role, User
from realtime import outbox
from realtime.registry import Actor, PermissionsChanged, UserData


def take_turn(by: Principal) -> Principal:
    """Lock all roles, to wait for every other change of permissions. Returns the caller with the permissions held now.

    So two administrators cannot take each other's permissions at the same time: the permissions of the second one are
    checked after the first change. A caller from the command line is returned unchanged. Raises `Unauthenticated` if
    another change has ended the caller's session.
    """
    lock_roles()
    if not by.jti:  # the command line has no session
        return by
    found = token.current(user_id=by.user_id, jti=by.jti, expires_at=by.expires_at, version=by.token_version)
    if found is None:
        raise Unauthenticated
    return found


def lock_roles() -> None:
    """Lock all roles, to wait for every other change of permissions."""
    list(Role.objects.select_for_update().order_by("pk").values_list("pk"))


@contextmanager
def checked_role_change(user_ids: Iterable[int], by: Principal, *, role: frozenset[str]) -> Iterator[None]:
    """Let the `with` block change a role, and then check the change. 5 queries.

    `role`: the permissions that the role held before, if the block takes some of them; else empty. Raises
    `LastAdministrator` if no administrator remains, `PermissionDenied` if `by` lacks a permission of `role` or the
    block takes a permission from a user who holds more than `by`, and `LastHolder` if nobody holds some permission any
    more.
    """
    others = sorted(set(user_ids) - {by.user_id})
    before, held = selectors.holdings(others), selectors.held_by_anybody()
    yield
    _check_administrator()
    rules.check_taking(by, before, selectors.holdings(others))
    rules.check_grant(by, role)
    _check_each_is_held(held)


@contextmanager
def checked_user_change(user_id: int, by: Principal) -> Iterator[None]:
    """Let the `with` block change a user, and then check the change. 4 queries.

    Raises `LastAdministrator` if no administrator remains, `PermissionDenied` if the user held more permissions than
    `by` does, and `LastHolder` if nobody holds some permission any more.
    """
    others, held = selectors.holdings({user_id} - {by.user_id}), selectors.held_by_anybody()
    yield
    _check_administrator()
    rules.check_above(by, others.values())
    _check_each_is_held(held)


def _check_administrator() -> None:
    if not selectors.an_administrator_remains():
        raise rules.LastAdministrator


def _check_each_is_held(before: frozenset[str]) -> None:
    if lost := before - selectors.held_by_anybody():
        raise rules.LastHolder(lost)


@contextmanager
def publish_changed_rights(user_ids: Iterable[int], by: Principal | None) -> Iterator[None]:
    """Send `permissions.changed` to each of these users whose permissions are different after the block.

    At most 4 queries.
    """
    concerned = sorted(user_ids)
    before = _held_by(concerned)
    yield
    after = _held_by(concerned)
    # Skip users who may not sign in before or after: `session.ended` covers them.
    changed_for([one for one in concerned if one in before and one in after and before[one] != after[one]], by)


def changed_for(user_ids: Iterable[int], by: Principal | None) -> None:
    """Send `permissions.changed` to these users; their browsers reload their permissions."""
    events = [outbox.Personal(PermissionsChanged(data=UserData(id=user_id)), user_id) for user_id in user_ids]
    outbox.publish_all(events, by=Actor.of(by) if by else None)


def _held_by(user_ids: list[int]) -> dict[int, frozenset[str]]:
    """Return the permissions of the roles of these users, by user id. Leaves out inactive and locked users. 1 query."""
    users = User.objects.filter(pk__in=user_ids, active=True, locked=False)
    found: defaultdict[int, set[str]] = defaultdict(set)
    for pk, action in users.values_list("pk", "roles__permissions__action"):
        found[pk] |= {action} if action else set()
    return {pk: frozenset(held) for pk, held in found.items()}
