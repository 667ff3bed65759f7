"""Check existing accounts against the constraint on e-mail, PIN and badge."""

from django.db import migrations

from project.core.operations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("identity", "0006_people_without_email")]

    operations = [ValidateConstraint(model_name="user", name="user_has_email_pin_or_badge")]
