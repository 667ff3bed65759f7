"""Who works at which process, and which account is of which customer."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("catalogs", "0001_initial"), ("identity", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="CustomerAccount",
            fields=[
                (
                    "user",
                    models.OneToOneField(
                        on_delete=models.CASCADE,
                        primary_key=True,
                        related_name="customer_account",
                        serialize=False,
                        to="identity.user",
                        to_field="id_if_customer",
                    ),
                ),
                (
                    "customer",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="accounts", to="catalogs.customer"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ProcessWorker",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "process",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="workers", to="catalogs.productionprocess"
                    ),
                ),
                ("user", models.ForeignKey(on_delete=models.CASCADE, related_name="workplaces", to="identity.user")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("user", "process"), name="process_worker_once")]},
        ),
    ]
