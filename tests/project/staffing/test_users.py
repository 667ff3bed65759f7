"""Users: create, read, change, delete, and what a caller may not grant."""

from typing import Any

import pytest

from project.access.permissions import ALL, OF_CUSTOMERS, Permission
from project.identity.models import User
from tests.builders import Caller, Shop, customer, move, person, process, somebody

USERS = "/identity/users"
PASSWORD = "Taller.2026"

pytestmark = pytest.mark.usefixtures("quick_passwords")


def body(**fields: Any) -> dict[str, Any]:
    return {"email": "dora@obrador.test", "password": PASSWORD, "firstName": "Dora"} | fields


def created(shop: Shop, **fields: Any) -> dict[str, Any]:
    answer = shop.ana.post(USERS, body(**fields))
    assert answer.status == 201, answer
    made: dict[str, Any] = answer.json
    return made


def test_user_is_created_with_every_field_and_signs_in(shop: Shop) -> None:
    role = shop.ana.post("/identity/roles", {"name": "Piso", "permissions": [Permission.ShopFloor]}).json
    buyer = customer()
    fields = {
        "lastName": "Torres",
        "secondLastName": "Luna",
        "roleIds": [role["id"]],
        "userType": "Customer",
        "customerId": buyer.pk,
        "language": "en",
        "productionProcessIds": [shop.polishing.pk, shop.casting.pk],
    }
    made = created(shop, **fields)
    assert made["fullName"] == "Dora Torres Luna"
    assert made == made | fields | {"productionProcessIds": [shop.casting.pk, shop.polishing.pk]}
    assert (made["active"], made["locked"], made["version"]) == (True, False, 1)
    assert "password" not in made
    assert shop.ana.get(f"{USERS}/{made['id']}").json == made
    signed = shop.nobody.post("/identity/authentication/sign-in", {"username": made["email"], "password": PASSWORD})
    held = Caller(bearer=signed.json["access_token"]).post(
        "/identity/permissions/describe", {"subjectId": str(made["id"])}
    )
    assert {row["action"] for row in held.json} == OF_CUSTOMERS


def test_list_is_filtered_by_state_type_and_role(shop: Shop) -> None:
    role = shop.ana.post("/identity/roles", {"name": "Piso", "permissions": [Permission.ShopFloor]}).json
    dora = created(shop, roleIds=[role["id"]], userType="Customer", locked=True)["id"]
    eva = created(shop, email="eva@obrador.test", active=False)["id"]

    def found(query: str) -> list[int]:
        return [row["id"] for row in shop.ana.get(f"{USERS}?{query}").json]

    assert found(f"roleId={role['id']}") == found("userType=Customer") == found("locked=true") == [dora]
    assert found("active=false") == [eva]
    assert dora in found("active=true")
    assert eva not in found("active=true")
    assert found("active=false&locked=true") == []
    assert shop.ana.get(f"{USERS}?userType=Nobody").status == 422


def test_fields_left_out_of_a_change_keep_their_values(shop: Shop) -> None:
    made = created(shop, lastName="Torres", productionProcessIds=[shop.casting.pk])
    changed = shop.ana.put(f"{USERS}/{made['id']}", {"firstName": "Dorotea"}).json
    assert changed == made | {"firstName": "Dorotea", "fullName": "Dorotea Torres", "version": 2}


def test_change_without_effect_on_permissions_keeps_the_session(shop: Shop) -> None:
    shop.ana.put(f"{USERS}/{shop.beto.id}", {"firstName": "Alberto", "active": True, "locked": False})
    assert shop.beto.get(f"{USERS}/{shop.beto.id}").json["firstName"] == "Alberto"


@pytest.mark.parametrize("email", ["ANA@obrador.test", "ana@obrador.test"])
def test_e_mail_is_unique_regardless_of_case(shop: Shop, email: str) -> None:
    answer = shop.ana.post(USERS, body(email=email))
    assert (answer.status, answer.code, answer.fields) == (409, "already_exists", {"email": "already_exists"})
    answer = shop.ana.put(f"{USERS}/{shop.beto.id}", {"email": email})
    assert answer.code == "already_exists"


