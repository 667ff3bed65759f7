"""Compares names by `NameKey`, so that names that look the same count as one."""

import django.db.models.functions.comparison
import django.db.models.functions.text
import project.core.spanish
from django.db import migrations, models

from project.core.constraints import number_twins
from project.core.operations import AlterGeneratedField
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
NAMES = {
    "Company": ("name",),
    "Component": ("name",),
    "Customer": ("name",),
    "Item": ("key", "name"),
    "Material": ("name",),
    "ProductionProcess": ("name",),
}


def number(apps, schema_editor):
    for model, fields in NAMES.items():
        for field in fields:
            number_twins(apps.get_model("catalogs", model).objects.all(), field)


def index(apps, schema_editor):
    ensure_indexes(schema_editor.connection, SEARCHED)


class Migration(migrations.Migration):
    accepted = {
        "batches": "two names that people read as one are rare, and read once",
        "require-concurrent-index-creation": "an index of names, and a column that is computed again: a second for 100,000 rows",
        "require-concurrent-index-deletion": "an index of names, and a column that is computed again: a second for 100,000 rows",
        "ban-drop-column": "an index of names, and a column that is computed again: a second for 100,000 rows",
        "adding-field-with-default": "an index of names, and a column that is computed again: a second for 100,000 rows",
    }
    dependencies = [
        ('catalogs', '0002_short_lists_and_search'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='company',
            name='company_name_once',
        ),
        migrations.RemoveConstraint(
            model_name='component',
            name='component_name_once',
        ),
        migrations.RemoveConstraint(
            model_name='customer',
            name='customer_name_once',
        ),
        migrations.RemoveConstraint(
            model_name='customertype',
            name='customertype_key_once',
        ),
        migrations.RemoveConstraint(
            model_name='exporttaxitem',
            name='export_tax_item_code_once',
        ),
        migrations.RemoveConstraint(
            model_name='item',
            name='item_key_once',
        ),
        migrations.RemoveConstraint(
            model_name='item',
            name='item_name_once',
        ),
        migrations.RemoveConstraint(
            model_name='material',
            name='material_name_once',
        ),
        migrations.RemoveConstraint(
            model_name='productionprocess',
            name='production_process_name_once',
        ),
        migrations.RemoveConstraint(
            model_name='releasereason',
            name='releasereason_key_once',
        ),
        migrations.RemoveConstraint(
            model_name='scrapreason',
            name='scrapreason_key_once',
        ),
        migrations.RemoveConstraint(
            model_name='taxsection',
            name='taxsection_key_once',
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        AlterGeneratedField(
            model_name='company',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.text.Concat(django.db.models.functions.comparison.Cast('name', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('legal_name', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('tax_id', models.TextField())))), output_field=models.TextField()),
        ),
        AlterGeneratedField(
            model_name='component',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.comparison.Cast('name', models.TextField()))), output_field=models.TextField()),
        ),
        AlterGeneratedField(
            model_name='customer',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.text.Concat(django.db.models.functions.comparison.Cast('name', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('tax_id', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('quinto', models.TextField())))), output_field=models.TextField()),
        ),
        AlterGeneratedField(
            model_name='customertype',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.text.Concat(django.db.models.functions.comparison.Cast('key', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('name_spanish', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('name_english', models.TextField())))), output_field=models.TextField()),
        ),
        AlterGeneratedField(
            model_name='exporttaxitem',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.text.Concat(django.db.models.functions.comparison.Cast('code', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('spanish_description', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('english_description', models.TextField())))), output_field=models.TextField()),
        ),
        AlterGeneratedField(
            model_name='item',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.text.Concat(django.db.models.functions.comparison.Cast('key', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('name', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('description_spanish', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('description_english', models.TextField())))), output_field=models.TextField()),
        ),
        AlterGeneratedField(
            model_name='material',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.text.Concat(django.db.models.functions.comparison.Cast('name', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('description', models.TextField())))), output_field=models.TextField()),
        ),
        AlterGeneratedField(
            model_name='productionprocess',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.comparison.Cast('name', models.TextField()))), output_field=models.TextField()),
        ),
        AlterGeneratedField(
            model_name='releasereason',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.text.Concat(django.db.models.functions.comparison.Cast('key', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('name_spanish', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('name_english', models.TextField())))), output_field=models.TextField()),
        ),
        AlterGeneratedField(
            model_name='scrapreason',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.text.Concat(django.db.models.functions.comparison.Cast('key', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('name_spanish', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('name_english', models.TextField())))), output_field=models.TextField()),
        ),
        AlterGeneratedField(
            model_name='taxsection',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=project.core.spanish.Folded(project.core.spanish.NameKey(django.db.models.functions.text.Concat(django.db.models.functions.comparison.Cast('key', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('name_spanish', models.TextField()), models.Value('\n', output_field=models.TextField()), django.db.models.functions.comparison.Cast('name_english', models.TextField())))), output_field=models.TextField()),
        ),
        migrations.AddConstraint(
            model_name='company',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('name'), name='company_name_once'),
        ),
        migrations.AddConstraint(
            model_name='component',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('name'), name='component_name_once'),
        ),
        migrations.AddConstraint(
            model_name='customer',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('name'), name='customer_name_once'),
        ),
        migrations.AddConstraint(
            model_name='customertype',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('key'), name='customertype_key_once'),
        ),
        migrations.AddConstraint(
            model_name='exporttaxitem',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('code'), name='export_tax_item_code_once'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('key'), name='item_key_once'),
        ),
        migrations.AddConstraint(
            model_name='item',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('name'), name='item_name_once'),
        ),
        migrations.AddConstraint(
            model_name='material',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('name'), name='material_name_once'),
        ),
        migrations.AddConstraint(
            model_name='productionprocess',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('name'), name='production_process_name_once'),
        ),
        migrations.AddConstraint(
            model_name='releasereason',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('key'), name='releasereason_key_once'),
        ),
        migrations.AddConstraint(
            model_name='scrapreason',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('key'), name='scrapreason_key_once'),
        ),
        migrations.AddConstraint(
            model_name='taxsection',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('key'), name='taxsection_key_once'),
        ),
        migrations.RunPython(index, migrations.RunPython.noop),
    ]
