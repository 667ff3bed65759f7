"""Bodies and answers of users and production processes."""

from typing import Annotated, Literal

from pydantic import Field

from project.catalogs.schemas import CatalogQuery
from project.core.exporting import ExportQuery
from project.core.options import OptionsQuery
from project.core.schemas import UNSET, Flag, Id, In, Money, Name, OneLine, Out, PlantPriceIn, QueryId, changes
from project.identity.pins import PIN
from project.identity.schemas import Email
from project.staffing.rules import LAST_ORDER


class UserQuery(OptionsQuery, ExportQuery):
    """Filters of the list of users."""

    active: bool | None = None
    locked: bool | None = None
    user_type: Literal["Internal", "Customer"] | None = None
    role_id: QueryId | None = None


class UserIn(In):
    email: Email
    password: Annotated[str, Field(max_length=50)]
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


class LanguageIn(In):
    """The language that a person wants to read."""

    language: Literal["es", "en"]


class PinIn(In):
    """A PIN of six digits; null takes it away."""

    pin: Annotated[str, Field(pattern=PIN)] | None


class BadgeOut(Out):
    """A badge's code, shown this once; `id` and `version` are its holder's."""

    id: int
    version: int
    code: str


class UserChange(changes(UserIn)):  # type: ignore[misc]
    """A user's PUT."""


class UserOut(Out):
    id: int
    email: str
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


class ProcessQuery(CatalogQuery):
    """`filterByUser`: the caller's own processes, by `order`."""

    filter_by_user: bool = False


class ProductionProcessIn(In):
    """A process. Without `order` a new one comes last."""

    name: Name
    order: Annotated[int, Field(strict=True, ge=1, le=LAST_ORDER)] = UNSET
    status: Flag = True
    price: PlantPriceIn = Field(default=0, validate_default=True)
    user_ids: list[Id] = []


class ProductionProcessOut(Out):
    id: int
    name: str
    order: int
    status: bool
    price: Money
    currency: str
    user_ids: list[int]
    version: int


ProductionProcessChange = changes(ProductionProcessIn)