def test_user_may_change_the_case_of_their_own_e_mail(shop: Shop) -> None:
    assert shop.ana.put(f"{USERS}/{shop.ana.id}", {"email": "Ana@Obrador.Test"}).status == 200


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"email": "no e-mail"}, {"email": "invalid_email"}),
        ({"email": "a@b"}, {"email": "invalid_email"}),
        ({"email": ""}, {"email": "invalid_email"}),
        ({"firstName": "  "}, {"firstName": "required"}),
        ({"firstName": "x" * 201}, {"firstName": "too_long"}),
        ({"userType": "Robot"}, {"userType": "not_a_choice"}),
        ({"language": "fr"}, {"language": "not_a_choice"}),
        ({"active": "yes"}, {"active": "invalid_type"}),
        ({"locked": 1}, {"locked": "invalid_type"}),
        ({"roleIds": [999_999]}, {"roleIds.0": "unknown"}),
        ({"productionProcessIds": [999_999]}, {"productionProcessIds.0": "unknown"}),
        ({"customerId": 999_999}, {"customerId": "unknown"}),
        ({"roleIds": [True]}, {"roleIds.0": "invalid_type"}),
        ({"id": 7}, {"id": "unknown_field"}),
        ({"isSuperuser": True}, {"isSuperuser": "unknown_field"}),
        ({"tokenVersion": 7}, {"tokenVersion": "unknown_field"}),
        ({"fullName": "X"}, {"fullName": "unknown_field"}),
    ],
    ids=str,
)
def test_bad_fields_are_named_and_change_nothing(shop: Shop, fields: dict[str, Any], refused: dict[str, str]) -> None:
    before = shop.ana.get(f"{USERS}/{shop.beto.id}").json
    for answer in (shop.ana.post(USERS, body(**fields)), shop.ana.put(f"{USERS}/{shop.beto.id}", fields)):
        assert (answer.status, answer.fields) == (422, refused)
    assert User.objects.count() == 3
    assert shop.ana.get(f"{USERS}/{shop.beto.id}").json == before


@pytest.mark.parametrize(
    "password", ["Corta.1", "sinmayuscula.1", "SINMINUSCULA.1", "SinDigito.", "SinEspecial1", "DemasiadoLarga.1", ""]
)
def test_password_without_the_required_pattern_gets_422(shop: Shop, password: str) -> None:
    answer = shop.ana.post(USERS, body(password=password))
    assert (answer.status, answer.fields) == (422, {"password": "weak_password"})


@pytest.mark.parametrize("password", ["Justo.8a", "QuinceJustas.12"])
def test_password_of_8_to_15_characters_is_accepted(shop: Shop, password: str) -> None:
    created(shop, password=password)


def test_user_without_a_password_gets_422(shop: Shop) -> None:
    without = body()
    del without["password"]
    assert shop.ana.post(USERS, without).fields == {"password": "required"}


def test_user_may_read_only_themselves_without_permission_to_list_users(shop: Shop) -> None:
    own = shop.carla.get(f"{USERS}/{shop.carla.id}")
    assert (own.status, own.json["email"]) == (200, "carla@obrador.test")
    assert shop.carla.get(f"{USERS}/{shop.ana.id}").status == 403
    assert shop.carla.put(f"{USERS}/{shop.carla.id}", {"firstName": "C"}).status == 403


