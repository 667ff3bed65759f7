"""Adds the first alloys, and the search index of alloys."""

from django.db import migrations

from project.catalogs import terms
from project.core.searching import ensure_indexes


def index(apps, schema_editor):
    ensure_indexes(schema_editor.connection, ["catalogs_alloy"])


def fill(apps, schema_editor):
    table = apps.get_model("catalogs", "Alloy")
    table.objects.bulk_create(
        table(name=name, fineness=fineness, wax_ratio=wax_ratio) for name, fineness, wax_ratio in terms.ALLOYS
    )


class Migration(migrations.Migration):
    accepted = {"batches": "a few first rows, into an empty table"}
    dependencies = [("catalogs", "0007_alloys")]

    operations = [
        migrations.RunPython(index, migrations.RunPython.noop),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
