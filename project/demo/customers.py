"""For whom the demo workshop works: six customers abroad."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Buyer:
    """A customer abroad, with the commercial address that billing needs and the currency it is billed in."""

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
    currency: str = "USD"


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
    ),
)