def test_describing_another_user_needs_permission_to_list_users(shop: Shop) -> None:
    describe = "/identity/permissions/describe"
    assert shop.carla.post(describe, {"subjectId": shop.carla.id}).json == []
    answer = shop.carla.post(describe, {"subjectId": shop.ana.id})
    assert (answer.status, answer.code) == (403, "permission_denied")
    reader = somebody(Permission.ListUsers)
    held = reader.post(describe, {"subjectId": str(shop.ana.id)}).json
    assert {row["action"] for row in held} == ALL
    assert set(held[0]) == {"id", "action", "group", "descriptionEs", "descriptionEn", "needs"}
    nobody = reader.post(describe, {"subjectId": 999_999})
    assert (nobody.status, nobody.code, nobody.fields) == (422, "invalid_fields", {"subjectId": "unknown"})


@pytest.mark.parametrize("subject", [True, 0, -1, 1.5, "ana", "1 ", "", None, [1], "9" * 30, 2**63])
def test_subject_that_is_no_id_gets_422(shop: Shop, subject: object) -> None:
    answer = shop.ana.post("/identity/permissions/describe", {"subjectId": subject})
    assert (answer.status, set(answer.fields)) == (422, {"subjectId"})


@pytest.mark.parametrize("change", [{"active": False}, {"locked": True}], ids=str)
def test_user_cannot_lock_or_deactivate_themselves(shop: Shop, change: dict[str, bool]) -> None:
    answer = shop.ana.put(f"{USERS}/{shop.ana.id}", change)
    assert (answer.status, answer.code) == (409, "own_account")
    assert shop.ana.get(f"{USERS}/{shop.ana.id}").status == 200


def test_user_cannot_delete_themselves(shop: Shop) -> None:
    answer = shop.ana.delete(f"{USERS}/{shop.ana.id}")
    assert (answer.status, answer.code) == (409, "own_account")


def test_delete_returns_the_user_as_they_were(shop: Shop) -> None:
    made = created(shop, productionProcessIds=[shop.casting.pk])
    answer = shop.ana.delete(f"{USERS}/{made['id']}")
    assert (answer.status, answer.json) == (200, made)
    assert shop.ana.get(f"{USERS}/{made['id']}").status == 404


def test_user_who_moved_pieces_cannot_be_deleted_but_can_be_deactivated(shop: Shop) -> None:
    worker = Caller(person("dora", *ALL, processes=[shop.casting]))
    move(worker, "in", shop.approved(5), shop.casting)
    answer = shop.ana.delete(f"{USERS}/{worker.id}", accept_language="en")
    assert (answer.status, answer.code) == (409, "in_use")
    assert "movements (1)" in answer.json["message"]
    assert shop.ana.put(f"{USERS}/{worker.id}", {"active": False}).status == 200


def test_user_cannot_grant_a_role_that_holds_more_than_they_do(shop: Shop) -> None:
    little = somebody(Permission.CreateUser, Permission.UpdateUser, Permission.ListMaterials)
    everything = shop.ana.user.roles.get().pk  # type: ignore[union-attr]
    for answer in (
        little.post(USERS, body(roleIds=[everything])),
        little.put(f"{USERS}/{shop.carla.id}", {"roleIds": [everything]}),
        little.put(f"{USERS}/{little.id}", {"roleIds": [everything]}),
    ):
        assert (answer.status, answer.code) == (403, "permission_denied")
        assert answer.json["params"] == {
            "missing": []
        }  # only callers who may list roles or users see what a role holds
    clerk = somebody(Permission.CreateUser, Permission.ListRoles)
    assert "ListUsers" in clerk.post(USERS, body(roleIds=[everything])).json["params"]["missing"]
    assert User.objects.count() == 5
    readers = shop.ana.post("/identity/roles", {"name": "R", "permissions": [Permission.ListMaterials]}).json["id"]
    assert little.put(f"{USERS}/{shop.carla.id}", {"roleIds": [readers]}).status == 200


