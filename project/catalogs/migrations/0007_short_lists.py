import django.db.models.functions.comparison
import django.db.models.functions.text
import project.core.spanish
from django.db import migrations, models

from project.catalogs import terms

FIRST_ROWS = {
    'CustomerType': terms.CUSTOMER_TYPES,
    'TaxSection': terms.FISCAL_REGIMES,
    'ReleaseReason': terms.RELEASE_REASONS,
    'ScrapReason': terms.SCRAP_REASONS,
}


def searched():
    text = models.TextField()
    cast = django.db.models.functions.comparison.Cast
    line = models.Value('\n', output_field=models.TextField())
    return models.GeneratedField(
        db_persist=True,
        expression=project.core.spanish.Folded(
            django.db.models.functions.text.Concat(
                cast('key', text), line, cast('name_spanish', text), line, cast('name_english', text)
            )
        ),
        output_field=models.TextField(),
    )


def name(**options):
    return models.CharField(db_collation='spanish', max_length=200, **options)


def key(**options):
    return models.CharField(db_collation='spanish', max_length=40, **options)


def whole(model_name):
    """A list that had names alone becomes a short list; its rows get their id as key until somebody gives a better."""
    return [
        migrations.RenameField(model_name, 'name', 'name_spanish'),
        migrations.AlterField(model_name, 'name_spanish', name()),
        migrations.AddField(model_name, 'name_english', name(default=''), preserve_default=False),
        migrations.AddField(model_name, 'key', key(default=''), preserve_default=False),
        migrations.AddField(model_name, 'active', models.BooleanField(default=True)),
        migrations.AddField(model_name, 'version', models.PositiveIntegerField(default=1)),
    ]


def new(model_name):
    return migrations.CreateModel(
        name=model_name,
        fields=[
            ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
            ('version', models.PositiveIntegerField(default=1)),
            ('key', key()),
            ('name_spanish', name()),
            ('name_english', name()),
            ('active', models.BooleanField(default=True)),
            ('search_text', searched()),
        ],
    )


def once(model_name):
    return migrations.AddConstraint(
        model_name,
        models.UniqueConstraint(
            django.db.models.functions.text.Lower('key'), name=f'{model_name}_key_once'
        ),
    )


def complete(apps, schema_editor):
    for model in ('CustomerType', 'TaxSection'):
        rows = apps.get_model('catalogs', model).objects.all()
        for row in rows:
            row.key, row.name_english = str(row.pk), row.name_spanish
            row.save()


def fill(apps, schema_editor):
    for model, terms_of_it in FIRST_ROWS.items():
        table = apps.get_model('catalogs', model)
        if not table.objects.exists():
            table.objects.bulk_create(
                table(key=term.code, name_spanish=term.name_es, name_english=term.name_en) for term in terms_of_it
            )


class Migration(migrations.Migration):

    dependencies = [
        ('core', '0002_spanish_collation'),
        ('catalogs', '0006_currencies'),
    ]

    operations = [
        *whole('customertype'),
        *whole('taxsection'),
        migrations.RunPython(complete, migrations.RunPython.noop),
        migrations.AddField('customertype', 'search_text', searched()),
        migrations.AddField('taxsection', 'search_text', searched()),
        new('ReleaseReason'),
        new('ScrapReason'),
        once('customertype'),
        once('taxsection'),
        once('releasereason'),
        once('scrapreason'),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
