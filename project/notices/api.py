"""REST of notifications, of a person's preferences, devices and notices, and of stopping mails.

See infra/docs/rules.md#notifications and infra/docs/rules.md#notices.
"""

from typing import Annotated

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from ninja import Path

from project.access.guard import SignedIn, caller
from project.access.principal import Principal
from project.core.answers import Created
from project.core.errors import NotFound
from project.core.idempotency import NotKept, Repeat
from project.core.routing import Public, domain_router
from project.core.schemas import MOST_ID, Id
from project.core.versions import if_match
from project.notices import announcing, causes, schemas, selectors, services
from project.notices.encryption import application_key
from project.notices.events import NotificationDocument, document
from project.notices.mailing import MOST_REFUSED, page_to_stop
from project.notices.models import Device, Notice, NoticeSettings
from project.notices.rules import NoticeKind, channels_of

router = domain_router("notices")
notifications = domain_router("notifications")

PathId = Annotated[Id, Path()]


def _preferences(row: NoticeSettings, by: Principal) -> schemas.NoticePreferencesOut:
    return schemas.NoticePreferencesOut(
        version=row.version,
        kinds=[
            schemas.KindOut(kind=kind, channels=list(channels)) for kind, channels in channels_of(row.channels).items()
        ],
        quiet_from=row.quiet_from.strftime("%H:%M") if row.quiet_from else None,
        quiet_until=row.quiet_until.strftime("%H:%M") if row.quiet_until else None,
        digest=row.digest,
        digest_offered=selectors.digest_offered(by),
        digest_hour=settings.DIGEST_HOUR,
        public_key=application_key(),
        mail_server=settings.MAIL_SERVER,
        address=selectors.email_of(by.user_id),
        mail_refused=row.mail_refused >= MOST_REFUSED,
    )


@router.get(
    "/preferences",
    auth=SignedIn("their own choices only"),
    operation_id="notice_preferences_get",
)
def preferences_get(request: HttpRequest) -> schemas.NoticePreferencesOut:
    """Return the caller's preferences: the channels of each kind of notice, the quiet hours and the digest."""
    by = caller(request)
    return _preferences(selectors.settings_of(by.user_id), by)


@router.put(
    "/preferences",
    auth=SignedIn("their own choices only"),
    operation_id="notice_preferences_update",
    repeat=Repeat(preferences_get),
)
def preferences_change(request: HttpRequest, body: schemas.NoticePreferencesChange) -> schemas.NoticePreferencesOut:
    """Change the caller's preferences: the channels of each kind of notice, the quiet hours and the digest."""
    by = caller(request)
    return _preferences(services.preferences_change(body=body, by=by, expected=if_match(request)), by)


def _device(row: Device) -> schemas.NoticeDeviceOut:
    return schemas.NoticeDeviceOut(
        id=row.pk,
        label=row.label,
        fingerprint=row.fingerprint,
        created_at=row.created_at,
        sent_at=row.sent_at,
        current=row.key == application_key(),
        failing=row.failures > 0,
    )


@router.get(
    "/devices",
    auth=SignedIn("their own browsers only"),
    operation_id="notice_device_list",
)
def device_list(request: HttpRequest) -> list[schemas.NoticeDeviceOut]:
    """List the browsers that get the caller's pushes, newest first."""
    return [_device(row) for row in selectors.devices_of(caller(request))]


@router.post(
    "/devices",
    auth=SignedIn("their own browsers only"),
    operation_id="notice_device_create",
)
def device_add(request: HttpRequest, body: schemas.NoticeDeviceIn) -> Created[schemas.NoticeDeviceOut]:
    """Register a browser for the caller's pushes. A browser that registers again keeps its device."""
    return Created(_device(services.device_add(body=body, by=caller(request))))


@router.get(
    "/devices/{int:device_id}",
    auth=SignedIn("their own browsers only"),
    operation_id="notice_device_get",
)
def device_get(request: HttpRequest, device_id: PathId) -> schemas.NoticeDeviceOut:
    """Read a device of the caller."""
    return _device(selectors.device_get(device_id, caller(request)))


