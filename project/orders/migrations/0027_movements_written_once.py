"""Refuse to change or delete a press or a movement.

Only a transaction that may erase a person's names (`audit.Exemption`) may change the free texts of a movement.
"""

from django.db import migrations

KEPT = (
    *("id", "press_id", "line_id", "process_id", "side", "pieces", "at", "scrap_reason_id", "release_reason_id"),
    *("mg_in", "mg", "mg_other", "mg_added", "mg_scrap", "alloy_id", "price", "price_unit", "takes_back_id"),
    "record_id",
)
SAME = " AND ".join(f"OLD.{column} IS NOT DISTINCT FROM NEW.{column}" for column in KEPT)
MAY_ERASE = "EXISTS (SELECT 1 FROM audit_exemption WHERE erases)"
REFUSES = "'what happened is never changed or deleted'"
POSTGRESQL = (
    f"""
    CREATE FUNCTION movement_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' THEN
            IF {SAME} AND {MAY_ERASE} THEN RETURN NEW; END IF;
        END IF;
        RAISE EXCEPTION {REFUSES} USING ERRCODE = 'integrity_constraint_violation';
    END
    $$
    """,
    f"""
    CREATE FUNCTION press_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION {REFUSES} USING ERRCODE = 'integrity_constraint_violation';
    END
    $$
    """,
    *(
        statement
        for table in ("movement", "press")
        for statement in (
            f"""
            CREATE TRIGGER {table}_is_written_once BEFORE UPDATE OR DELETE ON orders_{table}
            FOR EACH ROW EXECUTE FUNCTION {table}_is_written_once()
            """,
            f"""
            CREATE TRIGGER {table}_is_never_emptied BEFORE TRUNCATE ON orders_{table}
            FOR EACH STATEMENT EXECUTE FUNCTION {table}_is_written_once()
            """,
        )
    ),
)
POSTGRESQL_BACK = tuple(
    statement
    for table in ("movement", "press")
    for statement in (
        f"DROP TRIGGER {table}_is_never_emptied ON orders_{table}",
        f"DROP TRIGGER {table}_is_written_once ON orders_{table}",
        f"DROP FUNCTION {table}_is_written_once()",
    )
)
SQLITE = (
    f"""
    CREATE TRIGGER movement_is_never_updated BEFORE UPDATE ON orders_movement
    WHEN NOT ({SAME.replace("IS NOT DISTINCT FROM", "IS")} AND {MAY_ERASE})
    BEGIN SELECT RAISE(ABORT, {REFUSES}); END
    """,
    f"""
    CREATE TRIGGER press_is_never_updated BEFORE UPDATE ON orders_press
    BEGIN SELECT RAISE(ABORT, {REFUSES}); END
    """,
    *(
        f"""
        CREATE TRIGGER {table}_is_never_deleted BEFORE DELETE ON orders_{table}
        BEGIN SELECT RAISE(ABORT, {REFUSES}); END
        """
        for table in ("movement", "press")
    ),
)
SQLITE_BACK = tuple(
    f"DROP TRIGGER {table}_is_never_{done}" for table in ("movement", "press") for done in ("deleted", "updated")
)


def forward(apps, schema_editor):
    for statement in POSTGRESQL if schema_editor.connection.vendor == "postgresql" else SQLITE:
        schema_editor.execute(statement)


def back(apps, schema_editor):
    for statement in POSTGRESQL_BACK if schema_editor.connection.vendor == "postgresql" else SQLITE_BACK:
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    accepted = {"batches": "it touches no row"}

    dependencies = [("orders", "0026_presses"), ("audit", "0003_exemption")]

    operations = [migrations.RunPython(forward, back)]
