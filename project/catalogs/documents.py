"""Turns catalog entries into what is answered."""

from project.catalogs import offered, schemas
from project.catalogs.models import (
    Company,
    Component,
    Customer,
    ExportTaxItem,
    Item,
    Material,
    ProcessPrice,
    ShortList,
)
from project.core.money import plant_currency
from project.core.pictures import Pictured, picture_of, thumbnail_address


def _pictured(row: Pictured) -> dict[str, str | None]:
    picture = picture_of(row)
    return {
        "image": picture.url if picture else None,
        "thumbnail": picture.thumbnail_url if picture else None,
        "name_image": picture.name_image if picture else None,
    }


def short_list(row: ShortList) -> schemas.ShortListOut:
    return schemas.ShortListOut(
        id=row.pk,
        key=row.key,
        name=row.name,
        name_spanish=row.name_spanish,
        name_english=row.name_english,
        active=row.active,
        version=row.version,
    )


def offered_product(row: Item) -> offered.OfferedProductOut:
    return offered.OfferedProductOut(id=row.pk, key=row.key, name=row.name, thumbnail=thumbnail_address(row))


def company(row: Company) -> schemas.CompanyOut:
    address = row.commercial_address
    return schemas.CompanyOut(
        id=row.pk,
        name=row.name,
        legal_name=row.legal_name,
        tax_id=row.tax_id,
        email=row.email,
        phone=row.phone,
        commercial_address=schemas.Place.model_validate(address) if address else None,
        status=row.status,
        **_pictured(row),
        version=row.version,
    )


def export_tax_item(row: ExportTaxItem) -> schemas.ExportTaxItemOut:
    return schemas.ExportTaxItemOut(
        id=row.pk,
        code=row.code,
        english_description=row.english_description,
        spanish_description=row.spanish_description,
        english_metal_name=row.english_metal_name,
        spanish_metal_name=row.spanish_metal_name,
        version=row.version,
    )


def customer(row: Customer) -> schemas.CustomerOut:
    return schemas.CustomerOut(
        id=row.pk,
        name=row.name,
        customer_type_id=row.customer_type_id,
        tax_section_id=row.tax_section_id,
        tax_id=row.tax_id,
        quinto=row.quinto,
        currency=row.currency,
        addresses=[schemas.Address.model_validate(address) for address in row.addresses],
        phones=[schemas.Phone.model_validate(phone) for phone in row.phones],
        emails=row.emails,
        status=row.status,
        **_pictured(row),
        version=row.version,
    )


def material(row: Material) -> schemas.MaterialOut:
    return schemas.MaterialOut(
        id=row.pk, name=row.name, description=row.description, status=row.status, version=row.version
    )


def component(row: Component) -> schemas.ComponentOut:
    return schemas.ComponentOut(id=row.pk, name=row.name, status=row.status, version=row.version)


def process_price(row: ProcessPrice) -> schemas.ProcessPriceOut:
    return schemas.ProcessPriceOut(
        id=row.pk,
        price=row.price,
        currency=plant_currency(),
        since=row.since,
        user_id=row.user_id,
        username=row.user_name or None,
    )


def item(row: Item) -> schemas.ItemOut:
    return schemas.ItemOut(
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
        components=[
            schemas.ItemComponentOut(
                component_id=one.component_id,
                component_name=one.component_name,
                material_id=one.material_id,
                material_name=one.material_name,
                material_description=one.material_description,
                notes=one.notes,
            )
            for one in row.components.all()
        ],
        status=row.status,
        **_pictured(row),
        version=row.version,
    )
