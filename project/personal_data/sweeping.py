"""Removes a person's names from the free text of every table. New columns are included automatically."""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_

from django.apps import apps
from django.db.models import CharField, Field, JSONField, Model, Q, TextField
from django.db.models.functions import Cast

from project.personal_data.rules import Names

OTHERS_OWN = frozenset({"catalogs", "displays", "identity", "metal", "contenttypes", "sessions", "auth"})
"""Apps whose records have names of their own: a customer may have the same name as an employee."""
WRITTEN_FREELY = frozenset(
    {
        "certifier_name",
        "description",
        "description_english",
        "description_spanish",
        "document",
        "english_description",
        "notes",
        "partner",
        "reason",
        "spanish_description",
        "supplier",
    }
)
"""The free-text columns of `OTHERS_OWN`, which are swept too."""
OF_PARTNERS = frozenset({"metal_account.name"})
"""Names of partners and suppliers, who may be people of the workshop: swept as texts."""
EMPTIED = frozenset({"certifier_name"})
"""Names of people who sign for the workshop. They are emptied, so that no paper is signed by an erased person."""
COPIED = "issued"
"""The columns with a bill's or payment's copy of other records: an issued paper does not change."""


def sweep(names: Names) -> None:
    """Replace the names in every text and JSON column.

    Skips `COPIED`. In the apps of `OTHERS_OWN` only `WRITTEN_FREELY` and `OF_PARTNERS` are swept.
    1 query per table, and 1 per row that contains a name.
    """
    for model in apps.get_models() if names.parts else ():
        if not model._meta.proxy and (fields := list(_texts(model))):
            _sweep(model, fields, names)


def _texts(model: type[Model]) -> Iterator[Field]:
    others_own = model._meta.app_label in OTHERS_OWN
    for field in model._meta.concrete_fields:
        kept = field.name == COPIED or field.primary_key or field.is_relation or field.generated or bool(field.choices)
        of_partners = f"{model._meta.db_table}.{field.column}" in OF_PARTNERS
        kept = kept or (others_own and field.name not in WRITTEN_FREELY and not of_partners)
        if isinstance(field, CharField | TextField | JSONField) and not kept and not _is_short(field):
            yield field


def _is_short(field: Field) -> bool:
    """Return whether the column is too short for a name: codes, kinds and digests."""
    return field.max_length is not None and field.max_length < 60


def _sweep(model: type[Model], fields: list[Field], names: Names) -> None:
    plain = {f"{field.name}_swept": Cast(field.name, TextField()) for field in fields}
    written = reduce(or_, (_has(name, parts, names.escaped) for name in plain for parts in names.parts))
    rows = model._base_manager.alias(**plain).filter(written).only("pk", *(field.name for field in fields))
    for row in rows.iterator():
        values = {field.name: getattr(row, field.name) for field in fields}
        without = {name: names.replaced(value) for name, value in values.items()}
        changed = {
            field.name: "" if field.name in EMPTIED else _fitting(without[field.name], field)
            for field in fields
            if without[field.name] != values[field.name]
        }
        if changed:
            model._base_manager.filter(pk=row.pk).update(**changed)


def _has(column: str, words: Iterable[str], escaped: Mapping[str, Iterable[str]]) -> Q:
    """Match rows whose column contains all of the words."""
    every = Q()
    for word in words:
        forms = (Q(**{f"{column}__icontains": form}) for form in escaped[word])
        every &= reduce(or_, forms, Q(**{f"{column}__folded__contains": word}))
    return every


def _fitting(value: object, field: Field) -> object:
    return value[: field.max_length] if isinstance(value, str) else value
