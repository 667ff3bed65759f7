"""Products: the parts of their catalog's definition, and the schemas for choosing a product for an order."""

from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import batched
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import PydanticCustomError

from project.access.principal import Principal
from project.catalogs.cells import (
    Cell,
    Registers,
    as_tariff_code,
    as_text,
)
from project.catalogs.columns import CatalogColumn, several_named
from project.catalogs.compact import pack, unpack
from project.catalogs.definition import Fields
from project.catalogs.models import (
    Alloy,
    Component,
    ExportTaxItem,
    Item,
    ItemComponent,
    ItemProcess,
    Material,
    OriginCriterion,
    ProductionProcess,
)
from project.catalogs.schemas import PicturedOut, picture_fields
from project.catalogs.services import BATCH, refuse_unknown
from project.catalogs.terms import shared_catalogs
from project.core.errors import FieldError, InvalidFields
from project.core.grams import grams_or_none, mg_or_none
from project.core.money import price_decimals, too_many_decimals
from project.core.pictures import PictureAddress, thumbnail_address
from project.core.schemas import (
    UNSET,
    Currency,
    Flag,
    Grams,
    GramsFromZero,
    GramsOut,
    Id,
    In,
    LongText,
    Money,
    Name,
    Notes,
    OneLine,
    Out,
    Percentage,
    PriceIn,
    ShortText,
)


def _known_country(code: str) -> str:
    if code not in {term.code for term in shared_catalogs()["countries"]}:
        raise PydanticCustomError("not_a_choice", "a code of the catalog")
    return code


Country = Annotated[str, AfterValidator(_known_country)]
"""A code of the shared catalog `countries`."""


class ItemComponentIn(In):
    """A component row. Names and the material's description are accepted, because answers contain them, but ignored."""

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
    """A product. `currency` is the currency of `sellPrice`; the default is the plant's currency.

    `netGrams`: the grams of the alloy in a finished piece. `otherGrams`: the grams of its stones and enamel.
    `processIds`: the processes that the product goes through, in order; empty if unknown. `originCriterion`: why the
    product originates by T-MEC, `none` if it does not; empty if unknown. `satProductCode`: the SAT's code of the kind
    of goods.
    """

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
    origin_criterion: OriginCriterion | Literal[""] = ""
    sat_product_code: Annotated[str, Field(pattern=r"^(\d{8})?$")] = ""
    alloy_id: Id | None = None
    net_grams: Grams | None = None
    other_grams: GramsFromZero | None = None
    components: Annotated[list[ItemComponentIn], Field(max_length=200)] = []
    process_ids: Annotated[list[Id], Field(max_length=200)] = []
    status: Flag = True


class ItemOut(PicturedOut):
    kind: Literal["item"] = "item"
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
    origin_criterion: str
    sat_product_code: str
    alloy_id: int | None
    alloy_name: str | None
    net_grams: GramsOut | None
    other_grams: GramsOut | None
    components: list[ItemComponentOut]
    process_ids: list[int]
    status: bool
    version: int


def item(row: Item) -> ItemOut:
    return ItemOut(
        kind="item",
        id=row.pk,
        key=row.key,
        tax_item_key=row.tax_item.code if row.tax_item else "",
        sat_unit_measurement=row.sat_unit_measurement,
        name=row.name,
        description_spanish=row.description_spanish,
        description_english=row.description_english,
        tax_amount=row.tax_amount,
        sell_price=row.sell_price,
        currency=row.currency,
        priority=row.priority,
        antique=row.antique,
        measures=row.measures,
        origin=row.origin,
        origin_criterion=row.origin_criterion,
        sat_product_code=row.sat_product_code,
        alloy_id=row.alloy_id,
        alloy_name=row.alloy.name if row.alloy else None,
        net_grams=grams_or_none(row.net_mg),
        other_grams=grams_or_none(row.other_mg),
        components=[
            ItemComponentOut(
                component_id=one.component_id,
                component_name=one.component_name,
                material_id=one.material_id,
                material_name=one.material_name,
                material_description=one.material_description,
                notes=one.notes,
            )
            for one in row.components.all()
        ],
        process_ids=[one.process_id for one in row.way.all()],
        status=row.status,
        **picture_fields(row),
        version=row.version,
    )


def _take_grams(fields: Fields) -> None:
    """Replace the grams of a body by the milligrams that are stored."""
    for name, stored in (("net_grams", "net_mg"), ("other_grams", "other_mg")):
        if name in fields:
            fields[stored] = mg_or_none(fields.pop(name))


def check_item(fields: Fields) -> None:
    """Check the ids, and prepare the fields for storage: the tariff code becomes its record, grams become milligrams.

    Raises `InvalidFields` with code `unknown`.
    """
    _take_grams(fields)
    refuse_unknown(Alloy, {"alloyId": fields.get("alloy_id")})
    if "tax_item_key" in fields:
        code = fields.pop("tax_item_key")
        fields["tax_item"] = ExportTaxItem.objects.filter(code=code).first() if code else None
        if code and fields["tax_item"] is None:
            raise InvalidFields.of("taxItemKey", "unknown")
    rows = list(enumerate(fields.get("components", [])))
    refuse_unknown(Component, {f"components.{index}.componentId": one["component_id"] for index, one in rows})
    refuse_unknown(Material, {f"components.{index}.materialId": one.get("material_id") for index, one in rows})
    way = enumerate(fields.get("process_ids", []))
    refuse_unknown(ProductionProcess, {f"processIds.{index}": one for index, one in way})


