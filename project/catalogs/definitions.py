"""The catalogs, each with its body, its answer and its definition. Define a new catalog here.

The parts of the products' definition are in `products.py`. Production processes are defined in
`staffing/definitions.py`, because their workers belong to staffing.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from django.db.models import F
from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from project.access.permissions import Permission
from project.catalogs import heads, products, selectors
from project.catalogs.cells import (
    Names,
    as_code,
    as_currency,
    as_email,
    as_flag,
    as_number,
    as_percent,
    as_price,
    as_tariff_code,
    as_whole,
)
from project.catalogs.columns import (
    ADDRESSES,
    COMMERCIAL_ADDRESS,
    EMAILS,
    PHONES,
    exported,
    fineness,
    grams,
    named,
    plain,
    price_with_decimals,
    unambiguous,
)
from project.catalogs.definition import CatalogDefinition, Fields
from project.catalogs.models import (
    Alloy,
    CertifierRole,
    Company,
    Component,
    Customer,
    CustomerType,
    ExportTaxItem,
    Item,
    Material,
    ProductionProcess,
    ReleaseReason,
    ScrapReason,
    ShortList,
    TaxSection,
    Tray,
)
from project.catalogs.schemas import Address, Phone, PicturedOut, Place, ShortListQuery, TariffQuery
from project.catalogs.services import refuse_unknown
from project.catalogs.tax_ids import wrong_rfc
from project.catalogs.terms import FISCAL_REGIMES
from project.core.emails import undeliverable
from project.core.errors import FieldError
from project.core.grams import grams_or_none, per_mille, tenths, to_grams, to_mg
from project.core.schemas import (
    UNSET,
    Currency,
    Flag,
    Grams,
    GramsOut,
    Id,
    In,
    LongText,
    Money,
    Name,
    OneLine,
    Out,
    PerMille,
    PerMilleOut,
    number_up_to,
    one_line,
)
from project.core.texts import either, text

EXAMPLE_PLACE = "Av. Juárez | 12 |  | Centro | Taxco | Guerrero | 40200 | MX"


def _known_regime(code: str) -> str:
    if code and code not in {term.code for term in FISCAL_REGIMES}:
        raise PydanticCustomError("not_a_choice", "a code of the catalog")
    return code


class CompanyIn(In):
    """A company. `fiscalRegime`: a code of the shared catalog `fiscalRegimes`.

    `certifierName`, `certifierTitle`: the person who certifies the origin of the company's goods. `certifierRole`:
    whether the company certifies as exporter or as producer.
    """

    name: Name
    legal_name: OneLine = ""
    tax_id: OneLine = ""
    email: Annotated[str, Field(max_length=254, pattern=r"^([^@\s]+@[^@\s]+\.[^@\s]+)?$"), AfterValidator(one_line)] = (
        ""
    )
    phone: OneLine = ""
    commercial_address: Place | None = None
    certifier_name: OneLine = ""
    certifier_title: OneLine = ""
    certifier_role: CertifierRole | Literal[""] = ""
    fiscal_regime: Annotated[str, AfterValidator(_known_regime)] = ""
    status: Flag = True


class CompanyOut(PicturedOut):
    id: int
    name: str
    legal_name: str
    tax_id: str
    email: str
    phone: str
    commercial_address: Place | None
    certifier_name: str
    certifier_title: str
    certifier_role: str
    fiscal_regime: str
    status: bool
    version: int


def _errors_of_company(row: Company, fields: Fields) -> list[FieldError]:
    place = fields.get("commercial_address", row.commercial_address)
    return [
        *undeliverable("email", fields.get("email"), row.email),
        *wrong_rfc(fields.get("tax_id"), row.tax_id, [place]),
    ]


def _errors_of_customer(row: Customer, fields: Fields) -> list[FieldError]:
    """Refuse new addresses that no mail server takes, and a new tax id that is none. Former ones stay."""
    emails = [
        error
        for index, address in enumerate(fields.get("emails", []))
        if address not in row.emails
        for error in undeliverable(f"emails.{index}", address, None)
    ]
    return [*emails, *wrong_rfc(fields.get("tax_id"), row.tax_id, fields.get("addresses", row.addresses))]


COMPANIES = CatalogDefinition(
    errors=_errors_of_company,
    name="companies",
    model=Company,
    body=CompanyIn,
    answer=CompanyOut,
    reads=Permission.ListCompanies,
    columns=(
        plain("name"),
        plain("legalName"),
        plain("taxId", as_code),
        plain("email", as_email),
        plain("phone", as_code),
        COMMERCIAL_ADDRESS,
        plain("status", as_flag),
        plain("certifierName"),
        plain("certifierTitle"),
        plain("certifierRole", as_code),
        plain("fiscalRegime", as_code),
    ),
    proposed=heads.COMPANIES,
    label="legalName",
    example=lambda: (
        "Platería Taxco",
        "Platería Taxco, S.A. de C.V.",
        "PTA010101AB1",
        "ventas@example.com",
        "762 622 0000",
        EXAMPLE_PLACE,
        text("yes"),
        "María López",
        either("Dirección general", "General manager"),
        "producer",
        "601",
    ),
)


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


EXPORT_TAX_ITEMS = CatalogDefinition(
    name="export-tax-items",
    model=ExportTaxItem,
    body=ExportTaxItemIn,
    answer=ExportTaxItemOut,
    reads=Permission.ListExportTax,
    permission="ExportTax",
    columns=(
        plain("code", as_tariff_code),
        plain("englishDescription"),
        plain("spanishDescription"),
        plain("englishMetalName"),
        plain("spanishMetalName"),
    ),
    query=TariffQuery,
    orderings=selectors.BY_CODE,
    option=F("code"),
    label="spanishDescription",
    example=lambda: (
        "0711311401",
        "Articles of jewellery, of silver",
        "Artículos de joyería, de plata",
        "Silver",
        "Plata",
    ),
    # The headings of the list that the tax authority publishes.
    also_called={"fraccion": "code", "texto": "spanishDescription"},
    passed_over=frozenset({"vigencia_desde", "vigencia_hasta", "unidad"}),
    proposed=heads.EXPORT_TAX_ITEMS,
    codes=frozenset({"code"}),
)


class MaterialIn(In):
    """A material. `nameEnglish` and `descriptionEnglish`: for readers of English, who see the others without them."""

    name: Name
    name_english: OneLine = ""
    description: LongText = ""
    description_english: LongText = ""
    status: Flag = True


class MaterialOut(Out):
    id: int
    name: str
    name_english: str
    description: str
    description_english: str
    status: bool
    version: int


MATERIALS = CatalogDefinition(
    name="materials",
    model=Material,
    body=MaterialIn,
    answer=MaterialOut,
    reads=Permission.ListMaterials,
    searched=("name", "name_english", "description", "description_english"),
    columns=(
        plain("name"),
        plain("description"),
        plain("status", as_flag),
        plain("nameEnglish"),
        plain("descriptionEnglish"),
    ),
    proposed=heads.NAMED,
    label="description",
    example=lambda: ("Plata .925", "Plata esterlina", text("yes"), "Silver .925", "Sterling silver"),
)


class AlloyIn(In):
    """A metal of one fineness, in per mille: 925 is sterling. `waxRatio`: grams of metal for one gram of wax."""

    name: Name
    fineness: PerMille
    material_id: Id | None = None
    wax_ratio: Annotated[Decimal, *number_up_to(100, decimals=3, above_zero=True)] | None = None
    status: Flag = True


class AlloyOut(Out):
    id: int
    name: str
    fineness: PerMilleOut
    material_id: int | None
    wax_ratio: Money | None
    status: bool
    version: int


def _alloy(row: Alloy) -> AlloyOut:
    return AlloyOut(
        id=row.pk,
        name=row.name,
        fineness=per_mille(row.fineness),
        material_id=row.material_id,
        wax_ratio=row.wax_ratio,
        status=row.status,
        version=row.version,
    )


def _with_tenths(fields: Fields) -> Fields:
    """Return the fields with the fineness in tenths of a per mille, as it is stored."""
    return fields | {"fineness": tenths(fields["fineness"])} if "fineness" in fields else fields


def _check_alloy(fields: Fields) -> None:
    refuse_unknown(Material, {"materialId": fields.get("material_id")})
    fields.update(_with_tenths(fields))


ALLOYS = CatalogDefinition(
    name="alloys",
    model=Alloy,
    body=AlloyIn,
    answer=AlloyOut,
    present=_alloy,
    reads=Permission.ListAlloys,
    queryset=selectors.alloys,
    check=_check_alloy,
    stored=lambda fields, registers: _with_tenths(fields),
    related_snapshot=lambda row: {"fineness": float(per_mille(row.fineness))},
    columns=(
        plain("name"),
        fineness(),
        named("material", "materials"),
        plain("waxRatio", as_number, lambda row: None if row.wax_ratio is None else unambiguous(row.wax_ratio)),
        plain("status", as_flag),
    ),
    registers=lambda: {"materials": Names(Material)},
    proposed=heads.ALLOYS,
    label="fineness",
    example=lambda: (either("Plata ley 900", "Coin silver 900"), "900", "", "10.5", text("yes")),
)


class TrayIn(In):
    """A tray or bag in which pieces are weighed. `grams`: its own weight."""

    code: Annotated[str, Field(min_length=1, max_length=40), AfterValidator(one_line)]
    grams: Grams
    status: Flag = True


class TrayOut(Out):
    id: int
    code: str
    grams: GramsOut
    status: bool
    version: int


def _tray(row: Tray) -> TrayOut:
    return TrayOut(id=row.pk, code=row.code, grams=to_grams(row.mg), status=row.status, version=row.version)


def _with_mg(fields: Fields) -> Fields:
    """Return the fields with the grams in milligrams, as they are stored."""
    rest = {name: value for name, value in fields.items() if name != "grams"}
    return rest | {"mg": to_mg(fields["grams"])} if "grams" in fields else rest


TRAYS = CatalogDefinition(
    name="metal/trays",
    model=Tray,
    body=TrayIn,
    answer=TrayOut,
    present=_tray,
    reads=None,
    open_because="people who weigh pieces name the tray",
    permission="Metal",
    instead={"Create": "Manage", "Update": "Manage", "Delete": "Manage"},
    told=frozenset({Permission.ManageMetal, Permission.ViewMetal, Permission.Station}),
    columns=(exported("code"), exported("grams", lambda row: to_grams(row.mg)), exported("status")),
    orderings=selectors.BY_CODE,
    option=F("code"),
    check=lambda fields: fields.update(_with_mg(fields)),
)


class ComponentIn(In):
    """A component. `nameEnglish`: the name for readers of English, who see `name` without it."""

    name: Name
    name_english: OneLine = ""
    status: Flag = True


class ComponentOut(Out):
    id: int
    name: str
    name_english: str
    status: bool
    version: int


COMPONENTS = CatalogDefinition(
    name="components",
    model=Component,
    body=ComponentIn,
    answer=ComponentOut,
    reads=Permission.ListComponents,
    searched=("name", "name_english"),
    columns=(plain("name"), plain("status", as_flag), plain("nameEnglish")),
    proposed=heads.NAMED,
    example=lambda: ("Aro", text("yes"), "Band"),
)


class ShortListIn(In):
    """A row of a short list."""

    key: Annotated[str, Field(pattern=r"^[\w.-]{1,40}$")]
    name_spanish: Name
    name_english: Name
    active: Flag = True


class ShortListOut(Out):
    """A row of a short list. `name` is the name in the caller's language."""

    id: int
    key: str
    name: str
    name_spanish: str
    name_english: str
    active: bool
    version: int


