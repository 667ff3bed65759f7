"""Compares names by `NameKey`, so that names that look the same count as one."""

import project.core.spanish
from django.db import migrations, models

from project.core.constraints import number_twins


def number(apps, schema_editor):
    number_twins(apps.get_model("integrations", "ServiceAccount").objects.filter(active=True), "name")
    number_twins(apps.get_model("integrations", "Webhook").objects.all(), "name")


class Migration(migrations.Migration):
    accepted = {
        "batches": "two names that people read as one are rare, and read once",
        "require-concurrent-index-creation": "the table has a few dozen rows",
        "require-concurrent-index-deletion": "the table has a few dozen rows",
    }
    dependencies = [
        ('identity', '0004_names_as_read'),
        ('integrations', '0005_who_made_it'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='serviceaccount',
            name='service_account_name_once',
        ),
        migrations.RemoveConstraint(
            model_name='webhook',
            name='webhook_name_once',
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='serviceaccount',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('name'), condition=models.Q(('active', True)), name='service_account_name_once'),
        ),
        migrations.AddConstraint(
            model_name='webhook',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('name'), name='webhook_name_once'),
        ),
    ]
