"""Finds the best few of each kind, by a bounded number of queries, fast even with a hundred thousand orders.

Orders and lines match on columns of several tables, which no single index covers. So first the ids of the orders,
customers and products with each word are queried, then the rows with these ids. One word leads the search; the other
words only narrow it.

Orders and lines are searched only by those columns of customers and products that the results show. The tax number of
a customer and the description of a product are for callers who may list customers or products.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Literal

from django.db.models import F, Model, Q, QuerySet, Value
from django.db.models.functions import Left

from project.access.principal import Principal
from project.catalogs import selectors as catalogs
from project.catalogs.models import Customer, Item
from project.core.folding import folded, name_key
from project.core.pictures import thumbnail_address
from project.core.schemas import LONGEST_NAME
from project.core.searching import COLUMN
from project.core.spanish import Folded, words as words_in
from project.orders.models import Line, SalesOrder
from project.orders.selectors import lines_visible_to, orders_visible_to

FEW = 5
"""Results of each kind."""
MANY = 1_000
"""Most ids that are used for a word. If more rows match, the texts are searched instead."""
ASKED = 4
"""The number of words for which ids are queried. Further words only narrow the results."""
TRIGRAM = 3
"""Shortest word that the trigram index of orders can find."""
LINE = frozenset({"l", "linea", "line"})
"""Folded words that may stand before a line's position."""
POSITION = re.compile(rf"(?:{'|'.join(LINE)})?(\d{{1,3}})", re.ASCII)
"""A line's position, alone or as `l3`, folded."""
DIGITS = re.compile(r"\d+", re.ASCII)
WITH_POSITION = re.compile(r"(.+)[-/·](\d{1,3})", re.ASCII)
"""An order and a position written as one word: `PO-1001-3`."""
SHORT_CODE = re.compile(r"([1-9]\d{0,17})-([1-9]\d{0,17})", re.ASCII)
"""The short code that a sheet prints beside its QR code: the order's id and the line's position."""

BUYER = ("name",)
ITEM = catalogs.PRODUCT
"""The texts of a customer and a product that results of orders and lines show."""

Found = Sequence[Mapping[str, Any]]
"""Result rows with the fields of the answer."""


def words_of(text: str) -> list[str]:
    """Split a text into search words.

    Drops words without a letter or digit, such as a dash between a PO# and a position. Drops `line` before a number.
    """
    found = [word for word in words_in(text) if any(letter.isalnum() for letter in word)]
    return [
        word
        for word, after in zip_longest(found, found[1:], fillvalue="")
        if not (folded(word) in LINE and DIGITS.fullmatch(after))
    ]


def customers(words: Sequence[str]) -> Found:
    """Find customers, by name. 1 query."""
    rows = catalogs.matching(Customer.objects.order_by("name", "id"), " ".join(words))
    return list(rows.values("id", "name")[:FEW])


def products(words: Sequence[str]) -> Found:
    """Find products, by key. 1 query."""
    rows = catalogs.matching(Item.objects.order_by("key", "id"), " ".join(words))
    rows = rows.only("key", "name", "description_english", "image")
    return [
        {
            "id": row.pk,
            "key": row.key,
            "name": row.name,
            "name_english": row.name_english,
            "thumbnail": thumbnail_address(row),
        }
        for row in rows[:FEW]
    ]


def orders_and_lines(words: Sequence[str], by: Principal) -> tuple[Found, Found]:
    """Find orders and lines that `by` may read, by PO#, customer and, for lines, position and product.

    Results of the order with exactly this PO# come first, then the newest. At most 21 queries.
    """
    known = _known(words)
    # A product's name does not identify an order.
    of_orders = _all(word.in_order() for word in _together([replace(word, items=[]) for word in known]))
    known = _together(known)
    lead = min(known, key=lambda word: (word.may_be_position, word.named, -len(word.text)))
    rest = [word for word in known if word is not lead]
    visible = orders_visible_to(SalesOrder.objects.all(), by)
    named_orders = list(visible.filter(_called(words)).values_list("pk", flat=True)[:FEW])

    rows = visible.order_by("-id").values("id", "customer_sales_order_id", "status", customer_name=F("customer__name"))
    orders = _first(rows, of_orders & Q(pk__in=named_orders), of_orders)

    of_lines = _lines(by)
    of_order, narrowed = lead.in_order("order__"), _all(word.in_line() for word in rest)
    at_position = _at_position(rest)
    # A text that names a line by its order and position means only that line.
    lines = _first(
        of_lines,
        at_position & Q(order__in=named_orders) & of_order,
        narrowed & lead.in_one(),
        at_position & of_order,
    ) or _first(
        of_lines,
        _all(word.in_line() for word in known) & Q(order__in=named_orders),
        narrowed & of_order,
        narrowed & lead.in_item(),
    )
    return orders, lines


