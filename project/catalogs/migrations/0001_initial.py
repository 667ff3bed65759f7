"""The catalogs, the first rows of the short lists and of the alloys, and the search indexes."""

from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Cast, Concat, Length
from django.db.models.lookups import Exact

from project.catalogs import terms
from project.core.money import plant_currency
from project.core.searching import ensure_indexes
from project.core.spanish import Folded, NameKey

SEARCHED = (
    "catalogs_alloy",
    "catalogs_company",
    "catalogs_component",
    "catalogs_customer",
    "catalogs_exporttaxitem",
    "catalogs_item",
    "catalogs_material",
    "catalogs_productionprocess",
)
SHORT_LISTS = {
    "CustomerType": terms.CUSTOMER_TYPES,
    "TaxSection": terms.FISCAL_REGIMES,
    "ReleaseReason": terms.RELEASE_REASONS,
    "ScrapReason": terms.SCRAP_REASONS,
}


def searched(*fields):
    """Return the generated column with the folded texts of `fields`, each on a line of its own."""
    text = models.TextField()
    parts = [Cast(fields[0], text)]
    for field in fields[1:]:
        parts += [models.Value("\n", output_field=text), Cast(field, text)]
    whole = Concat(*parts) if len(parts) > 1 else parts[0]
    return models.GeneratedField(expression=Folded(NameKey(whole)), output_field=text, db_persist=True)


def fill(apps, schema_editor):
    for model, terms_of_it in SHORT_LISTS.items():
        table = apps.get_model("catalogs", model)
        table.objects.bulk_create(
            table(key=term.code, name_spanish=term.name_es, name_english=term.name_en) for term in terms_of_it
        )
    alloys = apps.get_model("catalogs", "Alloy").objects
    alloys.bulk_create(
        alloys.model(name=name, fineness=fineness, wax_ratio=wax_ratio) for name, fineness, wax_ratio in terms.ALLOYS
    )


def index(apps, schema_editor):
    ensure_indexes(schema_editor.connection, SEARCHED)


