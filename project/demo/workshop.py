"""Builds the demo workshop through the domains' services. Each step has its user and its instant."""

import secrets
import string
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any, TypedDict

from django.conf import settings
from django.db import transaction

from project.access.permissions import ALL
from project.access.principal import Principal
from project.catalogs import definitions, pictures, services as catalogs
from project.catalogs.definition import CatalogDefinition
from project.catalogs.models import CustomerType, PriceUnit, TaxSection
from project.catalogs.schemas import Address, Phone, Place
from project.core import clock
from project.core.written_last import one_change
from project.demo import metal
from project.demo.batches import grow_a_tree
from project.demo.bills import bill_what_is_done
from project.demo.customers import CUSTOMERS, TAX_SECTION, Buyer
from project.demo.day import ORDER_NOTES
from project.demo.drawings import logo_of, mark_of, picture_of
from project.demo.foreseen import keep_forecasts
from project.demo.goods import COMPONENTS, MATERIALS, Product, products
from project.demo.people import ADMINISTRATOR, PASSWORD, PEOPLE, PROCESSES, ROLES, Somebody
from project.demo.stories import LineStory, OrderStory, Step, order_stories
from project.demo.trade import COMPANIES, JEWELRY, TARIFF
from project.demo.wages import pay_the_weeks
from project.identity import pins
from project.identity.models import User
from project.identity.schemas import RoleIn
from project.identity.services import role_create
from project.orders import corrections, movements, scrapping, services as orders, statuses
from project.orders.schemas import OrderIn
from project.parts.contents import PartKey
from project.parts.services import turn_on
from project.staffing import definitions as processes, operators, services as staffing
from project.staffing.schemas import UserChange, UserIn
from realtime import outbox

SALES = "ventas@obrador.test"
FOREMAN = "jefe@obrador.test"
CLERK = "facturas@obrador.test"
MAKERS = {
    name: next(one.email for one in PEOPLE if one.role == "Taller" and name in one.processes) for name in PROCESSES
}
"""The e-mail of the person with the role Taller who works in each process."""
SINCE = timedelta(days=75)
"""How long ago the workshop was set up, before its first order."""
SETTING_OF_ANTIQUES = Decimal("22.00")
"""The price for setting an antique piece, which is higher than for other pieces."""


@dataclass
class Workshop:
    """The ids of the records made so far, by name, and the people, by e-mail."""

    people: dict[str, Principal] = field(default_factory=dict)
    processes: dict[str, int] = field(default_factory=dict)
    items: dict[str, int] = field(default_factory=dict)
    alloys: dict[str, int] = field(default_factory=dict)
    customers: list[int] = field(default_factory=list)


class Where(TypedDict):
    """The arguments that identify a line."""

    order_id: int
    position: int


class Moving(TypedDict):
    """The arguments that movements and scrap share."""

    process_id: int
    quantity: int
    notes: str
    by: Principal


@transaction.atomic
def build(*, published: bool = True) -> None:
    """Build the whole workshop in one transaction. The database must be empty.

    The events are stored last, because other writes wait for their counter. `published`: the accounts have the
    published password and PINs.
    """
    with one_change():
        _build()
        if not published:
            close_published_accounts()
    outbox.prune(up_to=outbox.last_of_before(clock.now() - settings.EVENTS_KEEP))


def _build() -> None:
    founder = principal(0, "Obrador", ALL)
    workshop = Workshop()
    now = clock.now()
    with clock.at(now - SINCE):
        _set_up(workshop, founder)
    stories = order_stories(products(), customers=len(CUSTOMERS), now=now, plant=clock.plant())
    steps = [*_steps(workshop, stories), *_closings(workshop, now)]
    for instant, step in sorted(steps, key=lambda one: one[0]):
        with clock.at(instant):
            step()
    keep_forecasts(now)
    pay_the_weeks(by=workshop.people[CLERK], now=now)
    bill_what_is_done(workshop.people[CLERK])
    grow_a_tree(workshop.processes["Fundición"], workshop.alloys[metal.STERLING], workshop.people[FOREMAN])
    for part in PartKey:  # the demo shows all of the product
        turn_on(part)


def close_published_accounts() -> dict[str, str]:
    """Give a new password to each demo account that still has the published one, and remove published PINs. Returns the
    new passwords by e-mail."""
    given: dict[str, str] = {}
    founder = principal(0, "Obrador", ALL)
    for user in User.objects.filter(email__in=[one.email for one in PEOPLE]).order_by("pk"):
        if user.check_password(PASSWORD):
            given[user.email] = _password()
            staffing.user_change(
                user_id=user.pk, body=UserChange.model_construct(password=given[user.email]), by=founder
            )
    for somebody in PEOPLE:
        held = pins.holder(pin=somebody.pin) if somebody.pin else None
        if held is not None and held.email == somebody.email:
            operators.pin_change(user_id=held.pk, pin=None, by=founder)
    return given


