"""Compare PO#s as people read them."""

import django.db.models.functions.comparison
import project.core.spanish
from django.db import migrations, models

from project.core.constraints import number_twins
from project.core.operations import AlterGeneratedField
from project.core.searching import ensure_indexes


def number(apps, schema_editor):
    number_twins(apps.get_model("orders", "SalesOrder").objects.all(), "customer_sales_order_id", "customer_id")


def index(apps, schema_editor):
    ensure_indexes(schema_editor.connection, ["orders_salesorder"])


class Migration(migrations.Migration):
    accepted = {
        "batches": "two names that people read as one are rare, and read once",
        "require-concurrent-index-creation": "an index of names, and a column that is computed again: a second for 100,000 rows",
        "require-concurrent-index-deletion": "an index of names, and a column that is computed again: a second for 100,000 rows",
        "ban-drop-column": "an index of names, and a column that is computed again: a second for 100,000 rows",
        "adding-field-with-default": "an index of names, and a column that is computed again: a second for 100,000 rows",
    }
    dependencies = [
        ('catalogs', '0003_names_as_read'),
        ('orders', '0003_record_exit_released'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='salesorder',
            name='sales_order_po_once_per_customer',
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        AlterGeneratedField(
            model_name='salesorder',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.comparison.Cast('customer_sales_order_id', models.TextField()))), output_field=models.TextField()),
        ),
        migrations.AddConstraint(
            model_name='salesorder',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('customer_sales_order_id'), models.F('customer'), name='sales_order_po_once_per_customer'),
        ),
        migrations.RunPython(index, migrations.RunPython.noop),
    ]
