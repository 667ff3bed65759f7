"""The progress of prints."""

from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [("identity", "0001_initial")]

    operations = [
        migrations.CreateModel(
            name="PrintRun",
            fields=[
                ("id", models.UUIDField(primary_key=True, serialize=False)),
                ("total", models.PositiveIntegerField()),
                ("done", models.PositiveIntegerField(default=0)),
                ("started_at", models.DateTimeField(db_index=True)),
                ("user", models.ForeignKey(on_delete=models.CASCADE, related_name="+", to="identity.user")),
            ],
        )
    ]
