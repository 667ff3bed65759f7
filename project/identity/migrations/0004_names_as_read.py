"""Make role names unique as people read them."""

import project.core.spanish
from django.db import migrations, models

from project.core.constraints import number_twins


def number(apps, schema_editor):
    number_twins(apps.get_model("identity", "Role").objects.all(), "name")


class Migration(migrations.Migration):
    accepted = {
        "batches": "two names that people read as one are rare, and read once",
        "require-concurrent-index-creation": "the table has a few dozen rows",
        "require-concurrent-index-deletion": "the table has a few dozen rows",
    }
    dependencies = [
        ('identity', '0003_erased_opens_nothing'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='role',
            name='role_name_once',
        ),
        migrations.RunPython(number, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name='role',
            constraint=models.UniqueConstraint(project.core.spanish.NameKey('name'), name='role_name_once'),
        ),
    ]
