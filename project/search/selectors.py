"""What a search finds: the best few of each kind. Constant in queries, and quick among a hundred thousand orders.

Orders and lines are found by the columns of several tables at once, which no index covers. So which orders, customers
and products have a word is asked first, and by their ids the rows are looked up. One of the words leads; the other ones
only narrow what was found.

They are found by what their rows show of a customer and a product. The tax number of the one and the description of
the other are for those alone who list customers and products.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Literal

from django.db.models import F, Model, Q, QuerySet, Value

from project.access.principal import Principal, visible_to
from project.catalogs import selectors as catalogs
from project.catalogs.models import Customer, Item
from project.core.folding import folded, name_key
from project.core.searching import COLUMN
from project.core.spanish import Folded, words as words_in
from project.orders.models import Line, SalesOrder

FEW = 5
"""Of each kind."""
MANY = 1_000
"""Orders, customers or products with a word: of more, their texts are read instead."""
ASKED = 4
"""Words whose orders, customers and products are asked for: more only narrow."""
TRIGRAM = 3
"""Letters of a word that the index of the orders' texts can find."""
LINE = frozenset({"l", "linea", "line"})
"""Words before the position of a line, folded."""
POSITION = re.compile(rf"(?:{'|'.join(LINE)})?(\d{{1,3}})", re.ASCII)
"""A position, alone or as `l3`, folded."""
DIGITS = re.compile(r"\d+", re.ASCII)
WITH_POSITION = re.compile(r"(.+)[-/·](\d{1,3})", re.ASCII)
"""A line as it is written in one word: `PO-1001-3`."""
SHORT_CODE = re.compile(r"([1-9]\d{0,17})-([1-9]\d{0,17})", re.ASCII)
"""The code that a sheet prints beside its QR: the order's id and the line's position."""

BUYER = ("name",)
ITEM = ("key", "name")
"""What the rows of orders and lines show of a customer and of a product."""

Found = Sequence[Mapping[str, Any]]
"""Rows with the fields that are answered."""


def words_of(text: str) -> list[str]:
    """The words to look for. Marks that stand alone, as between a PO# and a position, are none, nor is `line` in
    `line 3`."""
    found = [word for word in words_in(text) if any(letter.isalnum() for letter in word)]
    return [
        word
        for word, after in zip_longest(found, found[1:], fillvalue="")
        if not (folded(word) in LINE and DIGITS.fullmatch(after))
    ]


def customers(words: Sequence[str]) -> Found:
    """By name. 1 query."""
    rows = catalogs.matching(Customer.objects.order_by("name", "id"), " ".join(words))
    return list(rows.values("id", "name")[:FEW])


def products(words: Sequence[str]) -> Found:
    """By key. 1 query."""
    rows = catalogs.matching(Item.objects.order_by("key", "id"), " ".join(words))
    return list(rows.values("id", "key", "name")[:FEW])


def orders_and_lines(words: Sequence[str], by: Principal) -> tuple[Found, Found]:
    """Those that `by` may read, by PO#, customer, and for lines position and product: of the order that is called so
    first, then of the newest. At most 21 queries."""
    known = _known(words)
    # What a product is called says nothing of an order.
    of_orders = _all(word.in_order() for word in _together([replace(word, items=[]) for word in known]))
    known = _together(known)
    lead = min(known, key=lambda word: (word.may_be_position, word.named, -len(word.text)))
    rest = [word for word in known if word is not lead]
    visible = visible_to(SalesOrder.objects.all(), by, customer="customer")
    called_so = list(visible.filter(_called(words)).values_list("pk", flat=True)[:FEW])

    rows = visible.order_by("-id").values("id", "customer_sales_order_id", "status", customer_name=F("customer__name"))
    orders = _first(rows, of_orders & Q(pk__in=called_so), of_orders)

    of_lines = _lines(by)
    of_order, narrowed = lead.in_order("order__"), _all(word.in_line() for word in rest)
    at_position = _at_position(rest)
    # What names a line by its order and its position means that line and no other.
    lines = _first(
        of_lines,
        at_position & Q(order__in=called_so) & of_order,
        narrowed & lead.in_one(),
        at_position & of_order,
    ) or _first(
        of_lines,
        _all(word.in_line() for word in known) & Q(order__in=called_so),
        narrowed & of_order,
        narrowed & lead.in_item(),
    )
    return orders, lines


def _lines(by: Principal) -> QuerySet[Line, Any]:
    """The rows of lines that `by` may read, those of the newest order first."""
    return visible_to(Line.objects.order_by("-order_id", "position"), by, customer="order__customer").values(
        "position",
        "status",
        sales_order_id=F("order_id"),
        customer_sales_order_id=F("order__customer_sales_order_id"),
        customer_name=F("order__customer__name"),
        item_name=F("item__name"),
    )


def with_line_of_code(lines: Found, text: str, by: Principal) -> Found:
    """`lines` with the line whose sheet has the short code `text` first, if `by` may read it. At most 1 query."""
    code = SHORT_CODE.fullmatch(name_key(text))
    if code is None:
        return lines
    coded = list(_lines(by).filter(order=int(code[1]), position=int(code[2])))
    return [*({**row, "short_code": code[0]} for row in coded), *(row for row in lines if row not in coded)][:FEW]


