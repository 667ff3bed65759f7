from django.db import migrations, models


def forget(apps, schema_editor):
    """Whole answers, among them tickets, are not taken along; who repeats a write of the last day is judged anew."""
    apps.get_model("core", "IdempotentAnswer").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("core", "0002_spanish_collation")]

    operations = [
        migrations.RunPython(forget, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField(model_name="idempotentanswer", name="body"),
        migrations.RemoveField(model_name="idempotentanswer", name="headers"),
        migrations.AddField(
            model_name="idempotentanswer",
            name="ids",
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name="idempotentanswer",
            name="kind",
            field=models.CharField(max_length=80, default=""),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="idempotentanswer",
            name="status",
            field=models.PositiveSmallIntegerField(),
        ),
    ]
