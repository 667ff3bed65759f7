"""Decides the outcome of each row: new, changed, unchanged or refused. Writes nothing.

The preview validates the rows once. Applying validates them again, with the records locked, and goes ahead only if the
outcomes are the same.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db.models import QuerySet
from pydantic import ValidationError
from pydantic.alias_generators import to_snake

from project.access.principal import Principal
from project.catalogs.cells import ERASED, BadCell, Cells, Registers, currency_named, erases, shown
from project.catalogs.columns import CatalogColumn
from project.catalogs.definition import CatalogDefinition
from project.catalogs.schemas import written
from project.core.errors import FieldError
from project.core.folding import name_key
from project.core.money import currency_codes, plant_currency
from project.core.validation import code_of, unstorable_texts
from project.importing.models import CHANGED, DOUBTFUL, NEW, REFUSED, UNCHANGED
from project.importing.tables import filled, text_of

BATCH = 1_000


@dataclass
class RowResult:
    """The outcome of a row of the file. `row`: the stored record that it would change. `fields`: what to write."""

    number: int
    cells: Cells
    outcome: str = REFUSED
    key: str = ""
    label: str = ""
    row: Any = None
    fields: dict[str, Any] = field(default_factory=dict)
    changes: list[dict[str, Any]] = field(default_factory=list)
    errors: list[FieldError] = field(default_factory=list)
    duplicate: int | None = None

    @property
    def outlook(self) -> tuple[str, int | None, int | None]:
        """The row's outcome, and the id and version of its record. If they change, the preview is stale."""
        return (self.outcome, self.row.pk, self.row.version) if self.row else (self.outcome, None, None)

    def refuse(self, column: str, code: str, /, **params: Any) -> None:
        self.outcome = REFUSED
        self.changes = []
        self.errors.append(FieldError(column, code, params))


