"""Requests for approvals, replies to customers' answers, and answers that the office has handled."""

import django.db.models.deletion
from django.db import migrations, models

from project.core.operations import WrittenOnce


def _key() -> models.BigAutoField:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    accepted = {  # noqa: RUF012 - as Django's own attributes
        "adding-foreign-key-constraint": "the scan finds empty columns alone: seconds for millions of rows",
        "ban-drop-function": "WrittenOnce makes it again in the same transaction",
        "require-concurrent-index-creation": "answers of customers are few",
    }

    dependencies = [
        ("customer_links", "0001_initial"),
        ("identity", "0001_initial"),
        ("orders", "0002_trays_and_solder"),
    ]

    operations = [
        migrations.CreateModel(
            name="ApprovalRequest",
            fields=[
                ("id", _key()),
                ("text", models.TextField()),
                ("photo", models.CharField(blank=True, db_default="", default="", max_length=200)),
                (
                    "status",
                    models.CharField(
                        choices=[(one, one) for one in ("open", "approved", "changed", "withdrawn")],
                        default="open",
                        max_length=20,
                    ),
                ),
                ("at", models.DateTimeField()),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="approval_requests",
                        to="identity.user",
                    ),
                ),
                (
                    "line",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="approval_requests",
                        to="orders.line",
                    ),
                ),
                (
                    "link",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="requests",
                        to="customer_links.customerlink",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("status", "open")),
                        fields=("link", "line"),
                        name="approval_request_open_once",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("status__in", ["open", "approved", "changed", "withdrawn"])),
                        name="approval_request_status_known",
                    ),
                ]
            },
        ),
        migrations.AddField(
            model_name="customeranswer",
            name="request",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="answers",
                to="customer_links.approvalrequest",
            ),
        ),
        WrittenOnce(
            "CustomerAnswer",
            refuses="an answer of a customer is never changed",
            erasable=("text",),
            deletable="1 = 1",
        ),
        migrations.CreateModel(
            name="AnswerReply",
            fields=[
                ("id", _key()),
                ("text", models.TextField()),
                ("at", models.DateTimeField()),
                (
                    "answer",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="replies",
                        to="customer_links.customeranswer",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="customer_replies",
                        to="identity.user",
                    ),
                ),
            ],
        ),
        WrittenOnce(
            "AnswerReply",
            refuses="a reply to a customer is never changed",
            erasable=("text",),
            deletable="1 = 1",
        ),
        migrations.CreateModel(
            name="HandledAnswer",
            fields=[
                ("id", _key()),
                ("at", models.DateTimeField()),
                (
                    "answer",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="handled",
                        to="customer_links.customeranswer",
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answers_handled",
                        to="identity.user",
                    ),
                ),
            ],
        ),
    ]
