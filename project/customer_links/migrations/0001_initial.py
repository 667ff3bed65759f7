"""Links of customers and their answers. The database refuses to change an answer.

Only a transaction that may erase a person's names (`audit.Exemption`) may change its text.
"""

from django.db import migrations, models
from django.db.models import Q

from project.core.operations import WrittenOnce


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("audit", "0001_initial"),
        ("catalogs", "0001_initial"),
        ("core", "0001_collation"),
        ("identity", "0001_initial"),
        ("orders", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="CustomerLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("token_digest", models.CharField(max_length=64, unique=True)),
                ("shows_prices", models.BooleanField(db_default=False, default=False)),
                ("shows_photos", models.BooleanField(db_default=True, default=True)),
                ("shows_papers", models.BooleanField(db_default=False, default=False)),
                ("shows_processes", models.BooleanField(db_default=False, default=False)),
                ("created_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("opened_count", models.PositiveIntegerField(db_default=0, default=0)),
                ("opened_at", models.DateTimeField(blank=True, null=True)),
                (
                    "created_by",
                    models.ForeignKey(on_delete=models.PROTECT, related_name="links_made", to="identity.user"),
                ),
                ("customer", models.ForeignKey(on_delete=models.CASCADE, related_name="links", to="catalogs.customer")),
                (
                    "order",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=models.CASCADE, related_name="links", to="orders.salesorder"
                    ),
                ),
                (
                    "revoked_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="links_revoked",
                        to="identity.user",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(("revoked_by__isnull", True), ("revoked_at__isnull", False), _connector="OR"),
                        name="customer_link_revoked_by_has_a_time",
                    ),
                    models.CheckConstraint(
                        condition=Q(("opened_count", 0), ("opened_at__isnull", False), _connector="OR"),
                        name="customer_link_opened_has_a_time",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="CustomerAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("approved", "approved"),
                            ("change", "change"),
                            ("comment", "comment"),
                            ("again", "again"),
                        ],
                        max_length=20,
                    ),
                ),
                ("text", models.TextField(blank=True, default="")),
                ("quantity", models.PositiveIntegerField(blank=True, null=True)),
                ("key", models.CharField(max_length=64)),
                ("at", models.DateTimeField(db_index=True)),
                (
                    "account",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.PROTECT,
                        related_name="customer_answers",
                        to="identity.user",
                    ),
                ),
                (
                    "line",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="customer_answers", to="orders.line"),
                ),
                (
                    "link",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=models.CASCADE,
                        related_name="answers",
                        to="customer_links.customerlink",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("link", "key"), name="customer_answer_of_link_once"),
                    models.UniqueConstraint(fields=("account", "key"), name="customer_answer_of_account_once"),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("account__isnull", True), ("link__isnull", False)),
                            Q(("account__isnull", False), ("link__isnull", True)),
                            _connector="OR",
                        ),
                        name="customer_answer_has_one_author",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("quantity__isnull", True), Q(("kind", "again"), ("quantity__gte", 1)), _connector="OR"
                        ),
                        name="customer_answer_quantity_is_of_an_order",
                    ),
                ]
            },
        ),
        WrittenOnce(
            "CustomerAnswer",
            refuses="an answer of a customer is never changed",
            erasable=("text",),
            deletable="1 = 1",
        ),
    ]
