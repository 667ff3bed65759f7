"""Rotating SECRET_KEY: old values stay valid while the old key is a fallback, and are refused without it."""

from collections.abc import Callable
from pathlib import Path

import httpx
import jwt
import pytest
from django.conf import LazySettings
from django.contrib.auth.tokens import default_token_generator

from project.access.known_browsers import Browser
from project.access.permissions import Permission
from project.identity import pins
from project.identity.models import User
from project.printing.codes import Place, seal
from tests.builders import Answer, Caller, Shop, person, somebody
from tests.project.displays.screens import DISPLAYS, named, waiting
from tests.project.pictures import picture, upload
from tests.project.station.standing import PIN, make_badge, name_oneself, set_pin
from tests.realtime import daphnes

OLD, NEW = "an old secret of more than thirty-two bytes", "a new secret of more than thirty-two bytes"
OTHER = "a secret that no server was ever given"
Use = Callable[[], Answer]


@pytest.fixture
def keys(settings: LazySettings, tmp_path: Path, quick_passwords: None) -> Callable[..., None]:
    """A function that sets the secrets as in a restarted process; the first one signs."""
    settings.MEDIA_ROOT = tmp_path

    def are(first: str, *others: str) -> None:
        settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = first, list(others)
        settings.QR_KEYS = [first, *others]

    are(OLD)
    return are


def session(shop: Shop) -> Use:
    caller = Caller(shop.ana.user)
    return lambda: caller.get("/api/materials")


def cursor(shop: Shop) -> Use:
    for name in ("Plata", "Oro"):
        shop.ana.post("/api/materials", {"name": name})
    link = Caller(shop.ana.user).get("/api/materials?limit=1").headers["Link"]
    address = link.partition(">")[0].removeprefix("<")
    return lambda: Caller(shop.ana.user).get(address)


def printed_code(shop: Shop) -> Use:
    code = seal(Place(shop.order(5), 1))
    return lambda: Caller(shop.ana.user).post("/api/scan", {"code": code})


def picture_address(shop: Shop) -> Use:
    path = f"/api/items/{shop.item.pk}"
    assert upload(Caller(shop.ana.user), f"{path}/document/anillo.jpeg", picture()).status == 201
    address = Caller(shop.ana.user).get(path).json["image"]
    return lambda: Caller().get(address)


def pin(shop: Shop) -> Use:
    set_pin(shop, shop.beto, PIN)
    tablet = person("tablet", Permission.Station)
    return lambda: name_oneself(Caller(tablet), pin=PIN)


def operator(shop: Shop) -> Use:
    """Uses a station session that a new secret does not end, so that only the operator's token is tested."""
    set_pin(shop, shop.beto, PIN)
    tablet = person("tablet", Permission.Station)
    token = name_oneself(Caller(tablet), pin=PIN).json["token"]
    return lambda: Caller(bearer=token).get(f"/api/station/{shop.casting.pk}")


def code_of_a_screen(shop: Shop) -> Use:
    code = waiting()["code"]
    return lambda: Caller(shop.ana.user).post(DISPLAYS, {"code": code, "name": "Entrada"})


def repeated_write(shop: Shop) -> Use:
    def write() -> Answer:
        return Caller(shop.ana.user).post("/api/materials", {"name": "Cobre"}, idempotency_key="k")

    assert write().status == 201
    return write


def reset_link(shop: Shop) -> Use:
    user = shop.beto.user
    assert user is not None
    body = {
        "token": f"{user.pk}-{default_token_generator.make_token(user)}",
        "newPassword": "Nueva.2026",
        "confirmNewPassword": "Nueva.2026",
    }
    return lambda: Caller().post("/identity/authentication/reset-password", body)


HANDED_OUT = {
    session: (401, "unauthenticated"),
    cursor: (422, "invalid_fields"),
    printed_code: (422, "unknown_code"),
    picture_address: (404, "not_found"),
    pin: (422, "unknown_operator"),
    operator: (401, "operator_over"),
    code_of_a_screen: (422, "unknown_pairing_code"),
    repeated_write: (422, "idempotency_key_reused"),
    reset_link: (422, "invalid_token"),
}


@pytest.mark.parametrize("hand_out", HANDED_OUT, ids=lambda one: one.__name__)
def test_value_stays_valid_until_the_old_secret_is_removed(
    hand_out: Callable[[Shop], Use], keys: Callable[..., None], shop: Shop
) -> None:
    shop = as_of_now(shop)
    use = hand_out(shop)
    keys(NEW)
    refused = use()
    assert (refused.status, refused.code) == HANDED_OUT[hand_out]
    keys(NEW, OLD)
    assert use().status in (200, 201), "the new secret comes before the old one"


