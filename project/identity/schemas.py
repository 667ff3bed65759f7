"""Request and answer bodies of identity."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema
from pydantic_core import PydanticCustomError

from project.access.permissions import Permission
from project.core.schemas import MOST_ID, Id, In, Name, Out, ShortText, changes
from project.identity.models import SecondFactor

_ID = re.compile(r"[1-9][0-9]{0,17}")
# The sign-in page's pattern: letters, digits, `_`, `.`, `+` and `-`; domain labels; a top-level domain of letters.
_EMAIL = re.compile(r"[A-Za-z0-9_.+-]+@([A-Za-z0-9_-]+\.)+[A-Za-z]{2,24}")


def _email(value: str) -> str:
    value = value.strip()
    if not _EMAIL.fullmatch(value):
        raise PydanticCustomError("invalid_email", "an e-mail address")
    return value


LONGEST_EMAIL = 254
Email = Annotated[
    str,
    Field(max_length=LONGEST_EMAIL),
    AfterValidator(_email),
    WithJsonSchema({"type": "string", "maxLength": LONGEST_EMAIL, "pattern": f"^{_EMAIL.pattern}$"}),
]
"""The e-mail of an account. `web/src/shared/session/emailRule.ts` has the same pattern."""


Password = Annotated[str, Field(max_length=50)]


class PasswordChange(In):
    """A change of the caller's own password; each field has at most 50 characters."""

    current_password: Password
    new_password: Password
    confirm_new_password: Password


class Recovery(In):
    email: Annotated[str, Field(max_length=254)]


class RecoveryOut(Out):
    """The same answer for known and unknown addresses. `mail` false: there is no mail server, ask an administrator."""

    mail: bool


class PasswordReset(In):
    token: Annotated[str, Field(max_length=200)]
    new_password: Password
    confirm_new_password: Password


class PasswordChanged(Out):
    changed: bool = True


class SignedOut(Out):
    signed_out: bool = True


def _id_in_text(value: Any) -> Any:
    return int(value) if isinstance(value, str) and _ID.fullmatch(value) else value


SubjectId = Annotated[
    Id,
    BeforeValidator(_id_in_text),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": 1, "maximum": MOST_ID},
                {"type": "string", "pattern": r"^[1-9]\d{0,17}$"},
            ],
        }
    ),
]
"""A user's id, as a number or as text like a token's `sub`."""


class Describe(In):
    subject_id: SubjectId


class PermissionOut(Out):
    id: int
    action: Permission
    group: str
    description_es: str
    description_en: str
    needs: list[Permission]


class RoleIn(In):
    """A role. `secondFactor`: what its holders need beside their password to sign in."""

    name: Name
    description: ShortText = ""
    second_factor: SecondFactor = SecondFactor.NONE
    permissions: list[Permission] = []


class RoleOut(Out):
    """A role. `administrator`: whether the role makes its users administrators."""

    id: int
    name: str
    description: str
    second_factor: SecondFactor
    permissions: list[Permission]
    administrator: bool
    users_count: int
    version: int


class RoleTemplateOut(Out):
    """A role of a usual workshop, to start a new role from. Its texts are in the language of the request."""

    key: str
    name: str
    description: str
    permissions: list[Permission]


class RoleChange(changes(RoleIn)):  # type: ignore[misc]
    """A change of a role; omitted fields keep their values."""


class TicketOut(Out):
    """A ticket for one socket.

    `expiresIn` is in seconds. `pictures` is the session's pass: `{image}?{pictures}` opens an `image` named by an
    event.
    """

    ticket: str
    expires_in: Literal[30] = 30
    pictures: str