class Migration(migrations.Migration):
    initial = True

    dependencies = [("core", "0001_collation")]

    operations = [
        migrations.CreateModel(
            name="Material",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("description", models.CharField(blank=True, default="", max_length=4000)),
                ("status", models.BooleanField(default=True)),
                ("search_text", searched("name", "description")),
            ],
            options={
                "indexes": [models.Index(fields=["name", "id"], name="material_by_name")],
                "constraints": [models.UniqueConstraint(NameKey("name"), name="material_name_once")],
            },
        ),
        migrations.CreateModel(
            name="Alloy",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("fineness", models.PositiveIntegerField()),
                ("wax_ratio", models.DecimalField(blank=True, decimal_places=3, max_digits=6, null=True)),
                ("status", models.BooleanField(default=True)),
                ("search_text", searched("name")),
                (
                    "material",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.PROTECT, related_name="alloys", to="catalogs.material"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["name", "id"], name="alloy_by_name")],
                "constraints": [
                    models.UniqueConstraint(NameKey("name"), name="alloy_name_once"),
                    models.CheckConstraint(condition=Q(("fineness__lte", 10000)), name="alloy_fineness_to_1000"),
                    models.CheckConstraint(
                        condition=Q(("wax_ratio__isnull", True), ("wax_ratio__gt", 0), _connector="OR"),
                        name="alloy_wax_ratio_above_0",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Company",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("image", models.CharField(blank=True, default="", max_length=200)),
                ("name_image", models.CharField(blank=True, default="", max_length=200)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("legal_name", models.CharField(blank=True, default="", max_length=200)),
                ("tax_id", models.CharField(blank=True, default="", max_length=200)),
                ("email", models.CharField(blank=True, default="", max_length=254)),
                ("phone", models.CharField(blank=True, default="", max_length=200)),
                ("commercial_address", models.JSONField(blank=True, null=True)),
                ("status", models.BooleanField(default=True)),
                ("search_text", searched("name", "legal_name", "tax_id")),
            ],
            options={
                "indexes": [models.Index(fields=["name", "id"], name="company_by_name")],
                "constraints": [models.UniqueConstraint(NameKey("name"), name="company_name_once")],
            },
        ),
        migrations.CreateModel(
            name="Component",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("status", models.BooleanField(default=True)),
                ("search_text", searched("name")),
            ],
            options={
                "indexes": [models.Index(fields=["name", "id"], name="component_by_name")],
                "constraints": [models.UniqueConstraint(NameKey("name"), name="component_name_once")],
            },
        ),
        migrations.CreateModel(
            name="CustomerType",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("key", models.CharField(db_collation="spanish", max_length=40)),
                ("name_spanish", models.CharField(db_collation="spanish", max_length=200)),
                ("name_english", models.CharField(db_collation="spanish", max_length=200)),
                ("active", models.BooleanField(default=True)),
                ("search_text", searched("key", "name_spanish", "name_english")),
            ],
            options={
                "abstract": False,
                "constraints": [models.UniqueConstraint(NameKey("key"), name="customertype_key_once")],
            },
        ),
        migrations.CreateModel(
            name="ExportTaxItem",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("code", models.CharField(max_length=10)),
                ("english_description", models.TextField(blank=True, default="")),
                ("spanish_description", models.TextField(blank=True, default="")),
                ("english_metal_name", models.CharField(blank=True, default="", max_length=200)),
                ("spanish_metal_name", models.CharField(blank=True, default="", max_length=200)),
                ("search_text", searched("code", "spanish_description", "english_description")),
            ],
            options={
                "indexes": [models.Index(fields=["code", "id"], name="exporttaxitem_by_code")],
                "constraints": [models.UniqueConstraint(NameKey("code"), name="export_tax_item_code_once")],
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("image", models.CharField(blank=True, default="", max_length=200)),
                ("name_image", models.CharField(blank=True, default="", max_length=200)),
                ("key", models.CharField(db_collation="spanish", max_length=200)),
                ("sat_unit_measurement", models.CharField(blank=True, default="", max_length=10)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("description_spanish", models.CharField(blank=True, default="", max_length=4000)),
                ("description_english", models.CharField(blank=True, default="", max_length=4000)),
                ("tax_amount", models.DecimalField(decimal_places=4, default=0, max_digits=7)),
                ("sell_price", models.DecimalField(decimal_places=7, default=0, max_digits=17)),
                ("currency", models.CharField(default=plant_currency, max_length=3)),
                ("priority", models.PositiveSmallIntegerField(default=0)),
                ("antique", models.BooleanField(default=False)),
                ("measures", models.CharField(blank=True, default="", max_length=200)),
                ("origin", models.CharField(default="MX", max_length=2)),
                ("net_mg", models.PositiveBigIntegerField(blank=True, null=True)),
                ("other_mg", models.PositiveBigIntegerField(blank=True, null=True)),
                ("status", models.BooleanField(default=True)),
                ("search_text", searched("key", "name", "description_spanish", "description_english")),
                (
                    "alloy",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.PROTECT, related_name="items", to="catalogs.alloy"
                    ),
                ),
                (
                    "tax_item",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="items",
                        to="catalogs.exporttaxitem",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["key", "id"], name="item_by_key"),
                    models.Index(fields=["name", "id"], name="item_by_name"),
                ],
                "constraints": [
                    models.UniqueConstraint(NameKey("key"), name="item_key_once"),
                    models.UniqueConstraint(NameKey("name"), name="item_name_once"),
                    models.CheckConstraint(condition=Q(("priority__lte", 9)), name="item_priority_0_to_9"),
                    models.CheckConstraint(condition=Q(("sell_price__gte", 0)), name="item_price_not_negative"),
                    models.CheckConstraint(condition=Exact(Length("origin"), 2), name="item_has_an_origin"),
                    models.CheckConstraint(
                        condition=Q(("tax_amount__gte", 0), ("tax_amount__lte", 100)), name="item_tax_is_a_percentage"
                    ),
                    models.CheckConstraint(condition=Exact(Length("currency"), 3), name="item_has_a_currency"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemComponent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField()),
                ("notes", models.CharField(blank=True, default="", max_length=200)),
                (
                    "component",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="item_components", to="catalogs.component"
                    ),
                ),
                ("item", models.ForeignKey(on_delete=models.CASCADE, related_name="components", to="catalogs.item")),
                (
                    "material",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="item_components",
                        to="catalogs.material",
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("item", "place"), name="item_component_place_once")]
            },
        ),
        migrations.CreateModel(
            name="ProductionProcess",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("name_english", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("order", models.PositiveIntegerField()),
                ("status", models.BooleanField(default=True)),
                ("price", models.DecimalField(decimal_places=7, default=0, max_digits=17)),
                (
                    "weighs",
                    models.CharField(
                        choices=[("no", "no"), ("optional", "optional"), ("required", "required")],
                        db_default="no",
                        default="no",
                        max_length=8,
                    ),
                ),
                ("allowed_loss", models.DecimalField(blank=True, decimal_places=1, max_digits=5, null=True)),
                ("recovers", models.BooleanField(db_default=False, default=False)),
                ("gains", models.BooleanField(db_default=False, default=False)),
                ("search_text", searched("name")),
            ],
            options={
                "indexes": [models.Index(fields=["order", "id"], name="productionprocess_by_order")],
                "constraints": [
                    models.UniqueConstraint(NameKey("name"), name="production_process_name_once"),
                    models.CheckConstraint(condition=Q(("order__gte", 1)), name="production_process_order_from_1"),
                    models.CheckConstraint(
                        condition=Q(("price__gte", 0)), name="production_process_price_not_negative"
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ItemProcess",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("place", models.PositiveSmallIntegerField()),
                ("item", models.ForeignKey(on_delete=models.CASCADE, related_name="way", to="catalogs.item")),
                (
                    "process",
                    models.ForeignKey(
                        on_delete=models.PROTECT, related_name="ways", to="catalogs.productionprocess"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("item", "place"), name="item_process_place_once"),
                    models.UniqueConstraint(fields=("item", "process"), name="item_process_once"),
                ]
            },
        ),
        migrations.CreateModel(
            name="ProcessPrice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("price", models.DecimalField(decimal_places=7, max_digits=17)),
                ("since", models.DateTimeField()),
                ("user_id", models.BigIntegerField(null=True)),
                ("user_name", models.CharField(blank=True, default="", max_length=700)),
                (
                    "process",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="prices", to="catalogs.productionprocess"),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=Q(("price__gte", 0)), name="process_price_not_negative")
                ]
            },
        ),
        migrations.CreateModel(
            name="ProcessItemPrice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "unit",
                    models.CharField(choices=[("piece", "piece"), ("gram", "gram")], default="piece", max_length=5),
                ),
                ("price", models.DecimalField(blank=True, decimal_places=7, max_digits=17, null=True)),
                ("since", models.DateTimeField()),
                ("user_id", models.BigIntegerField(null=True)),
                ("user_name", models.CharField(blank=True, default="", max_length=700)),
                (
                    "item",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.CASCADE, related_name="piece_prices", to="catalogs.item"
                    ),
                ),
                (
                    "process",
                    models.ForeignKey(
                        on_delete=models.CASCADE, related_name="item_prices", to="catalogs.productionprocess"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("process", "item", "since"), name="process_item_price_once"),
                    models.UniqueConstraint(
                        condition=Q(("item__isnull", True)),
                        fields=("process", "since"),
                        name="process_item_price_of_all_once",
                    ),
                    models.CheckConstraint(
                        condition=Q(("price__isnull", True), ("price__gte", 0), _connector="OR"),
                        name="process_item_price_not_negative",
                    ),
                    models.CheckConstraint(
                        condition=Q(("unit__in", ["piece", "gram"])), name="process_item_price_has_a_unit"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="ReleaseReason",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("key", models.CharField(db_collation="spanish", max_length=40)),
                ("name_spanish", models.CharField(db_collation="spanish", max_length=200)),
                ("name_english", models.CharField(db_collation="spanish", max_length=200)),
                ("active", models.BooleanField(default=True)),
                ("search_text", searched("key", "name_spanish", "name_english")),
            ],
            options={
                "abstract": False,
                "constraints": [models.UniqueConstraint(NameKey("key"), name="releasereason_key_once")],
            },
        ),
        migrations.CreateModel(
            name="ScrapReason",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("key", models.CharField(db_collation="spanish", max_length=40)),
                ("name_spanish", models.CharField(db_collation="spanish", max_length=200)),
                ("name_english", models.CharField(db_collation="spanish", max_length=200)),
                ("active", models.BooleanField(default=True)),
                ("search_text", searched("key", "name_spanish", "name_english")),
                ("payable", models.BooleanField(db_default=False, default=False)),
            ],
            options={
                "abstract": False,
                "constraints": [models.UniqueConstraint(NameKey("key"), name="scrapreason_key_once")],
            },
        ),
        migrations.CreateModel(
            name="TaxSection",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("key", models.CharField(db_collation="spanish", max_length=40)),
                ("name_spanish", models.CharField(db_collation="spanish", max_length=200)),
                ("name_english", models.CharField(db_collation="spanish", max_length=200)),
                ("active", models.BooleanField(default=True)),
                ("search_text", searched("key", "name_spanish", "name_english")),
            ],
            options={
                "abstract": False,
                "constraints": [models.UniqueConstraint(NameKey("key"), name="taxsection_key_once")],
            },
        ),
        migrations.CreateModel(
            name="Customer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("image", models.CharField(blank=True, default="", max_length=200)),
                ("name_image", models.CharField(blank=True, default="", max_length=200)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("tax_id", models.CharField(blank=True, default="", max_length=200)),
                ("quinto", models.CharField(blank=True, default="", max_length=200)),
                ("currency", models.CharField(default=plant_currency, max_length=3)),
                ("addresses", models.JSONField(blank=True, default=list)),
                ("phones", models.JSONField(blank=True, default=list)),
                ("emails", models.JSONField(blank=True, default=list)),
                ("status", models.BooleanField(default=True)),
                ("search_text", searched("name", "tax_id", "quinto")),
                (
                    "customer_type",
                    models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to="catalogs.customertype"),
                ),
                (
                    "tax_section",
                    models.ForeignKey(blank=True, null=True, on_delete=models.PROTECT, to="catalogs.taxsection"),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["name", "id"], name="customer_by_name")],
                "constraints": [
                    models.UniqueConstraint(NameKey("name"), name="customer_name_once"),
                    models.CheckConstraint(condition=Exact(Length("currency"), 3), name="customer_has_a_currency"),
                ],
            },
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.RunPython(index, migrations.RunPython.noop),
    ]
