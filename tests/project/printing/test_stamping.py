"""A PAC stamps and cancels papers. Whatever it does, no paper gets two stamps."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from lxml import etree

from project.audit.models import AuditEntry
from project.billing import cfdi as stored
from project.billing.models import Cfdi, CfdiState
from project.core import clock
from project.core.logs import _own_secrets
from project.printing import pac as pacs
from project.settings import _pac
from tests.builders import Answer, Shop, at_once
from tests.project.billing.billing import PATH
from tests.project.billing.sat import RFC, Certificate, certificate
from tests.project.printing.fake_pac import PASSWORD, FakePac, served
from tests.project.printing.test_cfdi import certified, exports, invoiced, seal
from tests.telemetry import written_lines

KINDS = ("swsapien", "finkok")


@pytest.fixture(scope="module")
def own() -> Certificate:
    return certificate()


@pytest.fixture
def pac(settings: Any) -> Iterator[FakePac]:
    fake = FakePac()
    with served(fake) as address:
        settings.SAT_STATUS_URL = address
        settings.PAC = {"kind": "swsapien", "address": address, "user": "ana", "password": PASSWORD}
        yield fake


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, pac: FakePac, settings: Any) -> str:
    settings.PAC = {**settings.PAC, "kind": request.param}
    return str(request.param)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pacs, "SECONDS", 0.5)


def sealed(shop: Shop, own: Certificate) -> int:
    certified(shop, exports(shop), own)
    bill = invoiced(shop, 10)
    assert seal(shop, bill).status == 200
    return bill


def press(shop: Shop, bill: int) -> Answer:
    return shop.ana.post(f"/pdf/cfdi/{bill}/stamp")


def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the PAC answer again, after the minutes in which it might still be stamping."""
    monkeypatch.setattr(pacs, "SECONDS", 30.0)
    monkeypatch.setattr(stored, "RESENT_AFTER", timedelta(0))


def stored_once(pac: FakePac) -> None:
    (folio,) = pac.stamps
    assert [(row.state, row.uuid, row.sent_at) for row in Cfdi.objects.all()] == [(CfdiState.stamped, folio, None)]


@pytest.mark.usefixtures("kind")
def test_a_pac_stamps_a_sealed_paper(shop: Shop, own: Certificate, pac: FakePac) -> None:
    bill = sealed(shop, own)
    assert shop.ana.get(f"/pdf/cfdi/{bill}").json["pac"] is True
    answer = press(shop, bill)
    assert (answer.status, answer.json["state"], answer.json["uuid"]) == (200, "stamped", pac.stamps[0])
    stored_once(pac)
    assert press(shop, bill).code == "not_sealed"
    assert pac.asked == ["stamp"]


def test_without_a_pac_nothing_is_sent(shop: Shop, own: Certificate, settings: Any) -> None:
    bill = sealed(shop, own)
    assert settings.PAC is None
    assert shop.ana.get(f"/pdf/cfdi/{bill}").json["pac"] is False
    body = {"reason": "02"}
    assert [press(shop, bill).code, shop.ana.post(f"/pdf/cfdi/{bill}/cancel", body).code] == ["pac_required"] * 2
    assert shop.ana.post(f"/pdf/cfdi/{bill}/status").code == "pac_required"


def test_a_pac_that_cannot_be_reached_was_sent_nothing(
    shop: Shop, own: Certificate, pac: FakePac, settings: Any
) -> None:
    bill, there = sealed(shop, own), settings.PAC
    settings.PAC = {**there, "address": "http://127.0.0.1:9"}
    answer = press(shop, bill)
    assert (answer.status, answer.code) == (503, "pac_unavailable")
    assert Cfdi.objects.get().sent_at is None
    settings.PAC = there
    assert press(shop, bill).status == 200
    stored_once(pac)


