"""Bodies and answers of the catalogs."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from project.catalogs.terms import shared_catalogs
from project.core.exporting import ExportQuery
from project.core.options import OptionsQuery
from project.core.pictures import PictureAddress
from project.core.schemas import (
    UNSET,
    Currency,
    Flag,
    Id,
    In,
    Instant,
    LongText,
    Money,
    Name,
    Notes,
    OneLine,
    Out,
    Percentage,
    PriceIn,
    ShortText,
    changes,
    one_line,
)


def _known_country(code: str) -> str:
    if code not in {term.code for term in shared_catalogs()["countries"]}:
        raise PydanticCustomError("not_a_choice", "a code of the catalog")
    return code


Country = Annotated[str, AfterValidator(_known_country)]
"""A code of the shared catalog `countries`."""


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


class ShortListQuery(OptionsQuery, ExportQuery):
    """`active=true`: what forms offer; reduced rows, a file."""

    active: bool | None = None


class ShortListIn(In):
    """A row of a short list."""

    key: Annotated[str, Field(pattern=r"^[\w.-]{1,40}$")]
    name_spanish: Name
    name_english: Name
    active: Flag = True


class ShortListOut(Out):
    """`name` is the one in the caller's language."""

    id: int
    key: str
    name: str
    name_spanish: str
    name_english: str
    active: bool
    version: int


class TermOut(Out):
    code: str
    name_es: str
    name_en: str


class SharedCatalogOut(Out):
    """A shared catalog: its key, and its entries in both languages."""

    key: str
    entries: list[TermOut]


class CompanyIn(In):
    name: Name
    legal_name: OneLine = ""
    tax_id: OneLine = ""
    email: Annotated[str, Field(max_length=254, pattern=r"^([^@\s]+@[^@\s]+\.[^@\s]+)?$"), AfterValidator(one_line)] = (
        ""
    )
    phone: OneLine = ""
    commercial_address: Place | None = None
    status: Flag = True


class CompanyOut(PicturedOut):
    id: int
    name: str
    legal_name: str
    tax_id: str
    email: str
    phone: str
    commercial_address: Place | None
    status: bool
    version: int


class ExportTaxItemIn(In):
    code: Annotated[str, Field(pattern=r"^[0-9]{8,10}$")]
    english_description: LongText = ""
    spanish_description: LongText = ""
    english_metal_name: OneLine = ""
    spanish_metal_name: OneLine = ""


class ExportTaxItemOut(Out):
    id: int
    code: str
    english_description: str
    spanish_description: str
    english_metal_name: str
    spanish_metal_name: str
    version: int


class CustomerIn(In):
    """A customer; `currency` is what it is billed in, the plant's where it is left out."""

    name: Name
    customer_type_id: Id | None = None
    tax_section_id: Id | None = None
    tax_id: OneLine = ""
    quinto: OneLine = ""
    currency: Currency = UNSET
    addresses: Annotated[list[Address], Field(max_length=50)] = []
    phones: Annotated[list[Phone], Field(max_length=50)] = []
    emails: Annotated[
        list[Annotated[str, Field(max_length=254, pattern=r"^[^@\s]+@[^@\s]+\.[^@\s]+$"), AfterValidator(one_line)]],
        Field(max_length=50),
    ] = []
    status: Flag = True


class CustomerOut(PicturedOut):
    id: int
    name: str
    customer_type_id: int | None
    tax_section_id: int | None
    tax_id: str
    quinto: str
    currency: str
    addresses: list[Address]
    phones: list[Phone]
    emails: list[str]
    status: bool
    version: int


class MaterialIn(In):
    name: Name
    description: LongText = ""
    status: Flag = True


class MaterialOut(Out):
    id: int
    name: str
    description: str
    status: bool
    version: int


class ComponentIn(In):
    name: Name
    status: Flag = True


class ComponentOut(Out):
    id: int
    name: str
    status: bool
    version: int


class ProcessPriceOut(Out):
    """A piece rate that was set, since when, and by whom: null is who stood before the history was kept."""

    id: int
    price: Money
    currency: str
    since: Instant
    user_id: int | None
    username: str | None


class ItemComponentIn(In):
    """A component row. The names are the answer's own, accepted back and not written."""

    component_id: Id
    component_name: str | None = None
    material_id: Id | None = None
    material_name: str | None = None
    material_description: str | None = None
    notes: Notes = ""


class ItemComponentOut(Out):
    component_id: int
    component_name: str
    material_id: int | None
    material_name: str | None
    material_description: str | None
    notes: str


class ItemIn(In):
    """A product; `currency` is that of its price, the plant's where it is left out."""

    key: Name
    tax_item_key: Annotated[str, Field(pattern=r"^(\d{8,10})?$")] = ""
    sat_unit_measurement: Annotated[OneLine, Field(max_length=10)] = ""
    name: Name
    description_spanish: LongText = ""
    description_english: LongText = ""
    tax_amount: Percentage = Field(default=0, validate_default=True)
    sell_price: PriceIn = Field(default=0, validate_default=True)
    currency: Currency = UNSET
    priority: Annotated[int, Field(strict=True, ge=0, le=9)] = 0
    antique: Flag = False
    measures: OneLine = ""
    origin: Country = "MX"
    components: Annotated[list[ItemComponentIn], Field(max_length=200)] = []
    status: Flag = True


class ItemOut(PicturedOut):
    id: int
    key: str
    tax_item_key: str
    sat_unit_measurement: str
    name: str
    description_spanish: str
    description_english: str
    tax_amount: Money
    sell_price: Money
    currency: str
    priority: int
    antique: bool
    measures: str
    origin: str
    components: list[ItemComponentOut]
    status: bool
    version: int


ShortListChange = changes(ShortListIn)
CustomerChange = changes(CustomerIn)
MaterialChange = changes(MaterialIn)
ComponentChange = changes(ComponentIn)
CompanyChange = changes(CompanyIn)
ExportTaxItemChange = changes(ExportTaxItemIn)
ItemChange = changes(ItemIn)


def written(body: In) -> dict[str, Any]:
    """The fields that the caller sent, nested bodies by the names they are stored under."""
    stored_as_sent = {"addresses", "phones", "commercial_address"}
    whole = body.model_dump(by_alias=True, include=stored_as_sent & body.model_fields_set)
    return body.model_dump(exclude_unset=True) | {
        name: whole[type(body).model_fields[name].alias or name] for name in stored_as_sent & body.model_fields_set
    }
