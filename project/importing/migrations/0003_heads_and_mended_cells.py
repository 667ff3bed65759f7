"""Keep the heads of a file, and the cells that its uploader mended in the preview."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("importing", "0002_files_read_again")]

    operations = [
        migrations.AddField(
            model_name="import",
            name="heads",
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="importrow",
            name="mended",
            field=models.JSONField(db_default={}, default=dict),
        ),
    ]
