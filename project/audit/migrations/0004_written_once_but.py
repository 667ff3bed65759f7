"""Let a transaction that inserted an `Exemption` erase names from audit rows, or delete old rows.

Even then the database refuses to change who did what to which record, and when.
"""

from django.db import migrations

KEPT = ("id", "at", "user_id", "entity", "entity_id", "action")
SAME = " AND ".join(f"OLD.{column} IS NOT DISTINCT FROM NEW.{column}" for column in KEPT)
MAY_ERASE = "EXISTS (SELECT 1 FROM audit_exemption WHERE erases)"
MAY_FORGET = "EXISTS (SELECT 1 FROM audit_exemption WHERE forgets_before > OLD.at)"
REFUSES = "'an audit entry is never changed or deleted'"
RAISES = f"RAISE EXCEPTION {REFUSES} USING ERRCODE = 'integrity_constraint_violation';"
FUNCTION = "CREATE OR REPLACE FUNCTION audit_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {} END $$"
POSTGRESQL = (
    FUNCTION.format(
        f"""
        IF TG_OP = 'UPDATE' THEN
            IF {SAME} AND {MAY_ERASE} THEN RETURN NEW; END IF;
        ELSIF TG_OP = 'DELETE' THEN
            IF {MAY_FORGET} THEN RETURN OLD; END IF;
        END IF;
        {RAISES}
        """
    ),
)
POSTGRESQL_BACK = (FUNCTION.format(RAISES),)


def _triggers(update: str, delete: str) -> list[str]:
    """Return the statements that replace SQLite's triggers, each with the condition under which it refuses."""
    return [
        statement
        for verb, condition in (("UPDATE", update), ("DELETE", delete))
        for statement in (
            f"DROP TRIGGER audit_is_never_{verb.lower()}d",
            f"CREATE TRIGGER audit_is_never_{verb.lower()}d BEFORE {verb} ON audit_auditentry {condition} "
            f"BEGIN SELECT RAISE(ABORT, {REFUSES}); END",
        )
    ]


SQLITE = _triggers(
    f"WHEN NOT ({SAME.replace('IS NOT DISTINCT FROM', 'IS')} AND {MAY_ERASE})", f"WHEN NOT ({MAY_FORGET})"
)
SQLITE_BACK = _triggers("", "")


def forward(apps, schema_editor):
    for statement in POSTGRESQL if schema_editor.connection.vendor == "postgresql" else SQLITE:
        schema_editor.execute(statement)


def back(apps, schema_editor):
    for statement in POSTGRESQL_BACK if schema_editor.connection.vendor == "postgresql" else SQLITE_BACK:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("audit", "0003_exemption")]

    operations = [migrations.RunPython(forward, back)]

    accepted = {"batches": "it touches no row: PostgreSQL's function is replaced, and SQLite's triggers"}
