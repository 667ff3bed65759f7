"""The certificates with which companies seal invoices: checked, stored sealed, never shown."""

import base64
import logging
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core import management
from django.db import connection

from project.access.permissions import Permission
from project.audit.models import AuditEntry
from project.billing import csd
from project.billing.models import Csd
from project.catalogs.models import Company
from tests.builders import Shop, somebody
from tests.project.billing.billing import PATH, prepare
from tests.project.billing.sat import PASSWORD, RFC, Certificate, certificate


@pytest.fixture(scope="module")
def own() -> Certificate:
    return certificate()


@pytest.fixture
def company(shop: Shop) -> Company:
    found = prepare(shop)
    Company.objects.filter(pk=found.pk).update(tax_id=RFC)
    return found


def path(company: Company) -> str:
    return f"{PATH}/csd/{company.pk}"


def test_a_company_has_no_certificate_until_one_is_stored(shop: Shop, company: Company, own: Certificate) -> None:
    nothing = {"companyId": company.pk, "number": None, "rfc": None, "validFrom": None, "validTo": None}
    assert shop.ana.get(path(company)).json == nothing
    stored = shop.ana.put(path(company), own.body())
    assert (stored.status, stored.json["number"], stored.json["rfc"]) == (200, "30001000000500003416", RFC)
    assert shop.ana.get(path(company)).json == stored.json
    assert set(stored.json) == set(nothing)
    row = Csd.objects.get()
    assert csd.key_of(row).startswith(b"0")
    assert shop.ana.delete(path(company)).json == nothing
    assert not Csd.objects.exists()
    assert shop.ana.delete(path(company)).status == 404
    changes = [entry.changes["csd"] for entry in AuditEntry.objects.filter(entity="companies").order_by("id")]
    assert changes == [
        {"before": "", "after": "30001000000500003416"},
        {"before": "30001000000500003416", "after": ""},
    ]


@pytest.mark.parametrize(
    ("made", "change", "fields"),
    [
        ({"fiel": True}, {}, {"certificate": "csd_is_fiel"}),
        ({"days": (-10, -1)}, {}, {"certificate": "csd_expired"}),
        ({"days": (1, 10)}, {}, {"certificate": "csd_expired"}),
        ({"rfc": "OTR010101AB1"}, {}, {"certificate": "csd_other_rfc"}),
        ({}, {"password": "otra"}, {"password": "csd_wrong_password"}),
        ({}, {"password": ""}, {"password": "csd_wrong_password"}),
        ({}, {"certificate": "no es base64"}, {"certificate": "csd_unreadable"}),
        ({}, {"certificate": base64.b64encode(b"nada").decode()}, {"certificate": "csd_unreadable"}),
        ({}, {"certificate": "ñ"}, {"certificate": "csd_unreadable"}),
        ({}, {"key": "ñ"}, {"key": "csd_unreadable"}),
        ({}, {"key": base64.b64encode(b"nada").decode()}, {"key": "csd_unreadable"}),
        ({}, {"key": base64.b64encode(b"0nada").decode()}, {"password": "csd_wrong_password"}),
        ({}, {"key": "A" * 30_001}, {"key": "too_long"}),
    ],
)
def test_a_wrong_certificate_is_refused(
    shop: Shop, company: Company, made: dict[str, Any], change: dict[str, str], fields: dict[str, str]
) -> None:
    answer = shop.ana.put(path(company), certificate(**made).body() | change)
    assert (answer.status, answer.fields) == (422, fields)
    assert not Csd.objects.exists()


def test_a_key_of_another_certificate_is_refused(shop: Shop, company: Company, own: Certificate) -> None:
    answer = shop.ana.put(path(company), own.body(key=certificate()))
    assert answer.fields == {"key": "csd_other_key"}


