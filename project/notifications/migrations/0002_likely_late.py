"""Accept the kind of notification that says that a line is likely late."""

from django.db import migrations, models

KINDS = ["SalesOrderWithoutOutputProcess", "SalesOrderDeliveryDateExpiring", "likelyLate"]


class Migration(migrations.Migration):
    dependencies = [("notifications", "0001_initial")]

    operations = [
        migrations.AlterField(
            model_name="announcement",
            name="kind",
            field=models.CharField(choices=[(kind, kind) for kind in KINDS], max_length=40),
        ),
    ]
