"""Adds the first rows of the short lists and the search indexes."""

from django.db import migrations

from project.catalogs import terms
from project.core.searching import ensure_indexes

SEARCHED = (
    "catalogs_company",
    "catalogs_component",
    "catalogs_customer",
    "catalogs_exporttaxitem",
    "catalogs_item",
    "catalogs_material",
    "catalogs_productionprocess",
)
FIRST_ROWS = {
    "CustomerType": terms.CUSTOMER_TYPES,
    "TaxSection": terms.FISCAL_REGIMES,
    "ReleaseReason": terms.RELEASE_REASONS,
    "ScrapReason": terms.SCRAP_REASONS,
}


def fill(apps, schema_editor):
    for model, terms_of_it in FIRST_ROWS.items():
        table = apps.get_model("catalogs", model)
        table.objects.bulk_create(
            table(key=term.code, name_spanish=term.name_es, name_english=term.name_en) for term in terms_of_it
        )


def index(apps, schema_editor):
    ensure_indexes(schema_editor.connection, SEARCHED)


class Migration(migrations.Migration):
    accepted = {"batches": "a few first rows, into empty tables"}
    dependencies = [("catalogs", "0001_initial")]

    operations = [
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunPython(index, migrations.RunPython.noop),
    ]
