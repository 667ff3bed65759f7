"""The marks that announcements carry now. By itself: PostgreSQL alters no table in the transaction that filled another."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("notifications", "0002_announcements")]

    operations = [migrations.DeleteModel("OldMark")]
