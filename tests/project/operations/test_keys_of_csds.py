"""Neither a backup nor a log, a trace or an error report holds the key of a CSD or its password."""

import base64
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from project.billing.models import Csd
from project.core.bounded import ProcessEnded
from project.operations import archive
from project.operations.repository import Repository
from project.printing import cfdi
from tests.builders import Shop
from tests.contract.test_no_secret_leaks import reports, spans
from tests.project.billing.billing import PATH
from tests.project.billing.sat import PASSWORD, Certificate, certificate
from tests.project.operations.backups import KEY, backup
from tests.project.printing.test_cfdi import exports, failing, invoiced, seal
from tests.telemetry import written_lines

__all__ = ["reports", "spans"]


@pytest.fixture(scope="module")
def own() -> Certificate:
    return certificate()


def secrets_of(own: Certificate) -> list[bytes]:
    """Return the password, and pieces of the key in each form in which it could be written.

    A database file splits long values. The first quarter of a key is public: the certificate has it.
    """
    plain = own.key.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    forms = [plain, base64.b64encode(plain), plain.hex().encode(), repr(plain)[2:-1].encode()]
    pieces = [form[place : place + 32] for form in forms for place in range(len(form) * 3 // 10, len(form) - 32, 64)]
    return [PASSWORD.encode(), json.dumps(PASSWORD).encode(), *pieces]


def test_a_backup_holds_a_csd_but_neither_its_key_nor_its_password(
    busy_shop: Shop, own: Certificate, folder: Path, empty_repository: Path
) -> None:
    shutil.copytree(empty_repository, folder)
    assert busy_shop.ana.put(f"{PATH}/csd/{exports(busy_shop).pk}", own.body()).status == 200
    backup()
    place = Repository(str(folder), [KEY])
    with place.reading(place.snapshots()[-1].id) as file:
        kept = list(archive.entries(file))
    database = b"".join(data for name, data in kept if name.startswith(archive.DATABASE))
    assert Csd.objects.get().number.encode() in database
    everything = database + b"".join(data for _, data in kept)
    assert [secret for secret in secrets_of(own) if secret in everything] == []


def test_logs_traces_and_error_reports_of_a_seal_that_fails_hold_neither(
    shop: Shop,
    own: Certificate,
    monkeypatch: pytest.MonkeyPatch,
    reports: list[dict[str, Any]],
    spans: InMemorySpanExporter,
) -> None:
    path = f"{PATH}/csd/{exports(shop).pk}"
    with written_lines() as lines:
        assert shop.ana.put(path, own.body()).status == 200
        assert shop.ana.put(path, own.body(password="x" + PASSWORD)).status == 422
        bill = invoiced(shop, 4)
        monkeypatch.setattr(cfdi._processes, "start", failing(ProcessEnded(-9)))
        assert seal(shop, bill).status == 503
    assert any("could not be written" in line["message"] for line in lines)
    assert reports
    told = json.dumps([lines, reports]) + "".join(span.to_json() for span in spans.get_finished_spans())
    assert "cfdi_seal" in told
    assert [secret for secret in secrets_of(own) if secret.decode("latin-1") in told] == []
