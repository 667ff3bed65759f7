"""What one catalog is. Routes, writes, files, import, workbook, events and repeated requests follow from it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db.models import QuerySet, UniqueConstraint
from pydantic.alias_generators import to_snake

from project.access.guard import Requires
from project.access.permissions import Permission
from project.access.principal import Principal
from project.audit import services as audit
from project.catalogs.cells import Registers
from project.catalogs.columns import CatalogColumn
from project.catalogs.schemas import CatalogQuery, PicturedOut, picture_fields
from project.catalogs.selectors import BY_NAME
from project.core.errors import FieldError
from project.core.exporting import Column, ExportQuery
from project.core.options import NAME, Options, Shown
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
    """One catalog. Its model says what must be unique; the first unique field is the key that an import finds a record
    by."""

    name: str
    """The name in paths, events, the audit and files: `export-tax-items`."""
    model: type[Entry]
    body: type[In]
    answer: type[Out]
    columns: tuple[Column[Any], ...]
    """The columns of its file, of rows loaded by `rows`. The import reads those that are `CatalogColumn`s."""
    reads: Permission | None
    """The permission to read it; None: any of the staff may."""
    permission: str = ""
    """Ends the names of the permissions to create, update and delete; the model's name if empty."""
    instead: Mapping[str, str] = field(default_factory=dict)
    """Verbs that need another verb's permission: `{"Delete": "Update"}`."""
    told: frozenset[Permission] = frozenset()
    """The permissions that receive its events, if any of the staff may read it."""
    on_board: tuple[str, ...] = ()
    """The fields that the shop-floor board shows."""

    queryset: Callable[[], QuerySet[Entry]] | None = None
    present: Callable[[Any], Any] | None = None
    """Makes an entry's answer. The default takes the attributes and the addresses of the picture."""
    orderings: Orderings = BY_NAME
    query: type[ExportQuery] = CatalogQuery
    guard: type[Requires] = Requires
    narrow: Callable[[QuerySet[Entry], Any, Principal], QuerySet[Entry]] = lambda rows, query, by: rows
    """Filters of its list beyond search and status."""
    listed: Callable[[Any, Principal], Any] = lambda shown, by: shown
    """Leaves out of a listed entry what its reader may not know."""
    option: Shown = NAME
    """What names its entries in select boxes."""
    option_place: str | None = None
    """The column of their `ordering=place`."""

    check: Callable[[Fields], None] = lambda fields: None
    fill_in: Callable[[Sequence[Entry]], None] = lambda rows: None
    """Gives rows that are about to be written the values that their caller left to the server."""
    errors: Callable[[Entry, Fields], Iterable[FieldError]] = lambda row, fields: ()
    """What is wrong with `fields` together with what `row`, a stored or new entry, keeps."""
    related_fields: frozenset[str] = frozenset()
    write_related: Callable[[Sequence[tuple[Any, Fields]], Principal], None] = lambda rows, by: None
    related_snapshot: Callable[[Any], dict[str, Any]] = lambda row: {}
    publish_related: Callable[[audit.Snapshot | None, audit.Snapshot | None, Principal], None] = (
        lambda before, after, by: None
    )
    """Publishes more events of a change, from what the audit keeps of the entry before and after it."""

    example: Callable[[], tuple[str, ...]] = lambda: ()
    """A row of the import's template in the caller's language."""
    label: str = "name"
    """The column that an import's preview shows beside the key."""
    registers: Callable[[], Registers] = dict
    """The records of other catalogs that its columns name."""
    stored: Callable[[Fields, Registers], Fields] = lambda fields, registers: fields
    """Turns an imported row's fields into columns of the database."""
    also_called: Mapping[str, str] = field(default_factory=dict)
    """Heads of published lists: folded head → column."""
    passed_over: frozenset[str] = frozenset()
    """Heads of published lists that say nothing we keep."""
    codes: frozenset[str] = frozenset()
    """Columns of tariff codes."""

    def __post_init__(self) -> None:
        CATALOGS[self.name] = self
        list_published(self.name, self.told or frozenset([self.reads] if self.reads else []), on_board=self.on_board)

    @property
    def slug(self) -> str:
        """Begins the names of its operations: `export_tax_item`."""
        return to_snake(self.model.__name__)

    @cached_property
    def change(self) -> type[In]:
        return changes(self.body)

    @cached_property
    def unique_fields(self) -> Mapping[str, str]:
        """Constraint → field."""
        return {
            constraint.name: constraint.expressions[0].get_source_expressions()[0].name  # type: ignore[union-attr]
            for constraint in self.model._meta.constraints
            if isinstance(constraint, UniqueConstraint)
        }

    @property
    def key(self) -> str:
        return next(iter(self.unique_fields.values()))

    @cached_property
    def read_columns(self) -> tuple[CatalogColumn, ...]:
        """The columns that the import reads."""
        return tuple(column for column in self.columns if isinstance(column, CatalogColumn))

    @property
    def importable(self) -> bool:
        return bool(self.read_columns)

    @property
    def heads(self) -> tuple[str, ...]:
        """The names of the columns that the import reads."""
        return tuple(column.key for column in self.read_columns)

    @property
    def flag(self) -> str | None:
        """The field that says whether an entry can be chosen; None: all can."""
        return next((flag for flag in ("status", "active") if flag in self.query.model_fields), None)

    @property
    def options(self) -> Options:
        return Options(self.model, self.option, self.flag, place=self.option_place)

    @cached_property
    def _attributes(self) -> tuple[str, ...]:
        """The attributes of an entry that its answer has."""
        pictured = PicturedOut.model_fields if issubclass(self.answer, PicturedOut) else {}
        return tuple(name for name in self.answer.model_fields if name not in pictured)

    def rows(self) -> QuerySet[Entry]:
        return self.queryset() if self.queryset else self.model._default_manager.defer("search_text")

    def answer_of(self, row: Entry) -> Any:
        if self.present:
            return self.present(row)
        shown = {name: getattr(row, name) for name in self._attributes}
        return self.answer(**shown, **picture_fields(row)) if isinstance(row, Pictured) else self.answer(**shown)

    def needed(self, verb: str) -> Permission:
        """The permission to create, update or delete an entry; `verb`: `Create`, `Update`, `Delete`."""
        return Permission(self.instead.get(verb, verb) + (self.permission or self.model.__name__))

    def columns_of(self, fields: Fields) -> Fields:
        """The fields that are columns of the row itself."""
        return {name: value for name, value in fields.items() if name not in self.related_fields}

    def snapshot(self, row: Entry) -> audit.Snapshot:
        """What the audit keeps of an entry loaded by `rows`."""
        return audit.snapshot(row, **self.related_snapshot(row))