def test_certificate_with_unreadable_extensions_is_refused(shop: Shop, company: Company, own: Certificate) -> None:
    usage = own.der.index(bytes.fromhex("0603551d0f0101ff04"))
    broken = own.der[: usage + 11] + b"\x05" + own.der[usage + 12 :]
    answer = shop.ana.put(path(company), own.body() | {"certificate": base64.b64encode(broken).decode()})
    assert (answer.status, answer.fields) == (422, {"certificate": "csd_unreadable"})


@pytest.mark.parametrize("written", ["obr-010101-ab1", " OBR 010101 AB1 "])
def test_marks_in_the_companys_rfc_do_not_count(shop: Shop, company: Company, own: Certificate, written: str) -> None:
    Company.objects.update(tax_id=written)
    assert shop.ana.put(path(company), own.body()).json["rfc"] == RFC


def test_rfc_that_changes_while_the_key_is_read_is_refused(
    shop: Shop, company: Company, own: Certificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = csd.read

    def slow(*args: Any, **kwargs: Any) -> csd.Read:
        found = read(*args, **kwargs)
        Company.objects.update(tax_id="OTR010101AB1")
        return found

    monkeypatch.setattr(csd, "read", slow)
    answer = shop.ana.put(path(company), own.body())
    assert (answer.status, answer.fields) == (422, {"certificate": "csd_other_rfc"})
    assert not Csd.objects.exists()


def test_an_rfc_with_enye_and_ampersand_is_the_companys(shop: Shop, company: Company) -> None:
    Company.objects.update(tax_id="Ñ&A010101AB1")
    assert shop.ana.put(path(company), certificate("Ñ&A010101AB1").body()).status == 200


def test_neither_key_nor_password_is_shown_anywhere(
    shop: Shop, company: Company, own: Certificate, caplog: pytest.LogCaptureFixture, tmp_path: Any
) -> None:
    caplog.set_level(logging.DEBUG)
    body = own.body()
    assert shop.ana.put(path(company), body).status == 200
    shop.ana.put(path(company), body | {"password": PASSWORD + "x"})
    plain = csd.key_of(Csd.objects.get())
    dump = tmp_path / "dump.json"
    management.call_command("dumpdata", "billing", "audit", "catalogs", output=str(dump))
    said = dump.read_text() + caplog.text + shop.ana.get("/api/audit").content.decode()
    said += shop.ana.get(f"/api/companies/{company.pk}").content.decode()
    for secret in (PASSWORD, body["key"], base64.b64encode(plain).decode(), plain.hex()):
        assert secret not in said
    with connection.cursor() as cursor:
        cursor.execute("SELECT key FROM billing_csd")
        assert plain.hex() not in cursor.fetchone()[0]


def test_a_key_opens_for_its_company_alone_and_after_the_secret_changed(
    shop: Shop, company: Company, own: Certificate, settings: Any
) -> None:
    shop.ana.put(path(company), own.body())
    row = Csd.objects.get()
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "n" * 40
    assert csd.key_of(row)
    assert csd.keys_needed() == [csd.key_ids()[1]]
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(csd.KeyUnreadable):
        csd.key_of(row)
    row.company_id += 1
    with pytest.raises(csd.KeyUnreadable):
        csd.key_of(row)


def test_only_who_changes_companies_stores_a_certificate(shop: Shop, company: Company, own: Certificate) -> None:
    reader = somebody(Permission.ListCompanies)
    assert reader.get(path(company)).status == 200
    assert reader.put(path(company), own.body()).status == 403
    assert reader.delete(path(company)).status == 403
    assert shop.ana.get(f"{PATH}/csd/999999").status == 404
    assert shop.ana.put(f"{PATH}/csd/999999", own.body()).status == 404


def test_the_certificate_is_read_as_of_a_day(own: Certificate) -> None:
    body = own.body()
    found = csd.read(body["certificate"], body["key"], PASSWORD, rfc=RFC.lower(), now=datetime.now(UTC))
    assert found.number == "30001000000500003416"
