"""What was announced and read, people's preferences and browsers, what waits to be sent, and the mails of links."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from project.core.versions import Versioned
from project.notices.rules import NoticeChannel, NoticeKind

_KINDS = [kind.value for kind in NoticeKind]
MOST_ENDPOINT = 2_000


def _known_kind(name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(kind__in=_KINDS), name=name)


class Announcement(models.Model):
    """A cause that was announced to the staff, once. `kind`: a `rules.Kind`.

    The row is deleted when the cause is gone. If the cause comes back, it is announced again.
    """

    kind = models.CharField(max_length=40)
    cause_id = models.BigIntegerField()
    order_id = models.BigIntegerField(db_index=True)
    announced_at = models.DateTimeField()

    class Meta:
        db_table = "notifications_announcement"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["kind", "cause_id"], name="announcement_once"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.cause_id}"


class ReadMark(models.Model):
    """The person `user` has read a notification. The database deletes the mark with the announcement."""

    user = models.BigIntegerField()
    announcement = models.ForeignKey(Announcement, on_delete=models.DB_CASCADE, related_name="marks")
    read_at = models.DateTimeField()

    class Meta:
        db_table = "notifications_readmark"
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "announcement"], name="notification_read_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user} {self.announcement_id}"


class NoticeSettings(Versioned):
    """A person's preferences. A person without a row has the defaults.

    `channels`: the channels of each kind that the person has set; other kinds have the defaults. `quiet_from` and
    `quiet_until`: times of the plant between which no browser gets a push. `digest`: the person wants the digest.
    `digest_on`: the last day on which the digest was made. `mail_refused`: how many mails in a row the mail server has
    refused for good.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_settings")
    channels = models.JSONField(default=dict, db_default={})
    quiet_from = models.TimeField(null=True, blank=True)
    quiet_until = models.TimeField(null=True, blank=True)
    digest = models.BooleanField(default=False, db_default=False)
    digest_on = models.DateField(null=True, blank=True)
    mail_refused = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=Q(quiet_from__isnull=True, quiet_until__isnull=True)
                | Q(quiet_from__isnull=False, quiet_until__isnull=False) & ~Q(quiet_from=F("quiet_until")),
                name="notice_quiet_hours_whole",
            ),
        ]

    def __str__(self) -> str:
        return f"settings of {self.user_id}"


class Device(models.Model):
    """A browser that gets a person's pushes (RFC 8030).

    `fingerprint`: digest of the endpoint, by which the browser finds its own row. `p256dh` and `auth`: the browser's
    keys, with which pushes are encrypted. `key`: the public key with which the browser registered; a push signed with
    another key is refused. `failures`: how many pushes in a row did not arrive.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notice_devices")
    fingerprint = models.CharField(max_length=64, unique=True)
    endpoint = models.CharField(max_length=MOST_ENDPOINT)
    p256dh = models.CharField(max_length=88)
    auth = models.CharField(max_length=24)
    key = models.CharField(max_length=88)
    label = models.CharField(max_length=200)
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveSmallIntegerField(default=0, db_default=0)

    def __str__(self) -> str:
        return self.label


class Gathered(models.Model):
    """The causes of one kind that wait to be sent to a person on one channel. The row stays after they were sent.

    `causes`: the ids of the causes, each once. `path`: the page that shows the last cause. `since`: when the first
    cause came; null if none waits. `sent_at`: when causes were last sent.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    channel = models.CharField(max_length=4)
    causes = models.JSONField(default=list, db_default=[])
    path = models.CharField(max_length=200, default="", db_default="", blank=True)
    since = models.DateTimeField(null=True, blank=True, db_index=True)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "kind", "channel"], name="notices_gathered_once"),
            _known_kind("notices_gathered_kind_known"),
            models.CheckConstraint(
                condition=Q(channel__in=[NoticeChannel.Push.value, NoticeChannel.Mail.value]),
                name="notices_gathered_channel_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.channel} for {self.user_id}"


class PushMessage(models.Model):
    """A push on its way to a device. `payload`: JSON, encrypted when it is sent. `next_at`: the next attempt."""

    device = models.ForeignKey(Device, on_delete=models.CASCADE, related_name="messages")
    payload = models.TextField()
    created_at = models.DateTimeField()
    attempts = models.PositiveSmallIntegerField(default=0, db_default=0)
    next_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"push to {self.device_id}"


class Notice(models.Model):
    """A notice of one person in their bell. `about`: its subject; a newer notice about the same subject replaces it.

    `params`: the values in its text. `path`: the page that shows its subject.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=20)
    about = models.CharField(max_length=50)
    params = models.JSONField(default=dict, db_default={})
    path = models.CharField(max_length=200)
    created_at = models.DateTimeField(db_index=True)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["user", "about"], name="notice_about_once"),
            _known_kind("notice_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.about} for {self.user_id}"


class Raised(models.Model):
    """Marks a line about which people got a notice because it is late. Deleted when the line is no longer late."""

    kind = models.CharField(max_length=20)
    cause_id = models.BigIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["kind", "cause_id"], name="notices_raised_once"),
            _known_kind("notices_raised_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.cause_id}"


class Position(models.Model):
    """A single row with the id of the last event that was turned into notices."""

    event_id = models.BigIntegerField()

    def __str__(self) -> str:
        return str(self.event_id)


class LinkMail(models.Model):
    """The weekly mail of a customer's link (`links`).

    `page`: the link's address, sealed, because it holds the link's secret; empty if it is not known. `sent_on`: the
    Monday on which the mail was last made. `content`: SHA-256 of the last mail's title and rows. `stopped_at`: when its
    reader stopped it.
    """

    link_id = models.BigIntegerField(unique=True)
    address = models.EmailField(max_length=254)
    language = models.CharField(max_length=2)
    page = models.CharField(max_length=2_000, default="", db_default="", blank=True)
    sent_on = models.DateField(null=True, blank=True)
    content = models.CharField(max_length=64, default="", db_default="", blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)
    mail_refused = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=Q(language__in=["es", "en"]), name="link_mail_language_known"),
        ]

    def __str__(self) -> str:
        return f"mail of link {self.link_id}"
