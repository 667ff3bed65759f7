from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("billing", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="billline",
            name="metal_mg",
            field=models.BigIntegerField(blank=True, null=True),
        ),
    ]
