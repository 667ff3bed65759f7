"""Let the database refuse to change or delete audit rows; PostgreSQL also refuses to truncate the table."""

from django.db import migrations

POSTGRESQL = (
    """
    CREATE FUNCTION audit_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'an audit entry is never changed or deleted' USING ERRCODE = 'integrity_constraint_violation';
    END
    $$
    """,
    """
    CREATE TRIGGER audit_is_written_once BEFORE UPDATE OR DELETE ON audit_auditentry
    FOR EACH ROW EXECUTE FUNCTION audit_is_written_once()
    """,
    """
    CREATE TRIGGER audit_is_never_emptied BEFORE TRUNCATE ON audit_auditentry
    FOR EACH STATEMENT EXECUTE FUNCTION audit_is_written_once()
    """,
)
POSTGRESQL_BACK = (
    "DROP TRIGGER audit_is_never_emptied ON audit_auditentry",
    "DROP TRIGGER audit_is_written_once ON audit_auditentry",
    "DROP FUNCTION audit_is_written_once()",
)
SQLITE = tuple(
    f"""
    CREATE TRIGGER audit_is_never_{verb.lower()}d BEFORE {verb} ON audit_auditentry
    BEGIN SELECT RAISE(ABORT, 'an audit entry is never changed or deleted'); END
    """
    for verb in ("UPDATE", "DELETE")
)
SQLITE_BACK = tuple(f"DROP TRIGGER audit_is_never_{verb}d" for verb in ("update", "delete"))


def forward(apps, schema_editor):
    for statement in POSTGRESQL if schema_editor.connection.vendor == "postgresql" else SQLITE:
        schema_editor.execute(statement)


def back(apps, schema_editor):
    for statement in POSTGRESQL_BACK if schema_editor.connection.vendor == "postgresql" else SQLITE_BACK:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    accepted = {"batches": "it touches no row"}
    dependencies = [("audit", "0001_initial")]

    operations = [migrations.RunPython(forward, back)]
