"""The audit, and the exemption that lets one transaction change it. The database refuses all other changes.

A transaction that inserted an `Exemption` may erase names from audit rows, or delete old rows. Even then the database
refuses to change who did what to which record, and when.
"""

from django.db import migrations, models
from django.db.models import Q

from project.core.operations import Statements

KEPT = ("id", "at", "user_id", "entity", "entity_id", "action")
SAME = " AND ".join(f"OLD.{column} IS NOT DISTINCT FROM NEW.{column}" for column in KEPT)
MAY_ERASE = "EXISTS (SELECT 1 FROM audit_exemption WHERE erases)"
MAY_FORGET = "EXISTS (SELECT 1 FROM audit_exemption WHERE forgets_before > OLD.at)"
REFUSES = "'an audit entry is never changed or deleted'"
POSTGRESQL = (
    f"""
    CREATE FUNCTION audit_is_written_once() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' THEN
            IF {SAME} AND {MAY_ERASE} THEN RETURN NEW; END IF;
        ELSIF TG_OP = 'DELETE' THEN
            IF {MAY_FORGET} THEN RETURN OLD; END IF;
        END IF;
        RAISE EXCEPTION {REFUSES} USING ERRCODE = 'integrity_constraint_violation';
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
SQLITE = (
    f"""
    CREATE TRIGGER audit_is_never_updated BEFORE UPDATE ON audit_auditentry
    WHEN NOT ({SAME.replace("IS NOT DISTINCT FROM", "IS")} AND {MAY_ERASE})
    BEGIN SELECT RAISE(ABORT, {REFUSES}); END
    """,
    f"""
    CREATE TRIGGER audit_is_never_deleted BEFORE DELETE ON audit_auditentry
    WHEN NOT ({MAY_FORGET})
    BEGIN SELECT RAISE(ABORT, {REFUSES}); END
    """,
)
SQLITE_BACK = ("DROP TRIGGER audit_is_never_deleted", "DROP TRIGGER audit_is_never_updated")


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField()),
                ("user_id", models.BigIntegerField(null=True)),
                ("user_name", models.CharField(blank=True, default="", max_length=700)),
                ("address", models.CharField(blank=True, default="", max_length=64)),
                ("entity", models.CharField(max_length=40)),
                ("entity_id", models.BigIntegerField()),
                ("label", models.CharField(blank=True, default="", max_length=400)),
                ("action", models.CharField(max_length=40)),
                ("changes", models.JSONField(default=dict)),
            ],
            options={
                "indexes": [
                    models.Index(fields=["entity", "entity_id", "-id"], name="audit_by_record"),
                    models.Index(fields=["user_id", "-id"], name="audit_by_person"),
                    models.Index(fields=["at", "id"], name="audit_by_time"),
                ]
            },
        ),
        migrations.CreateModel(
            name="Exemption",
            fields=[
                ("id", models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ("erases", models.BooleanField(default=False)),
                ("forgets_before", models.DateTimeField(blank=True, null=True)),
            ],
            options={"constraints": [models.CheckConstraint(condition=Q(("id", 1)), name="audit_has_one_exemption")]},
        ),
        Statements(postgresql=POSTGRESQL, postgresql_back=POSTGRESQL_BACK, sqlite=SQLITE, sqlite_back=SQLITE_BACK),
    ]
