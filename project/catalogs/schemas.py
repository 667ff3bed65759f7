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
    """The parameters of the list of tariff items: search, reduced rows, a file."""


class CatalogQuery(OptionsQuery, ExportQuery):
    """The parameters of a catalog's list: search, status, reduced rows, a file."""

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
    """A customer's commercial or shipping address."""

    kind: Literal["Commercial", "Shipping"]


class Phone(In):
    """A telephone number; `countryCode` is the calling code, digits with or without a plus."""

    country_code: Annotated[str, Field(pattern=r"^\+?\d{0,4}$")] = ""
    number: Annotated[str, Field(pattern=r"^[\d ()-]{1,30}$")]
    extension: Annotated[str, Field(pattern=r"^\d{0,10}$")] = ""


class PicturedOut(Out):
    """The picture of a record: the addresses of the image and its thumbnail, and the name its uploader gave it."""

    image: PictureAddress | None
    thumbnail: PictureAddress | None
    name_image: str | None


def picture_fields(row: Pictured) -> dict[str, str | None]:
    picture = picture_of(row)
    return {
        "image": picture.url if picture else None,
        "thumbnail": picture.thumbnail_url if picture else None,
        "name_image": picture.name_image if picture else None,
    }


class ShortListQuery(OptionsQuery, ExportQuery):
    """The parameters of a short list: `active=true` for the rows that forms offer, reduced rows, a file."""

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
    """A piece rate, the instant from which it applies, and the user who set it. The user is null if unknown."""

    id: int
    price: Money
    currency: str
    since: Instant
    user_id: int | None
    username: str | None


def written(body: In) -> dict[str, Any]:
    """Return the fields that the caller sent. Addresses and phones keep their public names, as they are stored."""
    stored_as_sent = {"addresses", "phones", "commercial_address"}
    whole = body.model_dump(by_alias=True, include=stored_as_sent & body.model_fields_set)
    return body.model_dump(exclude_unset=True) | {
        name: whole[type(body).model_fields[name].alias or name] for name in stored_as_sent & body.model_fields_set
    }
