"""PostgreSQL refuses to empty the audit, too; SQLite has no TRUNCATE, and its DELETE is refused already."""

from django.db import migrations


def forward(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(
            "CREATE TRIGGER audit_is_never_emptied BEFORE TRUNCATE ON audit_auditentry"
            " FOR EACH STATEMENT EXECUTE FUNCTION audit_is_written_once()"
        )


def back(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TRIGGER audit_is_never_emptied ON audit_auditentry")


class Migration(migrations.Migration):

    dependencies = [
        ('audit', '0002_written_once'),
    ]

    operations = [
        migrations.RunPython(forward, back),
    ]