def _lines(by: Principal) -> QuerySet[Line, Any]:
    """Return the result rows of lines that `by` may read, newest order first."""
    return lines_visible_to(Line.objects.order_by("-order_id", "position"), by).values(
        "id",
        "position",
        sales_order_id=F("order_id"),
        customer_sales_order_id=F("order__customer_sales_order_id"),
        customer_name=F("order__customer__name"),
        item_name=F("item__name"),
        item_name_english=Left("item__description_english", LONGEST_NAME),
    )


def with_line_of_code(lines: Found, text: str, by: Principal) -> Found:
    """Put the line with the short code `text` first in `lines`, if `by` may read it. At most 1 query."""
    code = SHORT_CODE.fullmatch(name_key(text))
    if code is None:
        return lines
    coded = list(_lines(by).filter(order=int(code[1]), position=int(code[2])))
    return [*({**row, "short_code": code[0]} for row in coded), *(row for row in lines if row not in coded)][:FEW]


@dataclass(frozen=True)
class Word:
    """A word, and the ids of the customers, products and (by PO#) orders that contain the word.

    Ids are None if there are too many or they were not queried. Then the texts are searched.
    """

    text: str
    buyers: list[int] | None = None
    items: list[int] | None = None
    orders: list[int] | None = None

    @property
    def named(self) -> int:
        """How many customers and products contain the word. The word with the smallest number leads the search."""
        return sum(MANY if ids is None else len(ids) for ids in (self.buyers, self.items))

    @property
    def position(self) -> int | None:
        """The line position that the word may mean."""
        found = POSITION.fullmatch(folded(self.text))
        return int(found[1]) if found else None

    @property
    def may_be_position(self) -> bool:
        return self.position is not None

    @property
    def of_one_kind(self) -> Literal["buyers", "items"] | None:
        """The kind if only customers or only products contain the word; None if it may also mean an order or a line."""
        if self.orders != [] or self.may_be_position or WITH_POSITION.fullmatch(self.text):
            return None
        if self.items == [] and self.buyers is not None:
            return "buyers"
        return "items" if self.buyers == [] and self.items is not None else None

    def in_order(self, path: str = "") -> Q:
        buyers = _among(f"{path}customer", BUYER, self.buyers, self.text)
        if self.orders == []:
            return buyers
        # For lines, no index serves "the order's id or the order's customer": these are columns of two tables.
        if self.orders is not None and (not path or self.buyers == []):
            return Q(**{f"{path}pk__in": self.orders}) | buyers
        return _has(self.text, path) | buyers

    def in_item(self) -> Q:
        return _among("item", ITEM, self.items, self.text)

    def in_one(self) -> Q:
        """Match the line at a PO# and position, if the word is both in one (`PO-1001-3`); else no line."""
        joined = WITH_POSITION.fullmatch(self.text)
        return _has(joined[1], "order__") & Q(position=int(joined[2])) if joined else Q(pk__in=[])

    def in_line(self) -> Q:
        found = self.in_order("order__") | self.in_item() | self.in_one()
        return found if self.position is None else found | Q(position=self.position)


def _known(words: Sequence[str]) -> list[Word]:
    """Return the words, longest first, with ids for the first `ASKED` of them. At most 3 queries each."""
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
    """Combine all words that only customers contain into one with their common customers; likewise for products."""
    words = [word for word in known if word.of_one_kind is None]
    if buyers := [word for word in known if word.of_one_kind == "buyers"]:
        words.append(replace(buyers[0], buyers=_common(word.buyers for word in buyers)))
    if items := [word for word in known if word.of_one_kind == "items"]:
        words.append(replace(items[0], items=_common(word.items for word in items)))
    return words


def _common(lists: Iterable[list[int] | None]) -> list[int]:
    return sorted(set.intersection(*(set(ids or ()) for ids in lists)))


def _at_position(rest: Sequence[Word]) -> Q:
    """Match lines at the position that a word may mean, narrowed by the other words; no line without such a word."""
    place = next((word for word in rest if word.may_be_position), None)
    if place is None:
        return Q(pk__in=[])
    return Q(position=place.position) & _all(word.in_line() for word in rest if word is not place)


def _called(words: Sequence[str]) -> Q:
    """Match orders by their whole PO#, with or without a position behind it."""
    typed = {" ".join(words), *words, *(joined[1] for word in words if (joined := WITH_POSITION.fullmatch(word)))}
    called = Q()
    for text in typed:
        called |= Q(**{COLUMN: Folded(Value(text))})
    return called


def _has(word: str, path: str = "") -> Q:
    return Q(**{f"{path}{COLUMN}__contains": Folded(Value(word))})


def _shows(columns: Sequence[str], word: str, path: str = "") -> Q:
    """Match rows with the word in one of `columns`, and in the search text, which the index covers.

    Folding a column is slow, so the word is compared as typed first. A number is compared only as typed.
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
    """Return the rows of the first search, then those of the next ones, at most `FEW`. 1 query per search that runs."""
    found: list[Mapping[str, Any]] = []
    for search in searches:
        if len(found) < FEW:
            found += [row for row in rows.filter(search)[:FEW] if row not in found]
    return found[:FEW]
