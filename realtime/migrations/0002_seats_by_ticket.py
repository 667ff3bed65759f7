"""A seat has the id of its ticket and stays for a while when it was left. Tickets are stored no more."""

import django.db.models.deletion
from django.db import migrations, models

class Migration(migrations.Migration):
    accepted = {
        "ban-drop-constraint": "a seat is a row while a socket is open, and an hour longer",
        "ban-drop-not-null": "a seat is a row while a socket is open, and an hour longer",
        "constraint-missing-not-valid": "a seat is a row while a socket is open, and an hour longer",
        "adding-foreign-key-constraint": "a seat is a row while a socket is open, and an hour longer",
    }

    dependencies = [
        ('realtime', '0001_initial'),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[migrations.DeleteModel(name='LiveTicket')],
            # The release before writes its tickets there; the next release drops the table.
        ),
        migrations.AddField(
            model_name='liveseat',
            name='left_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AlterField(
            model_name='liveseat',
            name='process',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to='realtime.liveprocess'),
        ),
        migrations.AlterField(
            model_name='liveseat',
            name='user_id',
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddConstraint(
            model_name='liveseat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('left_at__isnull', True), ('process__isnull', False), ('user_id__isnull', False)), models.Q(('left_at__isnull', False), ('process__isnull', True), ('user_id__isnull', True)), _connector='OR'), name='live_seat_is_somebodys_or_left'),
        ),
    ]
