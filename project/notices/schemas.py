"""Bodies and answers of a person's preferences, devices and notices."""

from typing import Annotated, Any

from pydantic import Field

from project.core.schemas import UNSET, Flag, Id, In, Instant, Name, Out
from project.notices.rules import Kind, NoticeChannel, NoticeKind

Clock = Annotated[str, Field(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$")]
"""A time of the plant, as `20:00`."""
Base64 = Annotated[str, Field(max_length=100, pattern=r"^[A-Za-z0-9_-]+={0,2}$")]
MOST_READ = 200


class KindIn(In):
    """The channels of a kind. A kind without channels is off."""

    kind: NoticeKind
    channels: Annotated[list[NoticeChannel], Field(max_length=len(NoticeChannel))]


class NoticePreferencesChange(In):
    """A person's changes of their preferences. Omitted kinds keep their channels. Null ends the quiet hours."""

    kinds: Annotated[list[KindIn], Field(max_length=len(NoticeKind))] = UNSET
    quiet_from: Clock | None = UNSET
    quiet_until: Clock | None = UNSET
    digest: Flag = UNSET


class KindOut(Out):
    kind: NoticeKind
    channels: list[NoticeChannel]


class NoticePreferencesOut(Out):
    """What a person chose, and what the installation can do.

    `publicKey`: the key for which a browser registers; empty if VAPID_KEY is not set, and no pushes are sent.
    `mailServer`: false if EMAIL_URL is not set, and no mails are sent. `address`: where the person's mails go.
    `mailRefused`: no mails are sent to the address, because the mail server has refused it several times; a change of
    the preferences lets mails be tried again. `digestOffered`: the person may have the digest, because they are
    notified of all lines.
    """

    version: int
    kinds: list[KindOut]
    quiet_from: Clock | None
    quiet_until: Clock | None
    digest: bool
    digest_offered: bool
    digest_hour: int
    public_key: str
    mail_server: bool
    address: str
    mail_refused: bool


class DeviceKeys(In):
    """The keys of a browser's subscription: a point of P-256 and 16 random bytes, in base64 for URLs."""

    p256dh: Annotated[Base64, Field(alias="p256dh")]  # as browsers name it
    auth: Base64


class NoticeDeviceIn(In):
    """A browser's subscription, as its Push API gives it, and a name by which the person knows the browser."""

    endpoint: Annotated[str, Field(min_length=1, max_length=2_000)]
    keys: DeviceKeys
    label: Name


class NoticeDeviceOut(Out):
    """A registered browser. `fingerprint`: SHA-256 of its endpoint in hexadecimal, by which a browser finds itself.

    `current`: the browser registered for the present VAPID_KEY. If not, it must register again. `failing`: the last
    push to the browser did not arrive.
    """

    id: int
    label: str
    fingerprint: str
    created_at: Instant
    sent_at: Instant | None
    current: bool
    failing: bool


class NoticeOut(Out):
    """A notice of the caller alone. `params`: the values in its text. `path`: the page that shows its subject."""

    id: int
    about: NoticeKind
    params: dict[str, Any]
    path: str
    created_at: Instant


class BellOut(Out):
    """What the bell shows besides notifications. `muted`: the types of notifications that the bell does not show."""

    muted: list[Kind]
    notices: list[NoticeOut]


class NoticesReadIn(In):
    """The notices that the caller has read. Ids of other people's notices are ignored."""

    ids: Annotated[list[Id], Field(max_length=MOST_READ)]


class StoppedOut(Out):
    """The mails that were stopped: `digest`, `link` or a kind."""

    stopped: str
