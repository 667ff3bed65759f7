"""People, and roles with their permissions."""

from django.db import migrations, models
from django.db.models import F, Q
from django.db.models.functions import Lower

from project.core.spanish import NameKey


class Migration(migrations.Migration):
    initial = True

    dependencies = [("core", "0001_collation")]

    operations = [
        migrations.CreateModel(
            name="Role",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("name", models.CharField(db_collation="spanish", max_length=200)),
                ("description", models.CharField(blank=True, default="", max_length=200)),
            ],
            options={"constraints": [models.UniqueConstraint(NameKey("name"), name="role_name_once")]},
        ),
        migrations.CreateModel(
            name="User",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                ("version", models.PositiveIntegerField(default=1)),
                ("email", models.EmailField(blank=True, default="", max_length=254)),
                ("first_name", models.CharField(db_collation="spanish", max_length=200)),
                ("last_name", models.CharField(blank=True, db_collation="spanish", default="", max_length=200)),
                ("second_last_name", models.CharField(blank=True, default="", max_length=200)),
                (
                    "user_type",
                    models.CharField(
                        choices=[("Internal", "Internal"), ("Customer", "Customer"), ("Service", "Service")],
                        default="Internal",
                        max_length=20,
                    ),
                ),
                (
                    "id_if_customer",
                    models.GeneratedField(
                        db_persist=True,
                        expression=models.Case(models.When(then=F("id"), user_type="Customer")),
                        null=True,
                        output_field=models.BigIntegerField(),
                        unique=True,
                    ),
                ),
                ("active", models.BooleanField(default=True)),
                ("locked", models.BooleanField(default=False)),
                ("language", models.CharField(default="es", max_length=2)),
                ("token_version", models.PositiveIntegerField(default=1)),
                ("pin_hash", models.CharField(blank=True, max_length=80, null=True, unique=True)),
                ("badge_hash", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("created_at", models.DateTimeField(auto_now_add=True)),
                ("erased_at", models.DateTimeField(blank=True, null=True)),
                ("roles", models.ManyToManyField(blank=True, related_name="users", to="identity.role")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        Lower("email"), condition=Q(("email", ""), _negated=True), name="user_email_once"
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            Q(("email", ""), _negated=True),
                            ("pin_hash__isnull", False),
                            ("badge_hash__isnull", False),
                            _connector="OR",
                        ),
                        name="user_has_email_pin_or_badge",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("user_type", "Internal"),
                            Q(("badge_hash__isnull", True), ("pin_hash__isnull", True)),
                            _connector="OR",
                        ),
                        name="user_of_a_customer_has_no_pin",
                    ),
                    models.CheckConstraint(
                        condition=Q(
                            ("erased_at__isnull", True),
                            Q(("active", False), ("badge_hash__isnull", True), ("pin_hash__isnull", True)),
                            _connector="OR",
                        ),
                        name="user_erased_opens_nothing",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="RolePermission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("action", models.CharField(max_length=60)),
                ("role", models.ForeignKey(on_delete=models.CASCADE, related_name="permissions", to="identity.role")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("role", "action"), name="role_permission_once")]},
        ),
    ]
