"""The day that was promised first, and the first tenth of a forecast."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("orders", "0002_trays_and_solder")]

    operations = [
        migrations.AddField("forecast", "p10", models.DateField(blank=True, null=True)),
        migrations.AddField("line", "promised_date", models.DateField(blank=True, null=True)),
    ]
