"""REST API of sign-in, passwords, roles and permissions (infra/docs/rules.md#sign-in)."""

from typing import Annotated

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Path, Query

from project.access.guard import Requires, SignedIn, caller
from project.access.known_browsers import browser_of, remember
from project.access.permissions import ADMINISTRATOR, PERMISSIONS, Permission, PermissionDescription
from project.core.answers import Created
from project.core.errors import PermissionDenied, named_by
from project.core.idempotency import NotKept
from project.core.options import Options, OptionsQuery, with_options
from project.core.pagination import announce, paginate
from project.core.pictures import pass_of
from project.core.requests import current_address
from project.core.routing import Public, domain_router
from project.core.schemas import Id
from project.core.texts import either
from project.core.versions import if_match
from project.identity import passwords, schemas, selectors, services, sessions
from project.identity.models import Role, SecondFactor
from project.identity.templates import TEMPLATES
from realtime import tickets

authentication = domain_router("sign-in")
permissions = domain_router("permissions")
roles = domain_router("roles")
own_password = domain_router("users")
live = domain_router("live")

PathId = Annotated[Id, Path()]


@authentication.post(
    "/sign-out",
    auth=SignedIn("everyone may sign out", customers="everyone may sign out"),
    operation_id="sign_out",
    repeat=NotKept("ends the token that would ask again"),
)
def sign_out(request: HttpRequest) -> schemas.SignedOut:
    """End this session immediately, on HTTP and on open sockets."""
    sessions.sign_out(by=caller(request))
    return schemas.SignedOut()


@authentication.post(
    "/recover-password",
    auth=Public("nobody can sign in who has lost their password"),
    operation_id="recover_password",
    repeat=NotKept("nobody is signed in"),
)
def recover_password(request: HttpRequest, body: schemas.Recovery) -> schemas.RecoveryOut:
    """Mail a single-use link if the address is known. The answer does not reveal whether the address is known."""
    passwords.recovery_request(email=body.email, address=current_address.get(), browser=browser_of(request))
    return schemas.RecoveryOut(mail=settings.MAIL_SERVER)


@authentication.post(
    "/reset-password",
    auth=Public("the mailed link is the proof"),
    operation_id="reset_password",
    repeat=NotKept("nobody is signed in"),
)
def reset_password(request: HttpRequest, body: schemas.PasswordReset) -> schemas.PasswordChanged:
    """Set a new password with the mailed link, once."""
    passwords.password_reset(token=body.token, new=body.new_password, confirmation=body.confirm_new_password)
    return schemas.PasswordChanged()


def _permission(row: PermissionDescription) -> schemas.PermissionOut:
    return schemas.PermissionOut(
        id=row.id,
        action=row.action,
        group=row.group,
        description_es=row.description_es,
        description_en=row.description_en,
        needs=sorted(row.needs),
    )


@permissions.get("", auth=Requires(Permission.ListPermissions), operation_id="permission_list")
def permission_list(request: HttpRequest) -> list[schemas.PermissionOut]:
    """List all permissions."""
    return [_permission(row) for row in PERMISSIONS]


@permissions.post(
    "/describe",
    auth=SignedIn(
        "their own permissions; those of others are tested with identity",
        customers="their own, which is the same for all of them",
    ),
    operation_id="permission_describe",
    repeat=NotKept("reads"),
)
def permission_describe(request: HttpRequest, body: schemas.Describe) -> list[schemas.PermissionOut]:
    """List the permissions of a user. For another user you need `ListUsers`. 422 `unknown` if the id does not exist."""
    subject = int(body.subject_id)
    by = caller(request)
    if subject != by.user_id and not by.holds(Permission.ListUsers):
        raise PermissionDenied
    with named_by("subjectId"):
        held = by.permissions if subject == by.user_id else selectors.permissions_of(subject)
    return [_permission(row) for row in PERMISSIONS if row.action in held]