def item_errors(row: Item, fields: Fields) -> Iterable[FieldError]:
    """Yield an error if the price has more decimals than its currency allows, even if only one of the two changes.

    Also yield one for each process that is named again.
    """
    currency = fields.get("currency", row.currency)
    yield from too_many_decimals(
        "sellPrice", Decimal(fields.get("sell_price", row.sell_price)), price_decimals(currency)
    )
    way = fields.get("process_ids", [])
    for index, one in enumerate(way):
        if one in way[:index]:
            yield FieldError(f"processIds.{index}", "duplicate")


def write_item_rows(rows: Sequence[tuple[Item, Fields]], by: Principal) -> None:
    """Replace the component rows and the processes of products, if their fields contain new ones.

    For each 1,000 products, 1 query deletes the old rows of a kind; 1 query inserts each 1,000 new rows.
    """
    _write_components(rows)
    for batch in batched((one for one in rows if "process_ids" in one[1]), BATCH):
        ItemProcess.objects.filter(item__in=[row.pk for row, _ in batch]).delete()
        ItemProcess.objects.bulk_create(
            (
                ItemProcess(item=row, place=place, process_id=process_id)
                for row, fields in batch
                for place, process_id in enumerate(fields["process_ids"], start=1)
            ),
            batch_size=BATCH,
        )


def _write_components(rows: Iterable[tuple[Item, Fields]]) -> None:
    for batch in batched((one for one in rows if "components" in one[1]), BATCH):
        ItemComponent.objects.filter(item__in=[row.pk for row, _ in batch]).delete()
        ItemComponent.objects.bulk_create(
            (
                ItemComponent(
                    item=row,
                    place=place,
                    component_id=one["component_id"],
                    material_id=one.get("material_id"),
                    notes=one.get("notes", ""),
                )
                for row, fields in batch
                for place, one in enumerate(fields["components"], start=1)
            ),
            batch_size=BATCH,
        )


def _components_named(cell: Cell) -> Iterable[tuple[str, str]]:
    for record in unpack(cell) if isinstance(cell, str) else []:
        yield "components", record[0]
        if len(record) > 1 and record[1]:
            yield "materials", record[1]


def _read_components(cell: Cell, registers: Registers) -> Any:
    rows = []
    for record in unpack(as_text(cell, registers)):
        component, material, notes, *more = [*record, "", ""][: max(3, len(record))]
        row: dict[str, Any] = {"componentId": registers["components"].id_of(component), "notes": notes}
        if material:
            row["materialId"] = registers["materials"].id_of(material)
        rows.append(row | {f"part{place}": part for place, part in enumerate(more, start=4)})
    return rows


def _proposed_components(fields: dict[str, Any], registers: Registers) -> str:
    return pack(
        (
            registers["components"].name_of(one["component_id"]),
            registers["materials"].name_of(one.get("material_id")),
            one.get("notes", ""),
        )
        for one in fields["components"]
    )


def _read_tax_item(cell: Cell, registers: Registers) -> Any:
    code = as_tariff_code(cell, registers)
    if code:
        registers["taxItems"].id_of(code)
    return code


def as_stored(fields: dict[str, Any], registers: Registers) -> dict[str, Any]:
    """Replace the tariff code by the id of its row, and grams by milligrams."""
    stored = {**fields}
    _take_grams(stored)
    if "tax_item_key" in stored:
        code = stored.pop("tax_item_key")
        stored["tax_item_id"] = registers["taxItems"].id_of(code) if code else None
    return stored


def _mentions_tax_item(cell: Cell) -> Iterable[tuple[str, str]]:
    return [("taxItems", cell.strip())] if isinstance(cell, str) and cell.strip() else []


COMPONENT_ROWS = CatalogColumn(
    "components",
    lambda row: pack((one.component_name, one.material_name or "", one.notes) for one in row.components.all()),
    field="components",
    read=_read_components,
    proposed=_proposed_components,
    mentions=_components_named,
)
"""A compact cell: component | material | notes. Components and materials are written by name."""
WAY = several_named(
    "processes", "processIds", "processes", lambda row: "\n".join(one.process_name for one in row.way.all())
)
"""The processes of the product's way by name, in order, one per line."""
TAX_ITEM = CatalogColumn(
    "taxItemKey",
    lambda row: row.tax_item.code if row.tax_item else "",
    field="taxItemKey",
    read=_read_tax_item,
    proposed=lambda fields, _: fields["tax_item_key"],
    mentions=_mentions_tax_item,
)


class OfferedProductQuery(BaseModel):
    """`search`: words of the key and the name, in any order."""

    search: Annotated[str, Field(max_length=200)] = ""
    limit: Annotated[int, Field(ge=1, le=50)] = 20


class OfferedProductOut(Out):
    """A product that can be chosen for an order."""

    id: int
    key: str
    name: str
    name_english: str
    thumbnail: PictureAddress | None


class CalledIn(In):
    """The texts by which a customer's sheet refers to products: keys or names."""

    texts: Annotated[list[ShortText], Field(max_length=5_000)]


class CalledOut(Out):
    """A text and the active products that it can mean: none if no key or name matches, several if it is ambiguous."""

    text: str
    products: list[OfferedProductOut]


def offered_product(row: Item) -> OfferedProductOut:
    return OfferedProductOut(
        id=row.pk, key=row.key, name=row.name, name_english=row.name_english, thumbnail=thumbnail_address(row)
    )
