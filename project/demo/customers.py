"""The six customers of the demo workshop, all abroad."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Buyer:
    """A customer abroad, with its commercial address and the currency of its bills. `kind`: a key of the customer
    types."""

    name: str
    quinto: str
    order_prefix: str
    street: str
    exterior_number: str
    city: str
    state: str
    postal_code: str
    country: str
    calling_code: str
    phone: str
    email: str
    currency: str
    kind: str
    tax_id: str
    warehouse: tuple[str, str]
    """Street and number of its shipping address, in the same city."""


CUSTOMERS: tuple[Buyer, ...] = (
    Buyer(
        "Silver Moon Trading LLC",
        "SM",
        "SMT",
        "Canyon Road",
        "418",
        "Santa Fe",
        "New Mexico",
        "87501",
        "US",
        "+1",
        "5055550148",
        "orders@silvermoon.test",
        "USD",
        "wholesale",
        "85-0551480",
        ("Cerrillos Road", "3204"),
    ),
    Buyer(
        "Harbor & Pine Jewelers",
        "HP",
        "HPJ",
        "NW 23rd Avenue",
        "912",
        "Portland",
        "Oregon",
        "97210",
        "US",
        "+1",
        "5035550117",
        "buying@harborpine.test",
        "USD",
        "retail",
        "93-0551170",
        ("NW Yeon Avenue", "2450"),
    ),
    Buyer(
        "Plata del Sol Imports",
        "PS",
        "PDS",
        "South Alamo Street",
        "1120",
        "San Antonio",
        "Texas",
        "78210",
        "US",
        "+1",
        "2105550193",
        "po@platadelsol.test",
        "MXN",
        "distributor",
        "74-0551930",
        ("Fredericksburg Road", "611"),
    ),
    Buyer(
        "Nordlicht Schmuck GmbH",
        "NL",
        "NLS",
        "Lange Reihe",
        "37",
        "Hamburg",
        "Hamburg",
        "20099",
        "DE",
        "+49",
        "4055501820",
        "einkauf@nordlicht.test",
        "USD",
        "wholesale",
        "DE055501820",
        ("Billstraße", "18"),
    ),
    Buyer(
        "Maison Argentelle",
        "MA",
        "MAR",
        "Rue des Archives",
        "64",
        "Paris",
        "Île-de-France",
        "75003",
        "FR",
        "+33",
        "155501276",
        "commandes@argentelle.test",
        "USD",
        "designer",
        "FR04055501276",
        ("Rue de Turbigo", "27"),
    ),
    Buyer(
        "Platería Ibérica S.L.",
        "PI",
        "PIB",
        "Calle de Serrano",
        "88",
        "Madrid",
        "Madrid",
        "28006",
        "ES",
        "+34",
        "915550164",
        "pedidos@plateriaiberica.test",
        "MXN",
        "export",
        "ESB05550164",
        ("Calle de Alcalá", "402"),
    ),
)

TAX_SECTION = "610"
"""The tax section of all customers: residents abroad without an establishment in Mexico."""
