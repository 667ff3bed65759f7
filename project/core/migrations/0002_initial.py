"""The answers to repeated writes. They name users, so they come after the app `identity`."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("core", "0001_collation"), ("identity", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="IdempotentAnswer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200)),
                ("request_hash", models.CharField(max_length=64)),
                ("status", models.PositiveSmallIntegerField()),
                ("kind", models.CharField(max_length=80)),
                ("ids", models.JSONField(default=dict)),
                ("created_at", models.DateTimeField(db_index=True)),
                ("lasting", models.BooleanField(db_default=False, default=False)),
                ("once", models.UUIDField(blank=True, null=True, unique=True)),
                ("user", models.ForeignKey(on_delete=models.RESTRICT, related_name="+", to="identity.user")),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("user", "key"), name="idempotency_key_once_per_user")]
            },
        )
    ]
