"""Signed-out tokens, operators at stations, and attempts to sign in."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("identity", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="SignedOutToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("jti", models.CharField(max_length=64, unique=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="Operator",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("token_version", models.PositiveIntegerField()),
                ("station_jti", models.CharField(max_length=64)),
                ("station_token_version", models.PositiveIntegerField()),
                ("station_expires_at", models.DateTimeField(db_index=True)),
                ("process_id", models.BigIntegerField(blank=True, null=True)),
                ("since", models.DateTimeField()),
                ("used_at", models.DateTimeField()),
                ("reported_at", models.DateTimeField(blank=True, null=True)),
                ("report_received_at", models.DateTimeField(blank=True, null=True)),
                ("station_user", models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="identity.user")),
                ("user", models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="identity.user")),
            ],
        ),
        migrations.CreateModel(
            name="SignInAttempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("purpose", models.CharField(db_default="sign-in", default="sign-in", max_length=20)),
                ("account", models.CharField(max_length=254)),
                ("address", models.CharField(max_length=64)),
                ("at", models.DateTimeField(db_index=True)),
                ("failed", models.BooleanField(default=False)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["account", "at"], name="attempt_by_account"),
                    models.Index(fields=["address", "at"], name="attempt_by_address"),
                ]
            },
        ),
    ]
