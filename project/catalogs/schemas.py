"""Bodies and answers of the catalogs."""

from contextlib import suppress
from datetime import date
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from project.catalogs.models import PriceUnit
from project.core import clock
from project.core.exporting import ExportQuery
from project.core.options import OptionsQuery
from project.core.pictures import PictureAddress, Pictured, picture_of
from project.core.schemas import (
    UNSET,
    Id,
    In,
    Instant,
    InstantIn,
    Money,
    Out,
    PlantPriceIn,
    QueryId,
    ShortText,
    changes,
)


def _begin_of_day(value: Any) -> Any:
    with suppress(TypeError, ValueError, OverflowError):  # not a day: `InstantIn` reads or refuses it
        if len(value) == len("2026-03-02"):
            return clock.start_of(date.fromisoformat(value)).isoformat()
    return value


Since = Annotated[InstantIn, BeforeValidator(_begin_of_day)]
"""When a price begins: an instant with its time zone, or a day, which begins at midnight in the plant."""
CELLS = 1_000
"""Maximum number of prices that one call sets."""


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


class ItemPriceQuery(ExportQuery):
    """Filters of piece prices. `ofAll`: true for prices of every product, false for those of single products."""

    production_process_id: QueryId | None = None
    item_id: QueryId | None = None
    of_all: bool | None = None


class PriceGridQuery(ExportQuery):
    """The rows of the grid of piece prices. `priced`: only products with a price of their own, now or planned."""

    priced: bool = False


class PriceCellIn(In):
    """The price of a product in a process. `itemId` null: the price of every product without a price of its own.

    `price` null: the product has no price of its own any more.
    """

    production_process_id: Id
    item_id: Id | None = None
    unit: PriceUnit = PriceUnit.piece
    price: PlantPriceIn | None


class ProcessItemPriceIn(PriceCellIn):
    """A piece price. `since` defaults to now, and may be later."""

    since: Since = UNSET


class _PlannedPrice(In):
    unit: PriceUnit
    price: PlantPriceIn | None
    since: Since


class ProcessItemPriceChange(changes(_PlannedPrice)):  # type: ignore[misc]
    """The fields of a piece price that may be changed while the price has not begun."""


class ProcessItemPricesIn(In):
    """Cells of the grid to set. They apply from `since` on, by default from now on. No cell may be named twice."""

    cells: Annotated[list[PriceCellIn], Field(max_length=CELLS)]
    since: Since = UNSET


class PriceCellOut(Out):
    """A piece price of one cell of the grid. `price` null: the cell has no price of its own from `since` on."""

    id: int
    production_process_id: int
    unit: PriceUnit
    price: Money | None
    since: Instant


class ProcessItemPriceOut(PriceCellOut):
    """A piece price, and the user who set it. `itemId` null: the price of every product without a price of its own."""

    production_process_name: str
    item_id: int | None
    item_key: str | None
    item_name: str | None
    currency: str
    user_id: int | None
    username: str | None
    version: int


class PriceWrittenOut(Out):
    """A piece price that was set together with others."""

    id: int
    version: int


class PriceRowOut(Out):
    """A product with its own piece prices. `id`: the product's id.

    `prices`: the prices that apply now. `planned`: the prices that begin later, the earliest first.
    """

    id: int
    key: str
    name: str
    name_english: str
    prices: list[PriceCellOut]
    planned: list[PriceCellOut]


class PriceColumnOut(Out):
    """A process, and its current price for products without a price of their own.

    `since`: when this price began; null if no beginning is stored.
    """

    production_process_id: int
    production_process_name: str
    unit: PriceUnit
    price: Money
    currency: str
    since: Instant | None
    planned: list[PriceCellOut]


def written(body: In) -> dict[str, Any]:
    """Return the fields that the caller sent. Addresses and phones are stored with their public (camelCase) names."""
    stored_as_sent = {"addresses", "phones", "commercial_address"}
    whole = body.model_dump(by_alias=True, include=stored_as_sent & body.model_fields_set)
    return body.model_dump(exclude_unset=True) | {
        name: whole[type(body).model_fields[name].alias or name] for name in stored_as_sent & body.model_fields_set
    }