class ScrapReasonIn(ShortListIn):
    """A reason to scrap pieces. `payable`: the work in the process that lost the pieces is still paid."""

    payable: Flag = False


class ScrapReasonOut(ShortListOut):
    payable: bool


def _short_list(
    name: str,
    model: type[ShortList],
    permission: str,
    instead: Mapping[str, str],
    told: frozenset[Permission],
    open_because: str,
    *,
    body: type[ShortListIn] = ShortListIn,
    answer: type[ShortListOut] = ShortListOut,
    also: tuple[str, ...] = (),
) -> CatalogDefinition[Any]:
    """Define a short list. All staff may read it.

    `told`: the permissions whose holders receive the list's events. `open_because`: why all staff may read the list.
    `also`: further columns of the list's file.
    """
    return CatalogDefinition(
        name=name,
        model=model,
        body=body,
        answer=answer,
        reads=None,
        open_because=open_because,
        permission=permission,
        instead=instead,
        told=told,
        columns=tuple(exported(column) for column in ("key", "nameSpanish", "nameEnglish", "active", *also)),
        query=ShortListQuery,
        orderings=selectors.SHORT_LIST,
        option=ShortList.name_column,
    )


def _of_customers(name: str, model: type[ShortList]) -> CatalogDefinition[Any]:
    told = frozenset({Permission.ListCustomers, Permission.CreateCustomer, Permission.UpdateCustomer})
    return _short_list(name, model, "Customer", {"Delete": "Update"}, told, "every form with a customer needs it")