class RowValidator:
    """Validates a file's rows batch by batch. Remembers the unique values of earlier rows, to find duplicates."""

    def __init__(self, catalog: CatalogDefinition[Any], by: Principal, *, lock: bool = False) -> None:
        self.catalog = catalog
        self.by = by
        self.may = {
            NEW: by.holds(catalog.needed("Create")),
            CHANGED: by.holds(catalog.needed("Update")),
        }
        self.lock = lock
        self.registers: Registers = catalog.registers()
        self.unique_fields = tuple(catalog.unique_fields.values())
        self.seen: dict[tuple[str, str], int] = {}

    def batch(self, rows: Iterable[tuple[int, Cells]]) -> list[RowResult]:
        """Validate at most `BATCH` rows. The number of queries does not grow with the number of rows."""
        results = [RowResult(number, cells) for number, cells in rows]
        for name in {name for column in self.catalog.read_columns for name, _ in self._mentioned(results, column)}:
            self.registers[name].learn(
                text
                for column in self.catalog.read_columns
                for one, text in self._mentioned(results, column)
                if one == name
            )
        keyed = [(one, self._body(one)) for one in results]
        bodies = [body for one, body in keyed if not one.errors]
        records = {field: self._records(field, bodies) for field in self.unique_fields}
        for one, body in keyed:
            if not one.errors:
                self._validate(one, body, records)
        accepted = [one for one in results if not one.errors]
        for index, error in self.catalog.import_errors([one.fields for one in accepted], self.by):
            accepted[index].refuse(error.field, error.code, **error.params)
        changed = [one for one in accepted if one.row and not one.errors]
        pairs = [(one.row, self.catalog.stored(one.fields, self.registers)) for one in changed]
        for index, error in self.catalog.forbidden(pairs):
            changed[index].refuse(_in_columns(self.catalog, error.field.split(".")), error.code, **error.params)
        return results

    def left_out(self, number: int, cells: Cells) -> RowResult:
        """Return the doubtful result of a row that is not validated, because it may not belong to the list."""
        key, label = (_line(text_of(cells.get(name))) for name in (self.catalog.key, self.catalog.label))
        return RowResult(number, cells, DOUBTFUL, key, label)

    @staticmethod
    def _mentioned(results: Sequence[RowResult], column: Any) -> Iterable[tuple[str, str]]:
        for one in results:
            cell = one.cells.get(column.key)
            yield from (name for name in column.mentions(cell) if not [*unstorable_texts(name[1])])

    def _body(self, one: RowResult) -> dict[str, Any]:
        """Build a request body from the row. Refuses the row if a cell cannot be read."""
        body: dict[str, Any] = {}
        for column in self.catalog.read_columns:
            if column.key not in one.cells:
                continue
            cell = one.cells[column.key]
            try:
                if [*unstorable_texts(cell)]:
                    raise BadCell("invalid_text")
                if erases(cell):
                    body[column.field] = ERASED
                elif filled(cell):
                    body[column.field] = column.read(cell, self.registers)
            except BadCell as bad:
                one.refuse(column.key, bad.code, **bad.params)
        self._take_currencies(one, body)
        one.key, one.label = (
            "" if body.get(name) is ERASED else _line(body.get(name)) for name in (self.catalog.key, self.catalog.label)
        )
        return body

    def _take_currencies(self, one: RowResult, body: dict[str, Any]) -> None:
        """Use the currency that an amount names (`USD 12`) if the currency column is blank.

        Refuse the row if an amount names another currency than the row's.
        """
        own_column = "currency" in self.catalog.heads
        for column in self.catalog.read_columns:
            amount = body.get(column.field)
            named = currency_named(one.cells[column.key]) if isinstance(amount, Decimal) else None
            if named in currency_codes() and own_column:
                body.setdefault("currency", named)
            meant = body.get("currency") if own_column else plant_currency()
            if named and meant != named:
                one.refuse(column.key, "other_currency", currency=named)

    def _records(self, name: str, bodies: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Return the records with a value of the batch in the unique column `name`, keyed by the value's `name_key`."""
        names = {str(body.get(name, "")) for body in bodies} - {""}
        if not names:
            return {}
        rows: QuerySet[Any] = self.catalog.rows()
        if self.lock and name == self.catalog.found_by:
            rows = rows.select_for_update(of=("self",)).order_by("pk")
        return {name_key(getattr(row, name)): row for row in rows.filter(**{f"{name}__name_key__in": names})}

    def _validate(self, one: RowResult, body: dict[str, Any], records: dict[str, dict[str, Any]]) -> None:
        catalog = self.catalog
        row = records[catalog.found_by].get(name_key(str(body.get(catalog.found_by, ""))))
        model = catalog.change if row else catalog.body
        for column in catalog.read_columns:
            if body.get(column.field) is ERASED:
                if row and column.value(row) == one.cells[column.key]:
                    del body[column.field]  # the record's value is this very text, for example a dash
                else:
                    body[column.field] = _empty(catalog, column)
        try:
            fields = written(model.model_validate(body))
        except ValidationError as error:
            for wrong in error.errors():
                code, params = code_of(wrong)
                one.refuse(_in_columns(catalog, map(str, wrong["loc"])), code, **params)
            return
        for unfit in catalog.errors(row or catalog.model(), fields):
            one.refuse(_in_columns(catalog, unfit.field.split(".")), unfit.code, **unfit.params)
        self._refuse_duplicates(one, fields, row, records)
        if one.errors:
            return
        one.row, one.fields = row, fields
        for column in catalog.read_columns:
            if column.field in body:
                before = column.value(row) if row else None
                after = column.proposed(fields, self.registers)
                if before != after and (row or after != ""):
                    one.changes.append({"field": column.key, "before": shown(before), "after": shown(after)})
        one.outcome = NEW if row is None else CHANGED if one.changes else UNCHANGED
        # Refuse unchanged rows too: "unchanged" would reveal the record's values to users who may not read it.
        if not self.may[CHANGED if row else NEW]:
            one.refuse(catalog.key, "permission_denied")

    def _refuse_duplicates(
        self, one: RowResult, fields: dict[str, Any], row: Any, records: dict[str, dict[str, Any]]
    ) -> None:
        """Refuse the row if a unique field repeats a value of an earlier row or of another record."""
        for name in (*self.unique_fields, *self.catalog.once_in_file):
            if not fields.get(name):
                continue
            value = name_key(str(fields[name]))
            first = self.seen.setdefault((name, value), one.number)
            if first != one.number:
                one.duplicate = first
                one.refuse(name, "duplicate_row", row=first)
            other = records.get(name, {}).get(value)
            if other is not None and (row is None or other.pk != row.pk):
                one.refuse(name, "already_exists")


def _in_columns(catalog: CatalogDefinition[Any], path: Iterable[str]) -> str:
    """Return the path of a body's field with the name of its column: `alloyId` is `alloy`."""
    columns = {column.field: column.key for column in catalog.read_columns}
    first, *rest = path
    return ".".join([columns.get(first, first), *rest])


def _empty(catalog: CatalogDefinition[Any], column: CatalogColumn) -> Any:
    """Return the value of an emptied field: a new record's default, or "" if the body requires the field."""
    field = catalog.body.model_fields[to_snake(column.field)]
    if field.is_required():
        return ""
    return plant_currency() if column.field == "currency" else field.get_default(call_default_factory=True)


def _line(value: Any) -> str:
    """Return a value as a text for a list: at most 200 letters, without those that the database cannot store."""
    text = str(value if value is not None else "")[:200]
    return "".join(" " if letter == "\x00" or "\ud800" <= letter <= "\udfff" else letter for letter in text)
