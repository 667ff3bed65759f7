"""Adds alloys, what a process weighs, and the metal of a product."""

import django.db.models.deletion
import django.db.models.functions.comparison
import project.core.spanish
from django.db import migrations, models


class Migration(migrations.Migration):
    accepted = {
        "adding-foreign-key-constraint": "the column is new and null: PostgreSQL has no row to check",
        "constraint-missing-not-valid": "checks of new, null columns: a second for 100,000 products",
        "require-concurrent-index-creation": "an index of a new column: a second for 100,000 products",
    }
    dependencies = [
        ("catalogs", "0006_scrap_reasons_may_be_paid"),
    ]

    operations = [
        migrations.CreateModel(
            name="Alloy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("fineness", models.PositiveIntegerField()),
                ("wax_ratio", models.DecimalField(blank=True, decimal_places=3, max_digits=6, null=True)),
                ("status", models.BooleanField(default=True)),
                (
                    "search_text",
                    models.GeneratedField(
                        db_persist=True,
                        expression=project.core.spanish.Folded(
                            project.core.spanish.NameKey(
                                django.db.models.functions.comparison.Cast("name", models.TextField())
                            )
                        ),
                        output_field=models.TextField(),
                    ),
                ),
                (
                    "material",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="alloys",
                        to="catalogs.material",
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["name", "id"], name="alloy_by_name")],
                "constraints": [
                    models.UniqueConstraint(project.core.spanish.NameKey("name"), name="alloy_name_once"),
                    models.CheckConstraint(condition=models.Q(("fineness__lte", 10000)), name="alloy_fineness_to_1000"),
                    models.CheckConstraint(
                        condition=models.Q(("wax_ratio__isnull", True), ("wax_ratio__gt", 0), _connector="OR"),
                        name="alloy_wax_ratio_above_0",
                    ),
                ],
            },
        ),
        migrations.AddField(
            model_name="productionprocess",
            name="weighs",
            field=models.CharField(
                choices=[("no", "no"), ("optional", "optional"), ("required", "required")],
                db_default="no",
                default="no",
                max_length=8,
            ),
        ),
        migrations.AddField(
            model_name="productionprocess",
            name="allowed_loss",
            field=models.DecimalField(blank=True, decimal_places=1, max_digits=5, null=True),
        ),
        migrations.AddField(
            model_name="productionprocess",
            name="recovers",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="item",
            name="alloy",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="items",
                to="catalogs.alloy",
            ),
        ),
        migrations.AddField(
            model_name="item",
            name="net_mg",
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="item",
            name="other_mg",
            field=models.PositiveBigIntegerField(blank=True, null=True),
        ),
    ]