@pytest.mark.parametrize("hand_out", HANDED_OUT, ids=lambda one: one.__name__)
def test_process_with_the_old_secret_first_accepts_values_made_with_the_new_one(
    hand_out: Callable[[Shop], Use], keys: Callable[..., None], shop: Shop
) -> None:
    """Both kinds of process run during a rolling restart."""
    keys(NEW, OLD)
    use = hand_out(as_of_now(shop))
    keys(OLD, NEW)
    assert use().status in (200, 201)


def as_of_now(shop: Shop) -> Shop:
    """The same shop, with its users signed in with the current secrets."""
    signed_in = {name: Caller(getattr(shop, name).user) for name in ("ana", "beto", "carla")}
    return Shop(**(vars(shop) | signed_in))


def test_token_names_the_key_that_signed_it(keys: Callable[..., None], shop: Shop) -> None:
    names = []
    for secret in (OLD, NEW):
        keys(secret)
        names.append(jwt.get_unverified_header(str(Caller(shop.ana.user).bearer))["kid"])
    assert names[0] != names[1]
    keys(NEW, OLD)
    assert jwt.get_unverified_header(str(Caller(shop.ana.user).bearer))["kid"] == names[1]


def test_displays_and_badges_do_not_depend_on_secrets(keys: Callable[..., None], shop: Shop) -> None:
    shop = as_of_now(shop)
    screen, _ = named(shop)
    badge = make_badge(shop, shop.beto)
    keys(NEW)
    assert screen.get("/api/shop-floor").status == 200
    assert name_oneself(somebody(Permission.Station), badge=badge).status == 200


def test_used_pin_is_rehashed_with_the_new_secret(keys: Callable[..., None], shop: Shop) -> None:
    use = pin(as_of_now(shop))
    keys(NEW, OLD)
    assert [*pins.kept_by_key()] == pins.key_ids()[1:]
    assert use().status == 200
    assert [*pins.kept_by_key()] == pins.key_ids()[:1]
    keys(NEW)
    assert use().status == 200


def test_pin_hashed_with_the_old_secret_counts_as_taken(keys: Callable[..., None], shop: Shop) -> None:
    pin(as_of_now(shop))
    keys(NEW, OLD)
    shop = as_of_now(shop)
    taken = set_pin(shop, shop.carla, PIN)
    assert (taken.status, taken.code, taken.fields) == (409, "already_exists", {"pin": "pin_taken"})
    assert User.objects.get(pk=shop.carla.id).pin_hash is None
    assert set_pin(shop, shop.beto, PIN).status == 200, "the PIN is already Beto's"


def test_pin_shared_by_two_users_over_two_secrets_names_neither(keys: Callable[..., None], shop: Shop) -> None:
    use = pin(as_of_now(shop))
    keys(NEW)
    User.objects.filter(pk=shop.carla.id).update(pin_hash=pins.hash_of_pin(PIN))
    keys(NEW, OLD)
    assert use().code == "unknown_operator"


def test_known_browser_stays_known(keys: Callable[..., None], shop: Shop) -> None:
    known = Browser("name", {}).with_account(7, "hash")
    keys(NEW, OLD)
    assert known.knows(7, "hash")
    assert not known.knows(7, "another password's")
    keys(NEW)
    assert not known.knows(7, "hash")


@pytest.mark.django_db(transaction=True)
def test_server_reads_its_secrets_from_the_environment(settings: LazySettings) -> None:
    settings.SECRET_KEY_FALLBACKS = []
    user = person("ana", Permission.ListMaterials)
    server = daphnes.start(SECRET_KEY=NEW, SECRET_KEY_FALLBACKS=OLD, QR_KEYS="")
    try:
        found = {}
        for secret in (OLD, NEW, OTHER):
            settings.SECRET_KEY = secret
            headers = {"Authorization": f"Bearer {Caller(user).bearer}"}
            found[secret] = httpx.get(f"{server.url}/api/materials", headers=headers).status_code
        assert found == {OLD: 200, NEW: 200, OTHER: 401}
        user.set_password("Taller.2026")
        user.save()
        body = {"username": user.email, "password": "Taller.2026", "rememberLogin": True}
        signed = httpx.post(f"{server.url}/identity/authentication/sign-in", json=body).json()["access_token"]
        settings.SECRET_KEY = NEW
        assert Caller(bearer=signed).get("/api/materials").status == 200, "the first secret signs"
    finally:
        server.stop()
