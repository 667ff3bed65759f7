"""The order of Spanish names. Every other migration that makes a table with names comes after this one."""

from django.contrib.postgres.operations import CreateCollation
from django.db import migrations


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [CreateCollation("spanish", provider="icu", locale="es")]