def _of_processes(
    name: str, model: type[ShortList], uses: Permission, open_because: str, **kinds: Any
) -> CatalogDefinition[Any]:
    """Define a short list of reasons. `uses`: the permission for the action that needs a reason."""
    told = frozenset({Permission.ListProductionProcesses, Permission.UpdateProductionProcess, uses})
    return _short_list(
        name, model, "ProductionProcess", {"Create": "Update", "Delete": "Update"}, told, open_because, **kinds
    )


CUSTOMER_TYPES = _of_customers("customer-types", CustomerType)
TAX_SECTIONS = _of_customers("tax-sections", TaxSection)
RELEASE_REASONS = _of_processes(
    "release-reasons",
    ReleaseReason,
    Permission.ReleaseProductionProccess,
    "people who release choose one, people who read a history see one",
)
SCRAP_REASONS = _of_processes(
    "scrap-reasons",
    ScrapReason,
    Permission.ScrapPieces,
    "people who report scrap choose one",
    body=ScrapReasonIn,
    answer=ScrapReasonOut,
    also=("payable",),
)


class CustomerIn(In):
    """A customer. `currency` is the currency of its bills; the default is the plant's currency."""

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
    kind: Literal["customer"] = "customer"
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


def _check_customer(fields: Fields) -> None:
    refuse_unknown(CustomerType, {"customerTypeId": fields.get("customer_type_id")})
    refuse_unknown(TaxSection, {"taxSectionId": fields.get("tax_section_id")})


