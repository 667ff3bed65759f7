"""The outbox of live events, and the tickets of sockets."""

import uuid

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="UsedTicket",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("used_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="OutboxCounter",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("last_id", models.BigIntegerField(default=0)),
                ("epoch", models.UUIDField(default=uuid.uuid4)),
            ],
            options={"constraints": [models.CheckConstraint(condition=Q(("id", 1)), name="outbox_has_one_counter")]},
        ),
        migrations.CreateModel(
            name="OutboxEvent",
            fields=[
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("type", models.CharField(max_length=40)),
                ("audience", models.TextField(blank=True)),
                ("to_user", models.BigIntegerField(blank=True, null=True)),
                ("customer", models.BigIntegerField(blank=True, null=True)),
                ("payload", models.TextField()),
                ("created_at", models.DateTimeField(db_index=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(
                            Q(("audience", ""), ("customer__isnull", True), ("to_user__isnull", False)),
                            Q(("audience", ""), ("customer__isnull", False), ("to_user__isnull", True)),
                            Q(Q(("audience", ""), _negated=True), ("to_user__isnull", True)),
                            _connector="OR",
                        ),
                        name="outbox_event_is_for_an_audience_or_for_one",
                    )
                ]
            },
        ),
    ]
