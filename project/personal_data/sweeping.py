"""Takes a person's names out of what people wrote freely, in every table there is: a new column is swept by itself."""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from operator import or_

from django.apps import apps
from django.db.models import CharField, Field, JSONField, Model, Q, TextField
from django.db.models.functions import Cast

from project.personal_data.rules import Names

OTHERS_OWN = frozenset({"catalogs", "displays", "identity", "contenttypes", "sessions", "auth"})
"""Apps whose rows are things with names of their own: a customer may be called as somebody of the staff is."""
WRITTEN_FREELY = frozenset(
    {
        "description",
        "description_english",
        "description_spanish",
        "english_description",
        "notes",
        "spanish_description",
    }
)
"""Columns of those apps in which people write sentences: they are swept too."""
COPIED = "issued"
"""Columns with what a bill or a payment says of such rows: an issued paper does not change."""


def sweep(names: Names) -> None:
    """Replace the names in every text and JSON column without `COPIED`; of `OTHERS_OWN` in what is `WRITTEN_FREELY`.
    1 query a table, and 1 for each row that names the person."""
    for model in apps.get_models() if names.parts else ():
        if not model._meta.proxy and (fields := list(_texts(model))):
            _sweep(model, fields, names)


def _texts(model: type[Model]) -> Iterator[Field]:
    others_own = model._meta.app_label in OTHERS_OWN
    for field in model._meta.concrete_fields:
        kept = field.name == COPIED or field.primary_key or field.is_relation or field.generated or bool(field.choices)
        kept = kept or (others_own and field.name not in WRITTEN_FREELY)
        if isinstance(field, CharField | TextField | JSONField) and not kept and not _is_short(field):
            yield field


def _is_short(field: Field) -> bool:
    """Codes, kinds and digests: too short for a name."""
    return field.max_length is not None and field.max_length < 60


def _sweep(model: type[Model], fields: list[Field], names: Names) -> None:
    plain = {f"{field.name}_swept": Cast(field.name, TextField()) for field in fields}
    written = reduce(or_, (_has(name, parts, names.escaped) for name in plain for parts in names.parts))
    rows = model._base_manager.alias(**plain).filter(written).only("pk", *(field.name for field in fields))
    for row in rows.iterator():
        values = {field.name: getattr(row, field.name) for field in fields}
        without = {name: names.replaced(value) for name, value in values.items()}
        changed = {
            field.name: _fitting(without[field.name], field)
            for field in fields
            if without[field.name] != values[field.name]
        }
        if changed:
            model._base_manager.filter(pk=row.pk).update(**changed)


def _has(column: str, words: Iterable[str], escaped: Mapping[str, Iterable[str]]) -> Q:
    """All of the words stand in the column."""
    every = Q()
    for word in words:
        forms = (Q(**{f"{column}__icontains": form}) for form in escaped[word])
        every &= reduce(or_, forms, Q(**{f"{column}__folded__contains": word}))
    return every


def _fitting(value: object, field: Field) -> object:
    return value[: field.max_length] if isinstance(value, str) else value
