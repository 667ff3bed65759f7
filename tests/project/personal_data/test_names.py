"""Which names an erasure removes from texts, and which it keeps."""

import unicodedata

import pytest
from django.apps import apps
from django.db.models import CharField, JSONField, TextField

from project.access.permissions import ALL
from project.audit.models import AuditEntry
from project.catalogs.models import Company
from project.identity.models import User
from project.metal.models import Lot
from project.personal_data.sweeping import OTHERS_OWN, WRITTEN_FREELY
from tests.builders import Caller, Shop, belongs, line_path, move, person, release, somebody
from tests.project.customer_links.linking import LINKS, shared
from tests.project.metal import weighing
from tests.project.personal_data.test_erasing import erase, naming, xochitl

__all__ = ["xochitl"]


WRITTEN = [
    "Álvaro Íñiguez Ruiz",
    "ÁLVARO ÍÑIGUEZ",
    "álvaro íñiguez",
    "Alvaro  Iniguez",
    "Íñiguez Ruiz, Álvaro",
    "ÍÑIGUEZ ÁLVARO",
    unicodedata.normalize("NFD", "Álvaro\u00a0Íñiguez"),
]


@pytest.mark.parametrize("written", WRITTEN, ids=ascii)
def test_name_is_removed_in_every_spelling(shop: Shop, written: str) -> None:
    made = person("alvaro")
    User.objects.filter(pk=made.pk).update(first_name="Álvaro", last_name="Íñiguez", second_last_name="Ruiz")
    order = shop.approved(10)
    noted = shop.ana.put(f"{line_path(order)}/full", {"notes": f"Preguntar a {written}."})
    assert noted.status == 200, noted
    assert erase(shop.ana, made.pk, "Álvaro Íñiguez Ruiz").status == 200
    assert shop.line(order)["notes"] == f"Preguntar a Persona borrada #{made.pk}."
    assert naming("Íñiguez", "Iniguez", unicodedata.normalize("NFD", "Íñiguez")) == []


def test_name_is_removed_from_free_texts_in_catalogs(shop: Shop) -> None:
    made = person("alvaro")
    User.objects.filter(pk=made.pk).update(first_name="Álvaro", last_name="Íñiguez", second_last_name="Ruiz")
    text = "Aleación de Álvaro Íñiguez"
    material = shop.ana.post("/api/materials", {"name": "Latón", "description": text}).json
    component = shop.ana.post("/api/components", {"name": "Aro"}).json
    row = {"componentId": component["id"], "materialId": material["id"], "notes": "Lo pule Álvaro Íñiguez"}
    item = {"key": "A-1", "name": "Álvaro Íñiguez", "descriptionSpanish": text, "descriptionEnglish": text}
    product = shop.ana.post("/api/items", {**item, "components": [row]}).json
    shop.ana.post("/api/export-tax-items", {"code": "07113114", "spanishDescription": text})
    shop.ana.post("/identity/roles", {"name": "Fundidores", "description": text})
    assert erase(shop.ana, made.pk, "Álvaro Íñiguez Ruiz").status == 200
    assert naming("Íñiguez") == [f"catalogs.Item.name of {product['id']}"]
    kept = shop.ana.get(f"/api/items/{product['id']}").json
    assert kept["components"][0]["notes"] == f"Lo pule Persona borrada #{made.pk}"
    assert shop.ana.get("/api/materials?search=borrada").json[0]["id"] == material["id"]


def test_names_of_partners_and_the_papers_of_lots_are_swept(shop: Shop) -> None:
    made = person("alvaro")
    User.objects.filter(pk=made.pk).update(first_name="Álvaro", last_name="Íñiguez", second_last_name="Ruiz")
    received = weighing.receive(
        shop.ana, weighing.alloy(), supplier="Álvaro Íñiguez", document="remisión de Íñiguez Álvaro"
    )
    assert received.status == 201, received
    assert erase(shop.ana, made.pk, "Álvaro Íñiguez Ruiz").status == 200
    lot = Lot.objects.get()
    gone = f"Persona borrada #{made.pk}"
    assert (lot.supplier, lot.document) == (gone, f"remisión de {gone}")
    assert naming("Íñiguez", "Iniguez") == []


def test_no_company_certifies_in_the_name_of_an_erased_person(shop: Shop) -> None:
    made = person("alvaro")
    User.objects.filter(pk=made.pk).update(first_name="Álvaro", last_name="Íñiguez", second_last_name="Ruiz")
    for name in ("Ing. Álvaro Íñiguez", "María López"):
        Company.objects.create(name=name[:5], certifier_name=name, certifier_title="Gerente")
    assert erase(shop.ana, made.pk, "Álvaro Íñiguez Ruiz").status == 200
    assert list(Company.objects.order_by("id").values_list("certifier_name", flat=True)) == ["", "María López"]