def _short_lists_of_customers() -> dict[str, Names]:
    """Look up customer types and tax sections by either name or key. Files show the name in the caller's language."""
    names = either(("name_spanish", "name_english", "key"), ("name_english", "name_spanish", "key"))
    return {"customerTypes": Names(CustomerType, *names), "taxSections": Names(TaxSection, *names)}


CUSTOMERS = CatalogDefinition(
    name="customers",
    model=Customer,
    body=CustomerIn,
    answer=CustomerOut,
    reads=Permission.ListCustomers,
    queryset=selectors.customers,
    check=_check_customer,
    errors=_errors_of_customer,
    on_board=("name",),
    columns=(
        plain("name"),
        named("customerType", "customerTypes"),
        named("taxSection", "taxSections"),
        plain("taxId", as_code),
        plain("quinto", as_code),
        plain("currency", as_currency),
        ADDRESSES,
        PHONES,
        EMAILS,
        plain("status", as_flag),
    ),
    proposed=heads.CUSTOMERS,
    registers=_short_lists_of_customers,
    example=lambda: (
        "Joyería del Centro",
        "",
        "",
        "JCE010101AB1",
        "",
        "USD",
        f"{text('address_Commercial')} | {EXAMPLE_PLACE}",
        "52 | 762 622 0000 | 12",
        "compras@example.com",
        text("yes"),
    ),
)


def _number(value: Decimal | None) -> float | None:
    return None if value is None else float(value)


ITEMS = CatalogDefinition(
    name="items",
    model=Item,
    body=products.ItemIn,
    answer=products.ItemOut,
    present=products.item,
    reads=Permission.ListItems,
    queryset=selectors.items,
    orderings=selectors.BY_KEY,
    check=products.check_item,
    errors=products.item_errors,
    related_fields=frozenset({"components", "process_ids"}),
    write_related=products.write_item_rows,
    related_snapshot=lambda row: {
        "components": [
            {
                "componentName": one.component_name,
                "materialName": one.material_name,
                "notes": one.notes,
            }
            for one in row.components.all()
        ],
        "processes": [one.process_name for one in row.way.all()],
        **{name: _number(grams_or_none(getattr(row, name))) for name in ("net_mg", "other_mg")},
    },
    on_board=("name", "image", "nameImage"),
    columns=(
        plain("key", as_code),
        plain("name"),
        products.TAX_ITEM,
        plain("satUnitMeasurement", as_code),
        plain("descriptionSpanish"),
        plain("descriptionEnglish"),
        plain("taxAmount", as_percent),
        plain("sellPrice", as_price, lambda row: price_with_decimals(row.sell_price, row.currency)),
        plain("currency", as_currency),
        plain("priority", as_whole),
        plain("antique", as_flag),
        plain("measures"),
        plain("origin", as_code),
        products.COMPONENT_ROWS,
        plain("status", as_flag),
        named("alloy", "alloys"),
        grams("netGrams"),
        grams("otherGrams"),
        products.WAY,
        plain("originCriterion", as_code),
        plain("satProductCode", as_code),
    ),
    registers=lambda: {
        "alloys": Names(Alloy),
        "components": Names(Component),
        "materials": Names(Material),
        "processes": Names(ProductionProcess),
        "taxItems": Names(ExportTaxItem, "code"),
    },
    stored=products.as_stored,
    proposed=heads.ITEMS,
    codes=frozenset({"taxItemKey"}),
    example=lambda: (
        "AN-001",
        either("Anillo liso", "Plain ring"),
        "",
        "H87",
        "Anillo de plata",
        "Silver ring",
        "16",
        "850.50",
        "MXN",
        "3",
        text("no"),
        "18 mm",
        "MX",
        either("Aro | Plata .925 | pulido a mano\nEngaste", "Band | Silver .925 | polished by hand\nSetting"),
        text("yes"),
        "",
        "4.25",
        "",
        either("Fundición\nPulido", "Casting\nPolishing"),
        "B",
        "54101600",
    ),
)