def _role(row: Role) -> schemas.RoleOut:
    return schemas.RoleOut(
        id=row.pk,
        name=row.name,
        description=row.description,
        second_factor=SecondFactor(row.second_factor),
        permissions=sorted(Permission(permission.action) for permission in row.permissions.all()),
        administrator={permission.action for permission in row.permissions.all()} >= ADMINISTRATOR,
        users_count=row.users_count,  # type: ignore[attr-defined]
        version=row.version,
    )


@roles.get(
    "",
    auth=Requires(Permission.ListRoles, or_options=True),
    operation_id="role_list",
)
@with_options(Options(Role))
def role_list(request: HttpRequest, response: HttpResponse, query: Query[OptionsQuery]) -> list[schemas.RoleOut]:
    """List roles with their permissions; `fields=options` answers `{id, name}` to all staff."""
    page = paginate(selectors.roles(query.search), query, selectors.ROLE_ORDERINGS)
    return [_role(row) for row in announce(page, request, response)]


@roles.post("", auth=Requires(Permission.CreateRole), operation_id="role_create")
def role_create(request: HttpRequest, body: schemas.RoleIn) -> Created[schemas.RoleOut]:
    """Create a role. You may only grant permissions that you hold."""
    role = services.role_create(body=body, by=caller(request))
    return Created(_role(role))


@roles.get(
    "/templates",
    auth=Requires(Permission.CreateRole),
    operation_id="role_template_list",
)
def role_template_list(request: HttpRequest) -> list[schemas.RoleTemplateOut]:
    """List the roles of a usual workshop, to start a new role from."""
    return [
        schemas.RoleTemplateOut(
            key=one.key,
            name=either(*one.names),
            description=either(*one.descriptions),
            permissions=sorted(one.permissions),
        )
        for one in TEMPLATES
    ]


@roles.get("/{int:role_id}", auth=Requires(Permission.ListRoles), operation_id="role_get")
def role_get(request: HttpRequest, role_id: PathId) -> schemas.RoleOut:
    """Return a role with its permissions and its number of users."""
    role = selectors.role_get(role_id)
    return _role(role)


@roles.put("/{int:role_id}", auth=Requires(Permission.UpdateRole), operation_id="role_update")
def role_change(request: HttpRequest, role_id: PathId, body: schemas.RoleChange) -> schemas.RoleOut:
    """Change a role. The permissions of all its users change immediately."""
    role = services.role_change(role_id=role_id, body=body, by=caller(request), expected=if_match(request))
    return _role(role)


@roles.delete("/{int:role_id}", auth=Requires(Permission.DeleteRole), operation_id="role_delete")
def role_delete(request: HttpRequest, role_id: PathId) -> schemas.RoleOut:
    """Delete a role. Answers the deleted role."""
    return _role(services.role_delete(role_id=role_id, by=caller(request)))


@own_password.put(
    "/{int:user_id}/change-password/by-user",
    auth=Requires(Permission.ChangePassword, customers="their own password"),
    operation_id="user_change_password",
    repeat=NotKept("ends the token that would ask again"),
)
def change_password(
    request: HttpRequest, response: HttpResponse, user_id: PathId, body: schemas.PasswordChange
) -> schemas.PasswordChanged:
    """Change your own password. All sessions of the account end."""
    password_hash = passwords.password_change(
        user_id=user_id,
        current=body.current_password,
        new=body.new_password,
        confirmation=body.confirm_new_password,
        address=current_address.get(),
        by=caller(request),
        expected=if_match(request),
    )
    remember(response, browser_of(request).with_account(user_id, password_hash))
    return schemas.PasswordChanged()


@live.post(
    "/ticket",
    auth=SignedIn(
        "events are filtered by permission one by one",
        customers="each event is narrowed for them",
        displays=True,
        services=True,
    ),
    operation_id="live_ticket",
    repeat=NotKept("answers a ticket"),
)
def live_ticket(request: HttpRequest) -> schemas.TicketOut:
    """Create a ticket for `GET /ws/events`, valid for one socket within 30 seconds."""
    return schemas.TicketOut(ticket=tickets.issue(caller(request)), pictures=pass_of(caller(request)))