@dataclass(frozen=True)
class Word:
    """A word with the ids of the customers, products and, by PO#, orders that have it; None where they are too many, or
    were not asked for: then their texts are read."""

    text: str
    buyers: list[int] | None = None
    items: list[int] | None = None
    orders: list[int] | None = None

    @property
    def named(self) -> int:
        """How many have it: of few the rows are found soonest."""
        return sum(MANY if ids is None else len(ids) for ids in (self.buyers, self.items))

    @property
    def position(self) -> int | None:
        """The position of a line that it may be."""
        found = POSITION.fullmatch(folded(self.text))
        return int(found[1]) if found else None

    @property
    def may_be_position(self) -> bool:
        return self.position is not None

    @property
    def of_one_kind(self) -> Literal["buyers", "items"] | None:
        """Whether only customers have it, or only products; None where it may say more."""
        if self.orders != [] or self.may_be_position or WITH_POSITION.fullmatch(self.text):
            return None
        if self.items == [] and self.buyers is not None:
            return "buyers"
        return "items" if self.buyers == [] and self.items is not None else None

    def in_order(self, path: str = "") -> Q:
        buyers = _among(f"{path}customer", BUYER, self.buyers, self.text)
        if self.orders == []:
            return buyers
        # Of a line, its order's id is a column of its own table: no index serves that or the order's customer.
        if self.orders is not None and (not path or self.buyers == []):
            return Q(**{f"{path}pk__in": self.orders}) | buyers
        return _has(self.text, path) | buyers

    def in_item(self) -> Q:
        return _among("item", ITEM, self.items, self.text)

    def in_one(self) -> Q:
        """The lines that it names by PO# and position; none where it does not."""
        joined = WITH_POSITION.fullmatch(self.text)
        return _has(joined[1], "order__") & Q(position=int(joined[2])) if joined else Q(pk__in=[])

    def in_line(self) -> Q:
        found = self.in_order("order__") | self.in_item() | self.in_one()
        return found if self.position is None else found | Q(position=self.position)


def _known(words: Sequence[str]) -> list[Word]:
    """The longest words with the ids of what has them. 3 queries each."""
    asked = sorted(dict.fromkeys(words), key=len, reverse=True)
    known = [
        Word(
            text,
            _ids(Customer, _shows(BUYER, text)),
            _ids(Item, _shows(ITEM, text)),
            _ids(SalesOrder, _has(text)) if len(text) >= TRIGRAM else None,
        )
        for text in asked[:ASKED]
    ]
    return [*known, *(Word(text) for text in asked[ASKED:])]


def _together(known: Sequence[Word]) -> list[Word]:
    """Words that only customers have are of the same customers, and become one word; so do those that only products
    have."""
    words = [word for word in known if word.of_one_kind is None]
    if buyers := [word for word in known if word.of_one_kind == "buyers"]:
        words.append(replace(buyers[0], buyers=_common(word.buyers for word in buyers)))
    if items := [word for word in known if word.of_one_kind == "items"]:
        words.append(replace(items[0], items=_common(word.items for word in items)))
    return words


def _common(lists: Iterable[list[int] | None]) -> list[int]:
    return sorted(set.intersection(*(set(ids or ()) for ids in lists)))


def _at_position(rest: Sequence[Word]) -> Q:
    """The lines at the position that one of the words says, narrowed by the others; none where none says one."""
    place = next((word for word in rest if word.may_be_position), None)
    if place is None:
        return Q(pk__in=[])
    return Q(position=place.position) & _all(word.in_line() for word in rest if word is not place)


def _called(words: Sequence[str]) -> Q:
    """The orders whose whole PO# was typed, perhaps with a position."""
    typed = {" ".join(words), *words, *(joined[1] for word in words if (joined := WITH_POSITION.fullmatch(word)))}
    called = Q()
    for text in typed:
        called |= Q(**{COLUMN: Folded(Value(text))})
    return called


def _has(word: str, path: str = "") -> Q:
    return Q(**{f"{path}{COLUMN}__contains": Folded(Value(word))})


def _shows(columns: Sequence[str], word: str, path: str = "") -> Q:
    """One of the columns has the word; the search text has it then, and is what the index covers.

    Folding a text is what takes long: a column that has the word as it was typed is not folded, and no digit is another
    one folded.
    """
    shown = Q()
    for lookup in ("contains",) if DIGITS.fullmatch(word) else ("icontains", "folded__contains"):
        for column in columns:
            shown |= Q(**{f"{path}{column}__{lookup}": word})
    return _has(word, path) & shown


def _ids(model: type[Model], condition: Q) -> list[int] | None:
    found = list(model._default_manager.filter(condition).values_list("pk", flat=True)[: MANY + 1])
    return found if len(found) <= MANY else None


def _among(path: str, columns: Sequence[str], ids: list[int] | None, word: str) -> Q:
    return _shows(columns, word, f"{path}__") if ids is None else Q(**{f"{path}__in": ids})


def _all(conditions: Iterable[Q]) -> Q:
    whole = Q()
    for condition in conditions:
        whole &= condition
    return whole


def _first(rows: QuerySet[Any, Any], *searches: Q) -> Found:
    """The rows of the first search, then of the next ones, as few as are shown. 1 query a search."""
    found: list[Mapping[str, Any]] = []
    for search in searches:
        if len(found) < FEW:
            found += [row for row in rows.filter(search)[:FEW] if row not in found]
    return found[:FEW]
