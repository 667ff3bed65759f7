"""Let people who only name themselves at stations have no e-mail."""

import django.db.models.functions.text
from django.db import migrations, models

from project.core.operations import AddCheckNotValid


class Migration(migrations.Migration):
    accepted = {
        "require-concurrent-index-creation": "a workshop has a few hundred accounts",
        "require-concurrent-index-deletion": "a workshop has a few hundred accounts",
    }
    dependencies = [("identity", "0005_actions_without_choices")]

    operations = [
        migrations.AlterField(
            model_name="user",
            name="email",
            field=models.EmailField(blank=True, default="", max_length=254),
        ),
        migrations.RemoveConstraint(model_name="user", name="user_email_once"),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("email"),
                condition=models.Q(("email", ""), _negated=True),
                name="user_email_once",
            ),
        ),
        AddCheckNotValid(
            model_name="user",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("email", ""), _negated=True),
                    ("pin_hash__isnull", False),
                    ("badge_hash__isnull", False),
                    _connector="OR",
                ),
                name="user_has_email_pin_or_badge",
            ),
        ),
    ]
