"""People are imported: names, an e-mail or a PIN, roles and processes by their names."""

from typing import Any

import pytest

from project.access.models import SignInAttempt
from project.identity.models import Role, User
from project.importing.models import ImportFile, ImportRow
from tests.builders import Caller, Shop, process, somebody
from tests.project.importing.test_kinds import answered
from tests.project.importing.test_mending import mend, row
from tests.project.importing.uploads import (
    XLSX,
    applied,
    csv_of,
    imported,
    previewed,
    refusals,
    rows_of,
    upload,
    xlsx_of,
)

HEADS = ["Nombre", "Apellido paterno", "Correo", "PIN", "Roles", "Procesos"]
PIN, OTHER_PIN = "482913", "314159"

pytestmark = pytest.mark.usefixtures("quick_passwords")


def role(shop: Shop, name: str, *permissions: str) -> int:
    return int(shop.ana.post("/identity/roles", {"name": name, "permissions": [*permissions]}).json["id"])


def named(name: str) -> User:
    return User.objects.get(first_name=name)


def test_people_get_their_names_roles_processes_and_a_pin_or_an_email(shop: Shop) -> None:
    ana = shop.ana
    floor, office = role(shop, "Piso, turno 2", "Station"), role(shop, "Oficina")
    polishing, filing = process("Pulido fino"), process("Limado fino")
    rows = [
        ["Guadalupe", "Nava", "", PIN, "piso, turno 2", "Pulido fino; limado fino"],
        ["Esteban", "", "esteban@obrador.test", "", "Piso, turno 2\nOficina", ""],
    ]
    result = imported(ana, "users", csv_of(HEADS, *rows))
    assert result["counts"] == {"new": 2, "changed": 0, "unchanged": 0, "refused": 0}
    lupe = ana.get(f"/identity/users/{named('Guadalupe').pk}").json
    assert (lupe["fullName"], lupe["email"], lupe["hasPin"]) == ("Guadalupe Nava", None, True)
    assert (lupe["roleIds"], lupe["productionProcessIds"]) == ([floor], sorted([polishing.pk, filing.pk]))
    esteban = ana.get(f"/identity/users/{named('Esteban').pk}").json
    assert (esteban["email"], esteban["hasPin"], esteban["roleIds"]) == (
        "esteban@obrador.test",
        False,
        sorted([floor, office]),
    )
    assert named("Esteban").has_usable_password(), "nobody knows it, but a new one can be asked for"


@pytest.mark.parametrize(
    ("cells", "refused"),
    [
        (["Ana", "", "", "", "", ""], {"email": "email_or_pin"}),
        (["", "Nava", "", PIN, "", ""], {"firstName": "required"}),
        (["Ana", "", "no es correo", "", "", ""], {"email": "invalid_email"}),
        (["Ana", "", "", "12345", "", ""], {"pin": "not_a_pin"}),
        (["Ana", "", "", "111111", "", ""], {"pin": "weak_pin"}),
        (["Ana", "", "", PIN, "Nadie", ""], {"roles": "unknown_name"}),
        (["Ana", "", "", PIN, "", "Nada"], {"processes": "unknown_name"}),
    ],
    ids=str,
)
def test_person_is_refused_with_the_column_at_fault(shop: Shop, cells: list[str], refused: dict[str, str]) -> None:
    assert refusals(shop.ana, previewed(shop.ana, "users", csv_of(HEADS, cells))) == {2: refused}


def test_person_who_is_here_already_is_refused_and_not_changed(shop: Shop) -> None:
    email = shop.ana.user.email if shop.ana.user else ""
    found = previewed(shop.ana, "users", csv_of(HEADS, ["Otra", "", email.upper(), "", "", ""]))
    assert refusals(shop.ana, found) == {2: {"email": "already_exists"}}


def test_email_or_pin_of_two_rows_is_refused(shop: Shop) -> None:
    rows = [["Uno", "", "", PIN, "", ""], ["Dos", "", "", PIN, "", ""]]
    rows += [["Tres", "", "x@obrador.test", "", "", ""], ["Seis", "", "X@obrador.test", "", "", ""]]
    found = previewed(shop.ana, "users", csv_of(HEADS, *rows))
    assert refusals(shop.ana, found) == {
        2: {"pin": "duplicate_row"},
        3: {"pin": "duplicate_row"},
        4: {"email": "duplicate_row"},
        5: {"email": "duplicate_row"},
    }
    assert mend(shop.ana, found, 3, pin=OTHER_PIN).json["counts"]["new"] == 2


def test_pin_that_somebody_has_is_refused_when_applied_and_can_be_mended(shop: Shop) -> None:
    ana = shop.ana
    imported(ana, "users", csv_of(HEADS, ["Uno", "", "", PIN, "", ""]))
    before = User.objects.count()
    rows = [["Dos", "", "", PIN, "", ""], ["Tres", "", "", OTHER_PIN, "", ""]]
    found = previewed(ana, "users", csv_of(HEADS, *rows))
    assert found["counts"]["new"] == 2, "a preview does not tell who has which PIN"
    result = applied(ana, found["id"])
    assert (result["state"], result["errorCode"], User.objects.count()) == ("ready", "import_rows_refused", before)
    assert (result["counts"]["new"], refusals(ana, result)) == (1, {2: {"pin": "pin_taken"}})
    assert SignInAttempt.objects.filter(purpose=SignInAttempt.PIN_GIVEN, failed=True).count() == 1
    assert mend(ana, found, 2, pin="271828").json["errorCode"] is None
    assert applied(ana, found["id"])["state"] == "applied"
    assert User.objects.count() == before + 2


