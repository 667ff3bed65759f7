"""Check existing rows against the constraint on erased people."""

from django.db import migrations

from project.core.operations import ValidateConstraint


class Migration(migrations.Migration):
    dependencies = [("identity", "0002_erased_at")]

    operations = [ValidateConstraint(model_name="user", name="user_erased_opens_nothing")]
