from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("integrations", "0001_initial"),
    ]

    operations = [
        migrations.AddField(
            model_name="webhookdelivery",
            name="failure",
            field=models.CharField(blank=True, db_default="", default="", max_length=40),
        ),
    ]
