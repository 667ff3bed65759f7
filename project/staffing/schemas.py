"""Bodies and answers of users, their PINs and badges."""

from typing import Annotated, Literal

from pydantic import Field

from project.core.exporting import ExportQuery
from project.core.options import OptionsQuery
from project.core.schemas import UNSET, Flag, Id, In, Name, OneLine, Out, QueryId, changes
from project.identity.pins import PIN
from project.identity.schemas import Email

Pin = Annotated[str, Field(pattern=PIN)]


class UserQuery(OptionsQuery, ExportQuery):
    """The parameters of the list of users."""

    active: bool | None = None
    locked: bool | None = None
    user_type: Literal["Internal", "Customer"] | None = None
    role_id: QueryId | None = None


class _Account(In):
    email: Email | None = None
    password: Annotated[str, Field(max_length=50)] = UNSET
    first_name: Name
    last_name: OneLine = ""
    second_last_name: OneLine = ""
    role_ids: list[Id] = []
    user_type: Literal["Internal", "Customer"] = "Internal"
    customer_id: Id | None = None
    active: Flag = True
    locked: Flag = False
    language: Literal["es", "en"] = "es"
    production_process_ids: list[Id] = []


class UserIn(_Account):
    """A new user: with an e-mail and a password, or with a PIN, or with all three."""

    pin: Pin | None = None


class LanguageIn(In):
    """The language of an account, for the first screen after sign-in, for mails and for prints."""

    language: Literal["es", "en"]


class PinIn(In):
    """A PIN of six digits; null removes it."""

    pin: Pin | None


class BadgeOut(Out):
    """A badge's code, which is never shown again. `id` and `version` are the user's."""

    id: int
    version: int
    code: str


class UserChange(changes(_Account)):  # type: ignore[misc]
    """A change of a user; omitted fields keep their values."""


class UserOut(Out):
    id: int
    email: str | None
    first_name: str
    last_name: str
    second_last_name: str
    full_name: str
    role_ids: list[int]
    user_type: str
    customer_id: int | None
    active: bool
    locked: bool
    language: str
    production_process_ids: list[int]
    has_pin: bool
    has_badge: bool
    erased: bool
    version: int