def _password() -> str:
    """Make a random password that the product accepts."""
    kinds = (string.ascii_uppercase, string.ascii_lowercase, string.digits, "-_.+")
    letters = [secrets.choice(kind) for kind in kinds]
    letters += [secrets.choice(string.ascii_letters + string.digits) for _ in range(10)]
    secrets.SystemRandom().shuffle(letters)
    return "".join(letters)


def principal(user_id: int, full_name: str, permissions: frozenset[str]) -> Principal:
    return Principal(
        user_id=user_id,
        full_name=full_name,
        permissions=permissions,
        jti="",
        expires_at=clock.end_of_today(),
        token_version=1,
    )


def _set_up(workshop: Workshop, founder: Principal) -> None:
    """Create roles, people, processes, customers and products, before the first order."""
    roles = {
        name: role_create(
            body=RoleIn(name=name, description=role.descriptions[0], permissions=sorted(role.permissions)), by=founder
        ).pk
        for name, role in ROLES.items()
    }
    workshop.processes = {
        name: catalogs.entry_create(
            processes.PRODUCTION_PROCESSES,
            fields={
                "name": name,
                "name_english": english,
                "order": place,
                "price": Decimal(price),
                **metal.WEIGHING.get(name, {}),
            },
            by=founder,
        ).pk
        for place, (name, (english, price)) in enumerate(PROCESSES.items(), start=1)
    }
    for somebody in PEOPLE:
        workshop.people[somebody.email] = _hire(workshop, somebody, roles[somebody.role], founder)
    owner = workshop.people[ADMINISTRATOR]
    workshop.customers = [_customer(buyer, owner) for buyer in CUSTOMERS]
    materials = {
        name: catalogs.entry_create(
            definitions.MATERIALS,
            fields={
                "name": name,
                "name_english": english,
                "description": description,
                "description_english": in_english,
            },
            by=owner,
        ).pk
        for name, (english, description, in_english) in MATERIALS.items()
    }
    components = {
        name: catalogs.entry_create(definitions.COMPONENTS, fields={"name": name, "name_english": english}, by=owner).pk
        for name, english in COMPONENTS.items()
    }
    for company in COMPANIES:
        _pictured(definitions.COMPANIES, _company(company, owner), "logo", logo_of(company["name"]), owner)
    for number, (buyer, customer) in enumerate(zip(CUSTOMERS, workshop.customers, strict=True)):
        _pictured(definitions.CUSTOMERS, customer, "quinto", mark_of(buyer.name, number), owner)
    for code, spanish, english in TARIFF:
        _tariff_item(code, spanish, english, owner)
    workshop.alloys = metal.alloys(materials, owner)
    metal.buy(workshop.alloys, owner)
    workshop.items = {product.key: _item(product, components, materials, workshop) for product in products()}
    setting = workshop.processes["Engaste"]
    cells = [
        catalogs.PriceCell(setting, workshop.items[product.key], PriceUnit.piece, SETTING_OF_ANTIQUES)
        for product in products()
        if product.antique
    ]
    catalogs.prices_set(cells=cells, since=None, by=workshop.people[CLERK])
    for number, product in enumerate(products()):
        drawn = picture_of(product, number)
        _pictured(definitions.ITEMS, workshop.items[product.key], product.key, drawn, workshop.people[SALES])


def _pictured(definition: CatalogDefinition[Any], entry_id: int, name: str, raw: bytes, by: Principal) -> None:
    pictures.picture_put(definition, entry_id=entry_id, name_image=name, raw=raw, by=by)


def _customer(buyer: Buyer, by: Principal) -> int:
    place = {"city": buyer.city, "state": buyer.state, "postalCode": buyer.postal_code, "country": buyer.country}
    doors = (("Commercial", buyer.street, buyer.exterior_number), ("Shipping", *buyer.warehouse))
    addresses = [
        Address.model_validate(place | {"kind": kind, "street": street, "exteriorNumber": number})
        for kind, street, number in doors
    ]
    phone = {"countryCode": buyer.calling_code, "number": buyer.phone}
    fields = {
        "name": buyer.name,
        "quinto": buyer.quinto,
        "currency": buyer.currency,
        "customer_type_id": CustomerType.objects.get(key=buyer.kind).pk,
        "tax_section_id": TaxSection.objects.get(key=TAX_SECTION).pk,
        "tax_id": buyer.tax_id,
        "addresses": [address.model_dump(by_alias=True) for address in addresses],
        "phones": [Phone.model_validate(phone).model_dump(by_alias=True)],
        "emails": [buyer.email],
    }
    return catalogs.entry_create(definitions.CUSTOMERS, fields=fields, by=by).pk


def _company(company: dict[str, str], by: Principal) -> int:
    place = {"city": "Taxco", "state": "Guerrero", "postalCode": "40200", "country": "MX"}
    street = {"street": company["street"], "exteriorNumber": company["exterior_number"]}
    plain = {name: text for name, text in company.items() if name not in ("street", "exterior_number")}
    address = Place.model_validate(street | place).model_dump(by_alias=True)
    fields = plain | {"commercial_address": address}
    return int(catalogs.entry_create(definitions.COMPANIES, fields=fields, by=by).pk)


