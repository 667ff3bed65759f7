"""People's preferences and browsers, the notices that wait to be sent, and the mails of customers' links."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    initial = True

    dependencies = [("identity", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="Position",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("event_id", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("fingerprint", models.CharField(max_length=64, unique=True)),
                ("endpoint", models.CharField(max_length=2000)),
                ("p256dh", models.CharField(max_length=88)),
                ("auth", models.CharField(max_length=24)),
                ("key", models.CharField(max_length=88)),
                ("label", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField()),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveSmallIntegerField(db_default=0, default=0)),
                (
                    "user",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="notice_devices", to="identity.user"),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LinkMail",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("link_id", models.BigIntegerField(unique=True)),
                ("address", models.EmailField(max_length=254)),
                ("language", models.CharField(max_length=2)),
                ("page", models.CharField(blank=True, db_default="", default="", max_length=2000)),
                ("sent_on", models.DateField(blank=True, null=True)),
                ("content", models.CharField(blank=True, db_default="", default="", max_length=64)),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                ("mail_refused", models.PositiveSmallIntegerField(db_default=0, default=0)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=Q(("language__in", ["es", "en"])), name="link_mail_language_known")
                ]
            },
        ),
        migrations.CreateModel(
            name="PushMessage",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("payload", models.TextField()),
                ("created_at", models.DateTimeField()),
                ("attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                ("next_at", models.DateTimeField(db_index=True)),
                ("device", models.ForeignKey(on_delete=models.CASCADE, related_name="messages", to="notices.device")),
            ],
        ),
        migrations.CreateModel(
            name="Raised",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("cause_id", models.BigIntegerField()),
                ("at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("kind", "cause_id"), name="notices_raised_once"),
                    models.CheckConstraint(
                        condition=Q(
                            ("kind__in", ["likelyLate", "late", "inside", "assigned", "customerAnswer", "importDone"])
                        ),
                        name="notices_raised_kind_known",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Gathered",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("channel", models.CharField(max_length=4)),
                ("causes", models.JSONField(db_default=[], default=list)),
                ("path", models.CharField(blank=True, db_default="", default="", max_length=200)),
                ("since", models.DateTimeField(blank=True, db_index=True, null=True)),
                ("sent_at", models.DateTimeField(blank=True, null=True)),
                ("user", models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="identity.user")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "kind", "channel"), name="notices_gathered_once"),
                    models.CheckConstraint(
                        condition=Q(
                            ("kind__in", ["likelyLate", "late", "inside", "assigned", "customerAnswer", "importDone"])
                        ),
                        name="notices_gathered_kind_known",
                    ),
                    models.CheckConstraint(
                        condition=Q(("channel__in", ["push", "mail"])), name="notices_gathered_channel_known"
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                ("about", models.CharField(max_length=50)),
                ("params", models.JSONField(db_default={}, default=dict)),
                ("path", models.CharField(max_length=200)),
                ("created_at", models.DateTimeField(db_index=True)),
                ("read_at", models.DateTimeField(blank=True, null=True)),
                ("user", models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="identity.user")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("user", "about"), name="notice_about_once"),
                    models.CheckConstraint(
                        condition=Q(
                            ("kind__in", ["likelyLate", "late", "inside", "assigned", "customerAnswer", "importDone"])
                        ),
                        name="notice_kind_known",
                    ),
                ]
            },
        ),
        migrations.CreateModel(
            name="NoticeSettings",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("version", models.PositiveIntegerField(default=1)),
                ("channels", models.JSONField(db_default={}, default=dict)),
                ("quiet_from", models.TimeField(blank=True, null=True)),
                ("quiet_until", models.TimeField(blank=True, null=True)),
                ("digest", models.BooleanField(db_default=False, default=False)),
                ("digest_on", models.DateField(blank=True, null=True)),
                ("mail_refused", models.PositiveSmallIntegerField(db_default=0, default=0)),
                (
                    "user",
                    models.OneToOneField(on_delete=models.CASCADE, related_name="notice_settings", to="identity.user"),
                ),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(
                            Q(("quiet_from__isnull", True), ("quiet_until__isnull", True)),
                            Q(
                                ("quiet_from__isnull", False),
                                ("quiet_until__isnull", False),
                                Q(("quiet_from", F("quiet_until")), _negated=True),
                            ),
                            _connector="OR",
                        ),
                        name="notice_quiet_hours_whole",
                    )
                ]
            },
        ),
    ]