def test_only_ten_taken_pins_a_day_are_told(shop: Shop) -> None:
    ana = shop.ana
    pins = [f"4{number}913" for number in range(10, 21)]
    imported(ana, "users", csv_of(HEADS, *([f"P{pin}", "", "", pin, "", ""] for pin in pins)))
    found = previewed(ana, "users", csv_of(HEADS, *([f"Q{pin}", "", "", pin, "", ""] for pin in pins)))
    before = User.objects.count()
    told = applied(ana, found["id"])
    assert (told["errorCode"], told["counts"]["refused"]) == ("import_rows_refused", 10)
    result = applied(ana, found["id"])
    assert (result["state"], result["errorCode"], result["counts"]["new"]) == ("ready", "too_many_attempts", 1)
    assert User.objects.count() == before


def test_nobody_gives_a_role_that_holds_more_or_a_process_of_others(shop: Shop) -> None:
    role(shop, "Jefa", "DeleteItem")
    process("Ajeno")
    clerk = somebody("CreateUser")
    rows = [
        ["Uno", "", "", PIN, "Jefa", ""],
        ["Dos", "", "", OTHER_PIN, "", "Ajeno"],
        ["Tres", "", "", "271828", "", ""],
    ]
    found = previewed(clerk, "users", csv_of(HEADS, *rows))
    assert refusals(clerk, found) == {2: {"roles": "permission_denied"}, 3: {"processes": "permission_denied"}}
    assert found["counts"]["new"] == 1


def test_import_of_people_needs_permission_to_create_them(shop: Shop) -> None:
    raw = csv_of(HEADS, ["Uno", "", "", PIN, "", ""])
    assert upload(somebody("ListUsers"), "users", raw).status == 403
    changer = somebody("UpdateUser")
    assert refusals(changer, previewed(changer, "users", raw)) == {2: {"firstName": "permission_denied"}}


def test_pins_are_shown_to_nobody_and_kept_only_as_hashes(shop: Shop) -> None:
    ana = shop.ana
    found = previewed(ana, "users", csv_of(HEADS, ["Uno", "", "", PIN, "", ""]))
    (shown,) = rows_of(ana, found)
    assert {change["field"]: change["after"] for change in shown["changes"]}["pin"] == "••••••"
    applied(ana, found["id"])
    assert (ImportRow.objects.count(), ImportFile.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("cell", "code"),
    [(482913, None), (482913.0, None), (12345, "text_expected"), ((71234, "000000"), None)],
    ids=str,
)
def test_pin_in_a_number_cell_has_six_digits_or_is_refused(shop: Shop, cell: Any, code: str | None) -> None:
    found = previewed(shop.ana, "users", xlsx_of(["Nombre", "PIN"], ["Uno", cell]), XLSX)
    assert refusals(shop.ana, found) == ({} if code is None else {2: {"pin": code}})


def test_own_list_of_people_needs_one_confirmation(shop: Shop) -> None:
    Role.objects.create(name="Taller de prueba")
    raw = csv_of(["Empleado", "Puesto", "NIP", "Ingreso"], ["Juan", "Taller de prueba", PIN, "2020"])
    found = previewed(shop.ana, "users", raw)
    assert [head["column"] for head in found["heads"]] == ["firstName", "roles", "pin", None]
    answered(shop.ana, found, "columns=firstName,roles,pin,")
    applied(shop.ana, found["id"])
    assert named("Juan").roles.get().name == "Taller de prueba"


@pytest.mark.parametrize("language", ["es-MX", "en-US"])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_template_of_people_can_be_uploaded_itself(shop: Shop, language: str, kind: str) -> None:
    by = Caller(shop.ana.user, accept_language=language)
    found = previewed(
        by, "users", by.raw(f"/api/imports/users/template.{kind}"), XLSX if kind == "xlsx" else "text/csv"
    )
    assert (found["rowsTotal"], found["doubts"]) == (0, [])


def test_refused_people_are_downloaded_with_what_was_written(shop: Shop) -> None:
    ana = shop.ana
    found = previewed(ana, "users", csv_of(HEADS, ["Uno", "", "", PIN, "", ""], ["Dos", "", "", "12", "", ""]))
    assert row(ana, found, 3)["errors"][0]["message"] == "«12» no es un PIN: son seis dígitos"
    applied(ana, found["id"])
    file = ana.raw(f"/api/imports/{found['id']}/refused.csv").decode("utf-8-sig")
    assert "Dos,,,12,,,PIN: «12» no es un PIN: son seis dígitos" in file
    assert "Uno" not in file