def _tariff_item(code: str, spanish: str, english: str, by: Principal) -> None:
    fields = {
        "code": code,
        "spanish_description": spanish,
        "english_description": english,
        "spanish_metal_name": "Plata",
        "english_metal_name": "Silver",
    }
    catalogs.entry_create(definitions.EXPORT_TAX_ITEMS, fields=fields, by=by)


def _item(product: Product, components: dict[str, int], materials: dict[str, int], workshop: Workshop) -> int:
    fields = {
        "key": product.key,
        "name": product.name,
        "tax_item_key": JEWELRY,
        "sat_unit_measurement": "H87",
        "description_spanish": product.description_spanish,
        "description_english": product.description_english,
        "tax_amount": Decimal(0),  # exports
        "sell_price": product.sell_price,
        "currency": product.currency,
        "priority": product.priority,
        "antique": product.antique,
        "measures": product.measures,
        "alloy_id": workshop.alloys[metal.alloy_of(product)],
        "net_grams": metal.net_grams(product),
        "components": [
            {"component_id": components[component], "material_id": materials[material]}
            for component, material in product.components
        ],
        "process_ids": [workshop.processes[name] for name in product.route],
    }
    return catalogs.entry_create(definitions.ITEMS, fields=fields, by=workshop.people[SALES]).pk


def _hire(workshop: Workshop, somebody: Somebody, role: int, founder: Principal) -> Principal:
    sent = {
        "email": somebody.email,
        "first_name": somebody.first_name,
        "last_name": somebody.last_name,
        "second_last_name": somebody.second_last_name,
        "password": PASSWORD,
        "role_ids": [role],
        "production_process_ids": [workshop.processes[name] for name in somebody.processes],
        "pin": somebody.pin or None,
    }
    user = staffing.user_create(body=UserIn.model_validate(sent, by_name=True), by=founder)
    return principal(user.pk, user.full_name, ROLES[somebody.role].permissions)


type Doing = tuple[datetime, Callable[[], object]]


def _steps(workshop: Workshop, stories: Iterable[OrderStory]) -> Iterator[Doing]:
    for story in stories:
        made: dict[str, int] = {}
        yield story.created, partial(_order, workshop, story, made)
        for position, line in enumerate(story.lines, start=1):
            for step in line.steps:
                yield step.at, partial(_do, workshop, made, position, line.product, step)


def _closings(workshop: Workshop, now: datetime) -> Iterator[Doing]:
    bench = workshop.processes[metal.BENCH]
    filer, foreman = workshop.people[MAKERS[metal.BENCH]], workshop.people[FOREMAN]
    for instant in metal.closings(now):
        yield instant, partial(metal.close_bench, filer, bench, foreman)


def _order(workshop: Workshop, story: OrderStory, made: dict[str, int]) -> None:
    buyer = CUSTOMERS[story.customer]
    body = OrderIn.model_validate(
        {
            "customerId": workshop.customers[story.customer],
            "customerSalesOrderId": f"{buyer.order_prefix}-{story.created.year % 100}{100 + story.number}",
            "salesOrderDate": clock.today(),
            "notes": ORDER_NOTES.get(story.number, ""),
            "items": [_line(workshop, line, story) for line in story.lines],
        }
    )
    order = orders.order_create(body=body, by=workshop.people[SALES])
    made["order"] = order.pk


def _line(workshop: Workshop, line: LineStory, story: OrderStory) -> dict[str, Any]:
    return {
        "itemId": workshop.items[line.product.key],
        "quantity": line.quantity,
        "shipmentDate": clock.today(),
        "deliveryDate": story.delivery,
        "shippingDate": story.delivery - timedelta(days=2),
        "notes": "Grabar iniciales del cliente" if "Grabado láser" in line.product.route else "",
    }


def _do(workshop: Workshop, made: dict[str, int], position: int, product: Product, step: Step) -> None:
    where: Where = {"order_id": made["order"], "position": position}
    if step.what == "status":
        statuses.line_change_status(**where, status=step.to, by=workshop.people[FOREMAN])
        return
    process = workshop.processes[step.to]
    if step.what == "release":
        by = workshop.people[FOREMAN]
        corrections.release_record(**where, process_id=process, reason=step.reason, notes=step.notes, by=by)
        return
    maker = workshop.people[MAKERS[step.to]]
    what: Moving = {"process_id": process, "quantity": step.quantity, "notes": step.notes, "by": maker}
    if step.what == "scrap":
        scrapping.scrap(**where, **what, reason=step.reason)
    else:
        move = movements.move_in if step.what == "in" else movements.move_out
        move(**where, **what, weights=metal.weights(product, step.what, step.to, step.quantity))
