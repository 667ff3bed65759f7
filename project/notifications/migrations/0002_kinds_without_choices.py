"""Removes the choices of a kind, which the database does not know: a new kind needs no migration."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("notifications", "0001_initial"),
    ]

    operations = [
        migrations.AlterField(
            model_name="announcement",
            name="kind",
            field=models.CharField(max_length=40),
        ),
    ]
