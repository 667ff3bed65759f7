"""Validate the checks of scrapped pieces for the rows that were there before."""

from django.db import migrations

from project.core.operations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [
        ("orders", "0007_scrap_fits"),
    ]

    operations = [
        ValidateConstraint(model_name="line", name="line_pieces_inside_fit_the_line"),
        ValidateConstraint(model_name="line", name="line_replaces_scrapped_pieces"),
        ValidateConstraint(model_name="line", name="line_pieces_billed_fit_the_line"),
        ValidateConstraint(model_name="line", name="line_invoiced_is_billed_whole"),
        ValidateConstraint(model_name="processrecord", name="record_scrap_has_left_for_a_reason"),
    ]