def test_a_link_writes_no_more_to_the_address_of_an_erased_person(shop: Shop) -> None:
    made = person("alvaro")
    mailed, other = shared(shop, mailTo="ALVARO@obrador.test"), shared(shop, mailTo="otra@obrador.test")
    assert erase(shop.ana, made.pk, made.full_name).status == 200
    rows = [shop.ana.get(f"{LINKS}/{link['id']}").json["mailTo"] for link in (mailed, other)]
    assert rows == [None, "otra@obrador.test"]


THINGS = {
    *("key", "name", "name_spanish", "name_english", "name_image", "image", "legal_name", "tax_id", "quinto"),
    *("phone", "email", "phones", "emails", "addresses", "commercial_address", "measures", "user_name"),
    *("english_metal_name", "spanish_metal_name", "code", "token_digest", "secret_digest", "code_digest", "address"),
    *("first_name", "last_name", "second_last_name", "password", "pin_hash", "badge_hash", "action"),
    *("person_name", "closed_by_name", "process_name", "alloy_name", "certifier_title"),
    *("app_label", "model", "codename", "session_key", "session_data"),
}
"""Columns that name a thing or a person, or that hold no text about people."""


def test_every_text_column_is_a_name_or_is_swept() -> None:
    """Covers the apps in `OTHERS_OWN`, so that each new text column is decided."""
    columns = {
        field.name
        for model in apps.get_models()
        if model._meta.app_label in OTHERS_OWN
        for field in model._meta.concrete_fields
        if isinstance(field, CharField | TextField | JSONField) and not field.generated and not field.choices
        if field.max_length is None or field.max_length >= 60
    }
    assert columns - THINGS == WRITTEN_FREELY


def test_colleague_with_a_similar_name_keeps_it(shop: Shop) -> None:
    for name, second in (("lupe1", "Paz"), ("lupe2", "Luna")):
        made = person(name)
        User.objects.filter(pk=made.pk).update(first_name="Lupe", last_name="Ríos", second_last_name=second)
    first = User.objects.get(email="lupe1@obrador.test")
    order = shop.approved(10)
    shop.ana.put(f"{line_path(order)}/full", {"notes": "Lupe Ríos o Lupe Ríos Paz"})
    assert erase(shop.ana, first.pk, "Lupe Ríos Paz").status == 200
    assert shop.line(order)["notes"] == f"Lupe Ríos o Persona borrada #{first.pk}"


def test_colleague_with_the_same_name_keeps_it(shop: Shop) -> None:
    first, second = (person(name, *ALL, processes=[shop.casting]) for name in ("lupe1", "lupe2"))
    User.objects.filter(pk__in=[first.pk, second.pk]).update(first_name="Lupe", last_name="Ríos")
    for user in (first, second):
        user.refresh_from_db()
        order = shop.approved(1)
        move(Caller(user), "in", order, shop.polishing)
        move(Caller(user), "in", order, shop.casting, notes="Lupe Ríos")
        release(Caller(user), order, shop.casting)
    assert erase(shop.ana, first.pk, "Lupe Ríos").status == 200
    assert set(AuditEntry.objects.filter(user_id=second.pk).values_list("user_name", flat=True)) == {"Lupe Ríos"}
    assert not AuditEntry.objects.filter(user_id=first.pk, user_name="Lupe Ríos").exists()
    names = {(row["inputUsername"], row["inputNotes"]) for row in shop.history(order)}
    assert names == {("Lupe Ríos", "Lupe Ríos")}


def test_customer_with_the_erased_persons_name_keeps_it(shop: Shop) -> None:
    buyer = person("marta")
    shop.ana.put(f"/api/customers/{shop.customer.pk}", {"name": "Marta Torres"})
    belongs(buyer, shop.customer)
    answer = erase(shop.ana, buyer.pk, "Marta Torres")
    assert (answer.status, answer.json["customerId"]) == (200, None)
    assert shop.ana.get(f"/api/customers/{shop.customer.pk}").json["name"] == "Marta Torres"


def test_former_full_name_is_removed_from_notes(shop: Shop) -> None:
    somebody_else = person("pelagia")
    path = f"/identity/users/{somebody_else.pk}"
    for last_name in ("Viejez", "Nuevez"):
        assert shop.ana.put(path, {"firstName": "Pelagia", "lastName": last_name}).status == 200
    order = shop.order(1, notes="pidió Pelagia Viejez, hoy Pelagia Nuevez; Viejez sola queda")
    assert shop.ana.post(f"{path}/erase", {"name": "Pelagia Nuevez"}).status == 200
    notes = shop.ana.get(f"/api/sales-order/{order}").json["notes"]
    shown = f"Persona borrada #{somebody_else.pk}"
    assert notes == f"pidió {shown}, hoy {shown}; Viejez sola queda"


def test_refused_erasure_reveals_no_name(shop: Shop) -> None:
    weaker = somebody("ManagePersonalData")
    refused = weaker.post(f"/identity/users/{shop.ana.id}/erase", {"name": "x"})
    assert refused.code == "permission_denied", refused
    assert shop.ana.user is not None
    assert shop.ana.user.last_name not in refused.text
