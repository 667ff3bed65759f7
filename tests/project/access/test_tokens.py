"""Only tokens of this server open the API, and only while their session lasts."""

from datetime import UTC, datetime, timedelta
from typing import Any

import jwt
import pytest

from project.access import token
from project.access.permissions import Permission
from project.core import clock
from project.core.sealing import own_secrets
from project.identity.models import User
from tests.builders import Caller, Shop

pytestmark = pytest.mark.usefixtures("in_mexico_city")

PATH = "/api/materials"
NOON = datetime(2026, 3, 2, 18, tzinfo=UTC)  # noon in Mexico City
MIDNIGHT = datetime(2026, 3, 3, 6, tzinfo=UTC)


def claims(user: User | None) -> dict[str, Any]:
    """The claims of a valid token."""
    assert user is not None
    return jwt.decode(token.issue(user), options={"verify_signature": False})


KEY_ID, KEY = next(iter(token._keys(own_secrets()).items()))


def signed(claims: dict[str, Any], *, key: bytes = KEY, algorithm: str = "HS256", **headers: Any) -> str:
    return jwt.encode(claims, key, algorithm=algorithm, headers={"typ": "JWT", "kid": KEY_ID} | headers)


def test_token_names_its_user_and_expires_at_the_plants_midnight(shop: Shop) -> None:
    with clock.at(NOON):
        claimed = claims(shop.ana.user)
    assert set(claimed) >= {"sub", "iat", "exp", "jti", "ver", "aud"}
    assert claimed["sub"] == str(shop.ana.id)
    assert datetime.fromtimestamp(claimed["exp"], UTC) == MIDNIGHT
    assert datetime.fromtimestamp(claimed["iat"], UTC) == NOON
    assert claims(shop.ana.user)["jti"] != claimed["jti"]


def test_token_with_the_servers_key_and_claims_opens_the_api(shop: Shop) -> None:
    assert Caller(bearer=signed(claims(shop.ana.user))).get(PATH).status == 200


@pytest.mark.parametrize(
    "change",
    [
        {"aud": "elsewhere"},
        {"aud": None},
        {"exp": 1},
        {"exp": "tomorrow"},
        {"exp": 10**30},
        {"sub": "0"},
        {"sub": "999999"},
        {"sub": "ana"},
        {"sub": str(10**30)},
        {"sub": 1},
        {"ver": 0},
        {"ver": 2},
        {"ver": "x"},
        {"ver": None},
        {"nbf": 4_000_000_000},
    ],
    ids=str,
)
def test_wrong_claim_gets_401(shop: Shop, change: dict[str, Any]) -> None:
    forged = signed(claims(shop.ana.user) | change)
    answer = Caller(bearer=forged).get(PATH)
    assert (answer.status, answer.code) == (401, "unauthenticated")


@pytest.mark.parametrize("name", ["sub", "iat", "exp", "jti", "ver", "aud"])
def test_missing_claim_gets_401(shop: Shop, name: str) -> None:
    claimed = claims(shop.ana.user)
    del claimed[name]
    assert Caller(bearer=signed(claimed)).get(PATH).status == 401


def test_foreign_key_or_another_algorithm_gets_401(shop: Shop) -> None:
    claimed = claims(shop.ana.user)
    forged = [
        signed(claimed, key=b"k" * 64),
        signed(claimed, algorithm="HS512", key=b"k" * 64),
        signed(claimed, algorithm="HS512", key=KEY * 2),
        jwt.encode(claimed, None, algorithm="none", headers={"typ": "JWT", "kid": KEY_ID}),
        jwt.encode(claimed, None, algorithm="none", headers={"typ": "JWT", "kid": KEY_ID}) + "x",
        signed(claimed)[:-3] + "AAA",
        signed(claimed).rsplit(".", 1)[0] + ".",
    ]
    for bearer in forged:
        assert Caller(bearer=bearer).get(PATH).status == 401, bearer


@pytest.mark.parametrize(
    "headers",
    [
        {"typ": "at+jwt"},
        {"typ": None},
        {"crit": ["b64"], "b64": False},
        {"crit": []},
        {"kid": "another"},
        {"kid": ""},
    ],
    ids=str,
)
def test_another_kind_of_token_gets_401(shop: Shop, headers: dict[str, Any]) -> None:
    assert Caller(bearer=signed(claims(shop.ana.user), **headers)).get(PATH).status == 401


def test_session_ends_at_the_plants_midnight(shop: Shop) -> None:
    with clock.at(NOON):
        ana = Caller(shop.ana.user)
    with clock.at(MIDNIGHT - timedelta(seconds=1)):
        assert ana.get(PATH).status == 200
    with clock.at(MIDNIGHT):
        assert ana.get(PATH).status == 401


def test_sign_out_ends_only_this_token_at_once(shop: Shop) -> None:
    other = Caller(shop.ana.user)
    assert shop.ana.post("/identity/authentication/sign-out").status == 200
    assert shop.ana.get(PATH).status == 401
    assert shop.ana.post("/identity/authentication/sign-out").status == 401
    assert other.get(PATH).status == 200


@pytest.mark.parametrize(
    "change", [{"password": "Otra.2026"}, {"locked": True}, {"active": False}], ids=["password", "lock", "deactivation"]
)
def test_new_password_lock_or_deactivation_ends_every_session_at_once(
    shop: Shop, quick_passwords: None, change: dict[str, object]
) -> None:
    sessions = [shop.beto, Caller(shop.beto.user)]
    assert shop.ana.put(f"/identity/users/{shop.beto.id}", change).status == 200
    assert [session.get(PATH).status for session in sessions] == [401, 401]


def test_unlocking_does_not_revive_the_old_session(shop: Shop) -> None:
    for locked in (True, False):
        assert shop.ana.put(f"/identity/users/{shop.beto.id}", {"locked": locked}).status == 200
    assert shop.beto.get(PATH).status == 401
    assert Caller(User.objects.get(pk=shop.beto.id)).get(PATH).status == 200


def test_session_of_a_deleted_user_gets_401(shop: Shop) -> None:
    assert shop.ana.delete(f"/identity/users/{shop.beto.id}").status == 200
    assert shop.beto.get(PATH).status == 401


def test_changed_permissions_apply_at_once(shop: Shop) -> None:
    role = shop.ana.post("/identity/roles", {"name": "Lectura", "permissions": [Permission.ListMaterials]}).json
    assert shop.carla.get(PATH).status == 403
    shop.ana.put(f"/identity/users/{shop.carla.id}", {"roleIds": [role["id"]]})
    assert shop.carla.get(PATH).status == 200
    shop.ana.put(f"/identity/roles/{role['id']}", {"permissions": []})
    assert shop.carla.get(PATH).status == 403
    shop.ana.put(f"/identity/roles/{role['id']}", {"permissions": [Permission.ListMaterials]})
    assert shop.carla.get(PATH).status == 200
    shop.ana.delete(f"/identity/roles/{role['id']}")
    assert shop.carla.get(PATH).status == 403


def test_token_signed_with_another_secret_gets_401(shop: Shop, settings: object) -> None:
    settings.SECRET_KEY = "another secret key that is long enough to be one"  # type: ignore[attr-defined]
    assert shop.ana.get(PATH).status == 401


@pytest.mark.parametrize("scheme", ["bearer", "BEARER", "Bearer  "])
def test_scheme_is_case_insensitive(shop: Shop, scheme: str) -> None:
    assert shop.nobody.get(PATH, authorization=f"{scheme} {shop.ana.bearer}").status == 200