@pytest.mark.usefixtures("impatient")
def test_an_answer_after_the_time_out_is_asked_for(
    shop: Shop, own: Certificate, pac: FakePac, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bill = sealed(shop, own)
    pac.fault = "late"
    assert press(shop, bill).code == "pac_unavailable"
    assert shop.ana.get(f"/pdf/cfdi/{bill}").json["sent"] is True
    assert shop.ana.delete(f"/pdf/cfdi/{bill}/seal").code == "stamp_pending"
    pac.fault = ""
    if kind == "swsapien":
        # It is not asked without its folio, and not sent again while the PAC may still be stamping.
        answer = press(shop, bill)
        assert (answer.code, answer.json["params"]) == ("pac_unavailable", {"retryAfter": 120})
        assert pac.asked == ["stamp"]
    patient(monkeypatch)
    assert press(shop, bill).json["state"] == "stamped"
    assert pac.asked == ["stamp", "stamp" if kind == "swsapien" else "stamped"]
    stored_once(pac)


@pytest.mark.usefixtures("impatient", "kind")
def test_a_paper_that_was_lost_is_sent_again(
    shop: Shop, own: Certificate, pac: FakePac, monkeypatch: pytest.MonkeyPatch
) -> None:
    bill = sealed(shop, own)
    pac.fault = "lost"
    assert press(shop, bill).code == "pac_unavailable"
    pac.fault = ""
    assert press(shop, bill).code == "pac_unavailable"
    assert pac.asked.count("stamp") == 1
    patient(monkeypatch)
    assert press(shop, bill).json["state"] == "stamped"
    stored_once(pac)


@pytest.mark.usefixtures("kind")
@pytest.mark.parametrize("fault", ["error", "nonsense"])
def test_an_answer_that_says_nothing_leaves_the_paper_in_doubt(
    shop: Shop, own: Certificate, pac: FakePac, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    bill = sealed(shop, own)
    pac.fault = fault
    assert press(shop, bill).code == "pac_unavailable"
    assert shop.ana.delete(f"/pdf/cfdi/{bill}/seal").code == "stamp_pending"
    pac.fault = ""
    patient(monkeypatch)
    assert press(shop, bill).status == 200
    stored_once(pac)


@pytest.mark.usefixtures("kind")
def test_a_paper_that_the_pac_refuses_can_be_mended(shop: Shop, own: Certificate, pac: FakePac) -> None:
    bill = sealed(shop, own)
    pac.fault = "refuse"
    answer = press(shop, bill)
    assert (answer.status, answer.code) == (422, "pac_refused")
    assert answer.json["params"] == {"reason": "CFDI40147 el código postal no existe"}
    assert shop.ana.delete(f"/pdf/cfdi/{bill}/seal").status == 200
    assert pac.stamps == []


@pytest.mark.usefixtures("impatient")
def test_a_refusal_after_a_time_out_leaves_the_paper_in_doubt(
    shop: Shop, own: Certificate, pac: FakePac, monkeypatch: pytest.MonkeyPatch
) -> None:
    bill = sealed(shop, own)
    pac.fault = "late"
    press(shop, bill)
    pac.fault = "refuse"
    patient(monkeypatch)
    assert press(shop, bill).code == "pac_refused"
    assert shop.ana.delete(f"/pdf/cfdi/{bill}/seal").code == "stamp_pending"
    pac.fault = ""
    assert press(shop, bill).status == 200
    stored_once(pac)


def test_a_seal_of_three_days_ago_without_a_stamp_is_free_again(shop: Shop, own: Certificate, pac: FakePac) -> None:
    bill = sealed(shop, own)
    long_ago = clock.now() - timedelta(hours=73)
    Cfdi.objects.update(sealed_at=long_ago, sent_at=long_ago)
    assert press(shop, bill).code == "stamp_expired"
    assert shop.ana.delete(f"/pdf/cfdi/{bill}/seal").status == 200
    assert pac.stamps == []


def test_the_stamp_of_another_paper_is_not_stored(shop: Shop, own: Certificate, pac: FakePac) -> None:
    bill = sealed(shop, own)
    pac.fault = "other"
    assert press(shop, bill).fields == {"xml": "other_invoice"}
    assert Cfdi.objects.get().state == CfdiState.sealed
    assert shop.ana.delete(f"/pdf/cfdi/{bill}/seal").code == "stamp_pending"


def test_people_who_press_at_once_get_one_stamp(busy_shop: Shop, own: Certificate, pac: FakePac) -> None:
    bill = sealed(busy_shop, own)
    answers = at_once([partial(press, busy_shop, bill)] * 4)
    outcomes = Counter(answer.status for answer in answers)
    assert (outcomes[200], sum(outcomes.values())) == (1, 4)
    assert set(outcomes) <= {200, 409, 503}
    assert pac.asked == ["stamp"]
    stored_once(pac)


def test_the_complement_of_a_payment_is_stamped_too(shop: Shop, own: Certificate, pac: FakePac) -> None:
    bill = sealed(shop, own)
    press(shop, bill)
    body = {"kind": "payment", "at": clock.now().isoformat(), "paymentForm": "03", "amount": 5, "rate": 18.5}
    made = shop.ana.post(f"{PATH}/{bill}/settlements", body).json["settlements"][0]["id"]
    assert shop.ana.post(f"/pdf/cfdi/{bill}/seal?settlementId={made}").status == 200
    answer = shop.ana.post(f"/pdf/cfdi/{bill}/stamp?settlementId={made}")
    assert (answer.json["state"], answer.json["uuid"]) == ("stamped", pac.stamps[1])


def cancel(shop: Shop, bill: int, **body: str) -> Answer:
    return shop.ana.post(f"/pdf/cfdi/{bill}/cancel", {"reason": "02", **body})


@pytest.mark.usefixtures("kind")
def test_a_paper_is_canceled_once_the_sat_says_so(shop: Shop, own: Certificate, pac: FakePac) -> None:
    bill = sealed(shop, own)
    press(shop, bill)
    other = "11111111-2222-4333-8444-555555555555"
    pac.standing = ("Vigente", "En proceso")
    answer = cancel(shop, bill, reason="01", replacedBy=other)
    assert (answer.status, answer.json["actions"]["cancel"]) == (200, False)
    request = etree.fromstring(pac.canceled[0])
    folio = request.find("{*}Folios/{*}Folio")
    assert dict(folio.attrib) == {"UUID": pac.stamps[0], "Motivo": "01", "FolioSustitucion": other}
    assert request.get("RfcEmisor") == RFC
    assert len(request.findtext(".//{*}SignatureValue")) > 300
    known = shop.ana.get(f"/pdf/cfdi/{bill}").json
    assert (known["state"], known["canceling"]) == ("stamped", True)
    assert shop.ana.post(f"/pdf/cfdi/{bill}/status").json["actions"]["cancel"] is False
    pac.standing = ("Cancelado", "Cancelado con aceptación")
    assert shop.ana.post(f"/pdf/cfdi/{bill}/status").json["actions"]["cancel"] is True
    row = Cfdi.objects.get()
    assert (row.state, row.reason, row.replaced_by) == (CfdiState.canceled, "01", other)
    total, end = etree.fromstring(row.xml.encode()).get("Total"), etree.fromstring(row.xml.encode()).get("Sello")[-8:]
    expected = f"?re={RFC}&amp;rr=XEXX010101000&amp;tt={total}&amp;id={row.uuid}&amp;fe={end}"
    assert set(pac.expressions) == {expected}
    actions = [one.action for one in AuditEntry.objects.filter(entity="delivery", entity_id=bill).order_by("id")]
    assert actions[-3:] == ["stamped", "cancelAsked", "unstamped"]


def test_a_cancellation_that_the_buyer_refuses_leaves_the_paper_stamped(
    shop: Shop, own: Certificate, pac: FakePac
) -> None:
    bill = sealed(shop, own)
    press(shop, bill)
    assert shop.ana.post(f"/pdf/cfdi/{bill}/status").code == "not_stamped"
    pac.standing = ("Vigente", "Solicitud rechazada")
    assert cancel(shop, bill).status == 200
    known = shop.ana.get(f"/pdf/cfdi/{bill}").json
    assert (known["state"], known["canceling"]) == ("stamped", False)
    pac.standing = ("Cancelado", "Cancelado sin aceptación")
    assert cancel(shop, bill).json["actions"]["cancel"] is True


@pytest.mark.usefixtures("kind")
def test_a_cancellation_that_the_sat_refuses_changes_nothing(shop: Shop, own: Certificate, pac: FakePac) -> None:
    bill = sealed(shop, own)
    press(shop, bill)
    pac.code = "204"
    answer = cancel(shop, bill)
    assert (answer.status, answer.code) == (422, "pac_refused")
    assert "204" in answer.json["params"]["reason"]
    pac.fault = "error"
    assert cancel(shop, bill).code == "pac_unavailable"
    assert cancel(shop, bill, reason="01").fields == {"replacedBy": "required"}
    row = Cfdi.objects.get()
    assert (row.state, row.cancel_asked_at, row.reason) == (CfdiState.stamped, None, "")


@pytest.mark.usefixtures("kind")
def test_the_password_of_a_pac_is_in_no_log(shop: Shop, own: Certificate, pac: FakePac) -> None:
    bill = sealed(shop, own)
    _own_secrets.cache_clear()
    with written_lines() as lines:
        for fault in ("refuse", "nonsense", ""):
            pac.fault = fault
            press(shop, bill)
            Cfdi.objects.filter(state=CfdiState.sealed).update(sent_at=None)
        assert PASSWORD in _own_secrets()
    assert Cfdi.objects.get().state == CfdiState.stamped
    assert PASSWORD not in str(lines)
    _own_secrets.cache_clear()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"PAC": "otro"}, "PAC must be one of"),
        ({"PAC": "swsapien"}, "PAC needs PAC_PASSWORD"),
        ({"PAC": "finkok", "PAC_PASSWORD": "x"}, "PAC_USER"),
        ({"PAC": "swsapien", "PAC_PASSWORD": "x", "PAC_URL": "http://pac.example.com"}, "https://"),
    ],
)
def test_a_pac_that_is_set_up_by_half_is_refused(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, str], said: str
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=said):
        _pac()


@pytest.mark.parametrize("kind", KINDS)
def test_a_pac_is_at_its_own_address_unless_another_is_set(
    monkeypatch: pytest.MonkeyPatch, settings: Any, kind: str
) -> None:
    for name, value in {"PAC": kind, "PAC_USER": "ana", "PAC_PASSWORD": "x"}.items():
        monkeypatch.setenv(name, value)
    settings.PAC = _pac()
    found = pacs.pac(lambda xml, names: {})
    assert found.address == pacs.PACS[kind].own_address
    assert found.address.startswith("https://")
