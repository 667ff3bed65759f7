"""Keep the pieces inside and billed within the good ones, and scrap with its reason."""

from django.db import migrations, models
from django.db.models import F, Q

from project.core.operations import AddCheckNotValid

GOOD = F("quantity") - F("quantity_scrapped") + F("quantity_replaced")


class Migration(migrations.Migration):
    accepted = {"ban-drop-constraint": "another check takes its place"}

    dependencies = [
        ("orders", "0006_scrap"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="line", name="line_pieces_inside_fit_the_line"),
        migrations.RemoveConstraint(model_name="line", name="line_pieces_billed_fit_the_line"),
        migrations.RemoveConstraint(model_name="line", name="line_invoiced_is_billed_whole"),
        AddCheckNotValid(
            model_name="line",
            constraint=models.CheckConstraint(
                condition=Q(quantity_inside__gte=0, quantity_inside__lte=GOOD),
                name="line_pieces_inside_fit_the_line",
            ),
        ),
        AddCheckNotValid(
            model_name="line",
            constraint=models.CheckConstraint(
                condition=Q(quantity_replaced__gte=0, quantity_replaced__lte=F("quantity_scrapped")),
                name="line_replaces_scrapped_pieces",
            ),
        ),
        AddCheckNotValid(
            model_name="line",
            constraint=models.CheckConstraint(
                condition=Q(quantity_billed__gte=0, quantity_billed__lte=GOOD),
                name="line_pieces_billed_fit_the_line",
            ),
        ),
        AddCheckNotValid(
            model_name="line",
            constraint=models.CheckConstraint(
                condition=Q(status="Invoiced", quantity_billed=GOOD)
                | (~Q(status="Invoiced") & (Q(quantity_billed__lt=GOOD) | Q(quantity_billed=0))),
                name="line_invoiced_is_billed_whole",
            ),
        ),
        AddCheckNotValid(
            model_name="processrecord",
            constraint=models.CheckConstraint(
                condition=Q(scrapped=False, scrap_reason__isnull=True)
                | Q(scrapped=True, scrap_reason__isnull=False, output_at__isnull=False),
                name="record_scrap_has_left_for_a_reason",
            ),
        ),
    ]
