"""Bodies and answers of the catalogs."""

from typing import Annotated, Any, Literal

from pydantic import Field

from project.core.exporting import ExportQuery
from project.core.options import OptionsQuery
from project.core.pictures import PictureAddress, Pictured, picture_of
from project.core.schemas import (
    In,
    Instant,
    Money,
    Out,
    ShortText,
)


class TariffQuery(OptionsQuery, ExportQuery):
    """What the list of tariff items takes: search, reduced rows, a file."""


class CatalogQuery(OptionsQuery, ExportQuery):
    """What every catalog list takes: search, status, reduced rows, a file."""

    status: bool | None = None


class Place(In):
    """A postal address."""

    street: ShortText = ""
    exterior_number: ShortText = ""
    interior_number: ShortText = ""
    neighborhood: ShortText = ""
    city: ShortText = ""
    state: ShortText = ""
    postal_code: ShortText = ""
    country: ShortText = ""


class Address(Place):
    """A customer's address, of one kind."""

    kind: Literal["Commercial", "Shipping"]


class Phone(In):
    """A telephone number; `countryCode` is the calling code, digits with or without a plus."""

    country_code: Annotated[str, Field(pattern=r"^\+?\d{0,4}$")] = ""
    number: Annotated[str, Field(pattern=r"^[\d ()-]{1,30}$")]
    extension: Annotated[str, Field(pattern=r"^\d{0,10}$")] = ""


class PicturedOut(Out):
    """What a record with a picture answers: addresses, and the name its uploader gave it."""

    image: PictureAddress | None
    thumbnail: PictureAddress | None
    name_image: str | None


def picture_fields(row: Pictured) -> dict[str, str | None]:
    """The fields of `PicturedOut`."""
    picture = picture_of(row)
    return {
        "image": picture.url if picture else None,
        "thumbnail": picture.thumbnail_url if picture else None,
        "name_image": picture.name_image if picture else None,
    }


class ShortListQuery(OptionsQuery, ExportQuery):
    """`active=true`: what forms offer; reduced rows, a file."""

    active: bool | None = None


class TermOut(Out):
    code: str
    name_es: str
    name_en: str


class SharedCatalogOut(Out):
    """A shared catalog: its key, and its entries in both languages."""

    key: str
    entries: list[TermOut]


class ProcessPriceOut(Out):
    """A piece rate that was set, since when, and by whom: null is who stood before the history was kept."""

    id: int
    price: Money
    currency: str
    since: Instant
    user_id: int | None
    username: str | None


def written(body: In) -> dict[str, Any]:
    """The fields that the caller sent, nested bodies by the names they are stored under."""
    stored_as_sent = {"addresses", "phones", "commercial_address"}
    whole = body.model_dump(by_alias=True, include=stored_as_sent & body.model_fields_set)
    return body.model_dump(exclude_unset=True) | {
        name: whole[type(body).model_fields[name].alias or name] for name in stored_as_sent & body.model_fields_set
    }
