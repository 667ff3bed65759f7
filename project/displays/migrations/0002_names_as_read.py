"""Compares names by `NameKey`, so that names that look the same count as one."""

import project.core.spanish
from django.db import migrations, models

from project.core.constraints import number_twins


def number(apps, schema_editor):
    number_twins(apps.get_model("displays", "Display").objects.filter(active=True), "name")


class Migration(migrations.Migration):
    accepted = {
        "batches": "two names that people read as one are rare, and read once",
        "require-concurrent-index-creation": "the table has a few dozen rows",
        "require-concurrent-index-deletion": "the table has a few dozen rows",
    }
    dependencies = [
        ('displays', '0001_initial'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='display',
            name='display_name_once',
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='display',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('name'), condition=models.Q(('active', True)), name='display_name_once'),
        ),
    ]