@router.delete(
    "/devices/{int:device_id}",
    auth=SignedIn("their own browsers only"),
    operation_id="notice_device_delete",
)
def device_remove(request: HttpRequest, device_id: PathId) -> schemas.NoticeDeviceOut:
    """Remove a device: it gets no more pushes. Answers the removed device."""
    return _device(services.device_remove(device_id=device_id, by=caller(request)))


@router.post(
    "/devices/{int:device_id}/test",
    auth=SignedIn("their own browsers only"),
    operation_id="notice_device_test",
)
def device_test(request: HttpRequest, device_id: PathId) -> schemas.NoticeDeviceOut:
    """Send a push to a device, to see whether it arrives."""
    return _device(services.device_test(device_id=device_id, by=caller(request)))


def _notice(row: Notice) -> schemas.NoticeOut:
    params = dict(row.params)
    lines = params.pop("lineIds", None)
    if lines is not None:
        params["count"] = len(lines)
    return schemas.NoticeOut(
        id=row.pk, about=NoticeKind(row.kind), params=params, path=row.path, created_at=row.created_at
    )


@router.get("/bell", auth=SignedIn("their own notices only"), operation_id="notice_bell")
def bell(request: HttpRequest) -> schemas.BellOut:
    """Return the caller's own unread notices, and the types of notifications that their bell leaves out. 2 queries."""
    user_id = caller(request).user_id
    return schemas.BellOut(muted=selectors.muted(user_id), notices=[_notice(row) for row in selectors.unread(user_id)])


@router.post(
    "/bell/read",
    auth=SignedIn("their own notices only"),
    operation_id="notice_bell_read",
    repeat=Repeat(bell),
)
def bell_read(request: HttpRequest, body: schemas.NoticesReadIn) -> schemas.BellOut:
    """Mark notices as read. Answers what the bell then shows."""
    services.notices_read(ids=body.ids, by=caller(request))
    return bell(request)


@router.get(
    "/unsubscribe/{token}",
    auth=Public("the token of the mail is the proof"),
    operation_id="notice_unsubscribe_page",
    openapi_extra={"responses": {302: {"description": "The page on which the mails are stopped"}}},
)
def unsubscribe_page(request: HttpRequest, token: str) -> HttpResponse:
    """Open the page on which a person stops the mails. Stops nothing: mail programs preview links with GET."""
    return HttpResponseRedirect(page_to_stop(token))


@router.post(
    "/unsubscribe/{token}",
    auth=Public("the token of the mail is the proof"),
    operation_id="notice_unsubscribe",
    repeat=NotKept("nobody is signed in"),
)
def unsubscribe(request: HttpRequest, token: str) -> schemas.StoppedOut:
    """Stop the mails to which the token belongs, by one click in the mail program (RFC 8058).

    A repeat changes nothing.
    """
    return schemas.StoppedOut(stopped=services.mails_stop(token=token))


@notifications.get(
    "/unread",
    auth=SignedIn("their own notifications only"),
    operation_id="notification_unread",
)
def unread(request: HttpRequest) -> list[NotificationDocument]:
    """Return the caller's unread notifications. Those of pieces without exit come first."""
    return [document(row) for row in causes.unread(caller(request))]


def _notification(request: HttpRequest, notification_id: int) -> NotificationDocument:
    row = causes.find(notification_id, caller(request))
    if row is None:
        raise NotFound
    return document(row, read=True)


def _none_left_unread(request: HttpRequest) -> list[NotificationDocument]:
    return []


@notifications.post(
    "/{int:notification_id}/read",
    auth=SignedIn("their own notifications only"),
    operation_id="notification_read",
    repeat=Repeat(_notification),
)
def read(request: HttpRequest, notification_id: Annotated[int, Path(ge=0, le=MOST_ID)]) -> NotificationDocument:
    """Mark a notification as read."""
    return document(announcing.notification_read(notification_id=notification_id, by=caller(request)), read=True)


@notifications.post(
    "/read/all",
    auth=SignedIn("their own notifications only"),
    operation_id="notification_read_all",
    repeat=Repeat(_none_left_unread),
)
def read_all(request: HttpRequest) -> list[NotificationDocument]:
    """Mark all notifications as read. Returns the notifications that were unread, at most 1,000."""
    return [document(row, read=True) for row in announcing.notification_read_all(by=caller(request))]
