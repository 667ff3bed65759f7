"""REST of users (infra/docs/rules.md#accounts)."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Query

from project.access.guard import Requires, RequiresOrSelf, SignedIn, caller
from project.access.permissions import Permission
from project.audit.exporting import export
from project.catalogs.resources import PathId
from project.core.answers import Created
from project.core.idempotency import NotKept
from project.core.options import Options, with_options
from project.core.pagination import announce, paginate
from project.core.routing import domain_router
from project.core.versions import if_match
from project.identity.models import User, full_name_of
from project.identity.selectors import PEOPLE, USER_ORDERINGS
from project.staffing import documents, operators, schemas, selectors, services

users = domain_router("users")


@users.get(
    "",
    auth=Requires(Permission.ListUsers, or_options=True),
    operation_id="user_list",
)
@with_options(Options(User, full_name_of(), active="active", only=PEOPLE))
def user_list(
    request: HttpRequest, response: HttpResponse, query: Query[schemas.UserQuery]
) -> list[schemas.UserOut] | HttpResponseBase:
    """List users. `fields=options` answers `{id, name}` to all staff; `format` answers the whole list as a file."""
    found = selectors.users(
        query.search,
        active=query.active,
        locked=query.locked,
        user_type=query.user_type,
        role_id=query.role_id,
    )
    if query.format:
        return export(request, found, query, USER_ORDERINGS, documents.USER_COLUMNS, "users")
    page = paginate(found, query, USER_ORDERINGS)
    return [documents.user(row) for row in announce(page, request, response)]


@users.post("", auth=Requires(Permission.CreateUser), operation_id="user_create")
def user_create(request: HttpRequest, body: schemas.UserIn) -> Created[schemas.UserOut]:
    """Create a user, who can sign in at once. You cannot give them a role with permissions that you lack."""
    user = services.user_create(body=body, by=caller(request))
    return Created(documents.user(user))


@users.get(
    "/{int:user_id}",
    auth=RequiresOrSelf(Permission.ListUsers, customers="themselves", services=False),
    operation_id="user_get",
)
def user_get(request: HttpRequest, user_id: PathId) -> schemas.UserOut:
    """Read a user. Every user may read their own account."""
    user = selectors.user_get(user_id)
    return documents.user(user)


@users.put("/{int:user_id}", auth=Requires(Permission.UpdateUser), operation_id="user_update")
def user_change(request: HttpRequest, user_id: PathId, body: schemas.UserChange) -> schemas.UserOut:
    """Change a user. A new password, a lock or a deactivation ends their sessions at once."""
    user = services.user_change(user_id=user_id, body=body, by=caller(request), expected=if_match(request))
    return documents.user(user)


@users.put(
    "/{int:user_id}/language",
    auth=SignedIn("their own language only"),
    operation_id="user_change_language",
)
def change_language(request: HttpRequest, user_id: PathId, body: schemas.LanguageIn) -> schemas.UserOut:
    """Set the language of your own account. All staff may do this."""
    user = services.language_change(
        user_id=user_id, language=body.language, by=caller(request), expected=if_match(request)
    )
    return documents.user(user)


@users.put("/{int:user_id}/pin", auth=Requires(Permission.UpdateUser), operation_id="user_change_pin")
def change_pin(request: HttpRequest, user_id: PathId, body: schemas.PinIn) -> schemas.UserOut:
    """Set or remove the PIN that identifies a user at stations. No two users may have the same PIN."""
    user = operators.pin_change(user_id=user_id, pin=body.pin, by=caller(request), expected=if_match(request))
    return documents.user(user)


@users.post(
    "/{int:user_id}/badge",
    auth=Requires(Permission.UpdateUser),
    operation_id="user_badge_create",
    versioned=True,
    repeat=NotKept("answers a code that nobody reads again"),
)
def badge_create(request: HttpRequest, user_id: PathId) -> Created[schemas.BadgeOut]:
    """Make a new badge that identifies a user at stations. The old badge stops working."""
    user, code = operators.badge_make(user_id=user_id, by=caller(request), expected=if_match(request))
    return Created(schemas.BadgeOut(id=user.pk, version=user.version, code=code))


@users.delete(
    "/{int:user_id}/badge",
    auth=Requires(Permission.UpdateUser),
    operation_id="user_badge_delete",
    versioned=True,
)
def badge_delete(request: HttpRequest, user_id: PathId) -> schemas.UserOut:
    """Revoke a user's badge."""
    user = operators.badge_revoke(user_id=user_id, by=caller(request), expected=if_match(request))
    return documents.user(user)


@users.delete("/{int:user_id}", auth=Requires(Permission.DeleteUser), operation_id="user_delete")
def user_delete(request: HttpRequest, user_id: PathId) -> schemas.UserOut:
    """Delete a user who has left no records, such as movements. Answers the deleted user."""
    return documents.user(services.user_delete(user_id=user_id, by=caller(request)))