def test_user_cannot_take_over_the_account_of_a_user_who_holds_more(shop: Shop) -> None:
    """A password opens the account, and an e-mail address receives the link that resets the password."""
    little = somebody(Permission.UpdateUser)
    for change in ({"password": "Robada.2026"}, {"email": "ladron@obrador.test"}):
        answer = little.put(f"{USERS}/{shop.ana.id}", change)
        assert (answer.status, answer.code) == (403, "permission_denied"), change
    assert User.objects.get(pk=shop.ana.id).email == "ana@obrador.test"
    assert little.put(f"{USERS}/{shop.carla.id}", {"email": "carla2@obrador.test"}).status == 200


def test_a_stale_version_is_refused(shop: Shop) -> None:
    made = created(shop)
    path = f"{USERS}/{made['id']}"
    assert shop.ana.put(path, {"firstName": "A"}, if_match='"1"').status == 200
    answer = shop.ana.put(path, {"firstName": "B"}, if_match='"1"')
    assert (answer.status, answer.code, answer.json["params"]) == (412, "stale_version", {"version": 2})


def test_users_are_searched_by_name_and_e_mail(shop: Shop) -> None:
    created(shop, secondLastName="Luna")
    for search in ("luna", "DORA@"):
        assert [row["email"] for row in shop.ana.get(f"{USERS}?search={search}").json] == ["dora@obrador.test"]


def test_removed_process_is_closed_to_the_user_at_once(shop: Shop) -> None:
    extra = process()
    shop.ana.put(f"{USERS}/{shop.beto.id}", {"productionProcessIds": [shop.casting.pk, extra.pk]})
    order = shop.approved(5)
    assert move(shop.beto, "in", order, shop.casting, 1).status == 200
    shop.ana.put(f"{USERS}/{shop.beto.id}", {"productionProcessIds": []})
    assert move(shop.beto, "out", order, shop.casting).code == "not_your_process"


def test_user_cannot_create_a_customer_account_that_reads_more_than_they_do(shop: Shop) -> None:
    keeper = somebody(Permission.ListUsers, Permission.CreateUser, Permission.UpdateUser)
    buyer = {"userType": "Customer", "customerId": customer().pk}
    made = created(shop, email="eva@obrador.test")["id"]
    for answer in (keeper.post(USERS, body(**buyer)), keeper.put(f"{USERS}/{made}", buyer)):
        assert (answer.status, answer.code) == (403, "permission_denied")
        assert set(answer.json["params"]["missing"]) == OF_CUSTOMERS
    trader = somebody(Permission.CreateUser, Permission.UpdateUser, *OF_CUSTOMERS)
    assert trader.post(USERS, body(**buyer)).status == 201


def test_making_a_customer_account_internal_needs_every_permission_of_its_roles(shop: Shop) -> None:
    role = shop.ana.post("/identity/roles", {"name": "Todo", "permissions": sorted(ALL)}).json
    dora = created(shop, userType="Customer", customerId=customer().pk, roleIds=[role["id"]])["id"]
    trader = somebody(Permission.UpdateUser, *OF_CUSTOMERS)
    answer = trader.put(f"{USERS}/{dora}", {"userType": "Internal"})
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert User.objects.get(pk=dora).user_type == "Customer"
    assert shop.ana.put(f"{USERS}/{dora}", {"userType": "Internal"}).status == 200


def test_internal_user_sets_only_their_own_language(shop: Shop) -> None:
    worker = somebody()
    path = f"{USERS}/{worker.id}/language"
    assert worker.get(f"{USERS}/{worker.id}").json["language"] == "es"
    answer = worker.put(path, {"language": "en"})
    assert (answer.status, answer.json["language"], answer.json["version"]) == (200, "en", 2)
    assert worker.put(path, {"language": "en"}).json["version"] == 2
    assert worker.get(f"{USERS}/{worker.id}").json["language"] == "en"
    assert worker.put(path, {"language": "fr"}).fields == {"language": "not_a_choice"}
    assert shop.ana.put(path, {"language": "es"}).status == 403
    assert worker.put(f"{USERS}/{shop.ana.id}/language", {"language": "en"}).status == 403
