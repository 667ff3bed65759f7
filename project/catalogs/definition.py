"""Defines a catalog. Its routes, writes, files, import, workbook and events are derived from the definition."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import QuerySet, UniqueConstraint
from django.http import HttpRequest
from pydantic.alias_generators import to_snake

from project.access.guard import Requires
from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit import services as audit
from project.catalogs.cells import Cells, Registers
from project.catalogs.columns import CatalogColumn
from project.catalogs.heads import Heads
from project.catalogs.schemas import CatalogQuery, PicturedOut, picture_fields
from project.catalogs.selectors import BY_NAME
from project.core.errors import FieldError
from project.core.exporting import Column, ExportQuery
from project.core.options import NAME, OptionOut, Options, Shown
from project.core.pagination import Orderings
from project.core.pictures import Pictured
from project.core.schemas import In, Out, changes
from project.core.versions import Versioned
from project.events import list_published

Fields = dict[str, Any]

CATALOGS: dict[str, "CatalogDefinition[Any]"] = {}
"""Every catalog by its name. Each domain's `definitions.py` fills it when the process starts."""


@dataclass(frozen=True, kw_only=True)
class CatalogDefinition[Entry: Versioned]:
    """One catalog. The constraints of its model declare the unique fields. Imports find records by the first field."""

    name: str
    """The name in paths, events, the audit and files: `export-tax-items`."""
    model: type[Entry]
    body: type[In]
    answer: type[Out]
    columns: tuple[Column[Any], ...]
    """The columns of the file, for rows loaded by `rows`. The import reads only `CatalogColumn`s."""
    reads: Permission | None
    """The permission to read the catalog. None: all staff may read it, and `open_because` says why."""
    open_because: str = ""
    permission: str = ""
    """The suffix of the permissions to create, update and delete. Empty: the model's name."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """Verbs that are checked with the permission of another verb: `{"Delete": "Update"}`."""
    told: frozenset[Permission] = frozenset()
    """The permissions whose holders receive the catalog's events. Empty: the holders of `reads`."""
    on_board: tuple[str, ...] = ()
    """The fields that the shop-floor board shows."""

    queryset: Callable[[], QuerySet[Entry]] | None = None
    present: Callable[[Any], Out] | None = None
    """Builds an entry's answer. The default copies the attributes and adds the picture's addresses."""
    orderings: Orderings = BY_NAME
    query: type[ExportQuery] = CatalogQuery
    guard: Callable[..., Requires] = Requires
    searched: tuple[str, ...] = ()
    """The texts that the list's search looks at, if they are not those of `search_text`."""
    narrow: Callable[[QuerySet[Entry], Any, Principal], QuerySet[Entry]] = lambda rows, query, by: rows
    """Applies the list's filters other than search and status."""
    listed: Callable[[Any, Principal], Out] = lambda shown, by: shown
    """Removes from a listed answer what the caller may not read."""
    option: Shown = NAME
    """The name of an entry in select boxes."""
    option_place: str | None = None
    """The column that `ordering=place` sorts select boxes by."""
    option_schema: type[OptionOut] = OptionOut
    narrow_options: Callable[[QuerySet[Any], HttpRequest], QuerySet[Any]] = lambda rows, request: rows
    """Leaves out the options that the caller of the request may not read."""

    check: Callable[[Fields], None] = lambda fields: None
    fill_in: Callable[[Sequence[Entry]], None] = lambda rows: None
    """Fills in the values that the caller left to the server, before the rows are written."""
    errors: Callable[[Entry, Fields], Iterable[FieldError]] = lambda row, fields: ()
    """Returns the errors that `fields` cause together with the other values of `row`, a stored or new entry."""
    in_use: list[Callable[[Sequence[tuple[Entry, Fields]]], Iterable[tuple[int, FieldError]]]] = field(
        default_factory=list
    )
    """Checks of the domains that use the entries. They add them when the process starts.

    A check gets stored entries with the columns to write. It returns an error, with the entry's index, for each change
    that other records forbid. Its number of queries does not grow with the number of entries.
    """
    before_delete: list[Callable[[Entry, Principal], None]] = field(default_factory=list)
    """What other domains end before a locked entry is deleted. They add it when the process starts."""
    related_fields: frozenset[str] = frozenset()
    write_related: Callable[[Sequence[tuple[Any, Fields]], Principal], None] = lambda rows, by: None
    related_snapshot: Callable[[Any], dict[str, Any]] = lambda row: {}
    publish_related: Callable[[audit.Snapshot | None, audit.Snapshot | None, Principal], None] = (
        lambda before, after, by: None
    )
    """Publishes the further events of a change. Gets the audit's snapshots before and after the change."""

    example: Callable[[], tuple[str, ...]] = lambda: ()
    """Returns the example row of the import's template, in the caller's language."""
    label: str = "name"
    """The column that an import's preview shows next to the key."""
    registers: Callable[[], Registers] = dict
    """Returns, by register, a `Names` for each catalog that the columns refer to by name."""
    stored: Callable[[Fields, Registers], Fields] = lambda fields, registers: fields
    """Turns an imported row's fields into database columns."""
    also_called: Mapping[str, str] = field(default_factory=dict)
    """Maps headings of published lists to columns."""
    passed_over: frozenset[str] = frozenset()
    """Headings of published lists that the import ignores."""
    proposed: Heads = field(default_factory=dict)
    """For each column, headings that probably mean it: the import proposes the column, and the user confirms it."""
    once_in_file: tuple[str, ...] = ()
    """Further fields with unique values: an import accepts each value of them once."""
    import_errors: Callable[[Sequence[Fields], Principal], Iterable[tuple[int, FieldError]]] = lambda rows, by: ()
    """Returns errors that depend on the rights of the importing user, each with the index of its row."""
    last_errors: Callable[[Iterable[tuple[int, Cells]], Principal], Mapping[int, FieldError]] = lambda rows, by: {}
    """Returns errors that are found only when a preview is applied, by row number. Called outside of transactions."""
    write_imported: Callable[[Sequence[Fields], Principal], None] | None = None
    """Writes the new rows of an import instead of `bulk.entries_write`."""
    codes: frozenset[str] = frozenset()
    """Columns that contain tariff codes."""

    def __post_init__(self) -> None:
        CATALOGS[self.name] = self
        list_published(self.name, self.told or frozenset([self.reads] if self.reads else []), on_board=self.on_board)

    @property
    def file(self) -> str:
        """The name of its file and of its sheet, without an ending."""
        return self.name.replace("/", "-")

    @property
    def slug(self) -> str:
        """The prefix of the catalog's operation ids: `export_tax_item`."""
        return to_snake(self.model.__name__)

    @cached_property
    def change(self) -> type[In]:
        return changes(self.body)

    @cached_property
    def unique_fields(self) -> Mapping[str, str]:
        """Maps the name of each unique constraint to its field."""
        return {
            constraint.name: constraint.expressions[0].get_source_expressions()[0].name  # type: ignore[union-attr]
            for constraint in self.model._meta.constraints
            if isinstance(constraint, UniqueConstraint)
        }

    @property
    def found_by(self) -> str:
        """The unique field by which an import finds a record."""
        return next(iter(self.unique_fields.values()))

    @property
    def key(self) -> str:
        """The column that an imported file must have."""
        return self.found_by

    @cached_property
    def read_columns(self) -> tuple[CatalogColumn, ...]:
        """The columns that the import reads."""
        return tuple(column for column in self.columns if isinstance(column, CatalogColumn))

    def current(self) -> "CatalogDefinition[Entry]":
        """Return the definition with the columns that its file has now.

        Only the grid of piece prices differs: it has a column for each active process.
        """
        return self

    @property
    def importable(self) -> bool:
        return bool(self.read_columns)

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the columns that the import reads."""
        return tuple(column.key for column in self.read_columns)

    @property
    def flag(self) -> str | None:
        """The field that says whether forms offer an entry. None: they offer all entries."""
        return next((flag for flag in ("status", "active") if flag in self.query.model_fields), None)

    @property
    def options(self) -> Options:
        return Options(
            self.model,
            self.option,
            self.flag,
            place=self.option_place,
            schema=self.option_schema,
            narrow=self.narrow_options,
        )

    @cached_property
    def _attributes(self) -> tuple[str, ...]:
        """The names of the attributes that the answer copies from an entry. `kind` is left out, as a constant."""
        pictured = PicturedOut.model_fields if issubclass(self.answer, PicturedOut) else {}
        return tuple(name for name in self.answer.model_fields if name not in pictured and name != "kind")

    def rows(self) -> QuerySet[Entry]:
        return self.queryset() if self.queryset else self.model._default_manager.defer("search_text")

    def answer_of(self, row: Entry) -> Out:
        if self.present:
            return self.present(row)
        shown = {name: getattr(row, name) for name in self._attributes}
        return self.answer(**shown, **picture_fields(row)) if isinstance(row, Pictured) else self.answer(**shown)

    def needed(self, verb: str) -> Permission:
        """Return the permission that a write needs; `verb`: `Create`, `Update` or `Delete`."""
        return Permission(self.instead.get(verb, verb) + (self.permission or self.model.__name__))

    def columns_of(self, fields: Fields) -> Fields:
        """Return the fields that are columns of the row itself."""
        return {name: value for name, value in fields.items() if name not in self.related_fields}

    def forbidden(self, changes: Sequence[tuple[Entry, Fields]]) -> Iterable[tuple[int, FieldError]]:
        """Yield the errors of all checks in `in_use`, each with the index of its change."""
        for check in self.in_use if changes else ():
            yield from check(changes)

    def snapshot(self, row: Entry) -> audit.Snapshot:
        """Return the audit's snapshot of an entry loaded by `rows`."""
        return audit.snapshot(row, **self.related_snapshot(row))
