"""A PAC and the SAT's service on this machine: they speak as SW Sapien, Finkok and the SAT do, and can fail."""

import base64
import hashlib
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from uuid import uuid4
from xml.sax.saxutils import escape

from tests.project.printing.test_cfdi import stamped

PASSWORD = "un-token-secreto"
SEALED = re.compile(rb"<\?xml.*</(?:cfdi:Comprobante|Cancelacion)>", re.DOTALL)
LONGEST_SECONDS = 60


class FakePac:
    """`stamps`: the folios that it gave. `asked`: the operations that it received, in their order.

    `fault`: "late" (stamps, and answers once `go` is set), "lost" (the same without a stamp), "refuse", "error" (500),
    "nonsense", "other" (answers the stamp of another paper). `code`: its answer to a cancellation. `standing`: what the
    SAT says of a paper, and of its cancellation.
    """

    def __init__(self) -> None:
        self.fault, self.code, self.standing = "", "201", ("Vigente", "")
        self.stamps: list[str] = []
        self.asked: list[str] = []
        self.canceled: list[bytes] = []
        self.expressions: list[str] = []
        self.go = threading.Event()
        self._known: dict[bytes, str] = {}
        self._lock = threading.Lock()

    def answer(self, path: str, headers: dict[str, str], body: bytes) -> tuple[int, str]:
        operation = next(
            (one for one in ("stamped", "cancel_signature", "get", "Consulta") if f":{one} ".encode() in body),
            path.rsplit("/", 2)[-2] if "cfdi33" in path else "stamp",
        )
        with self._lock:
            self.asked.append(operation)
        if operation == "Consulta":
            self.expressions.append(re.search(r"expresionImpresa>(.*?)<", body.decode())[1])  # type: ignore[index]
            state, canceling = self.standing
            return 200, (
                '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><ConsultaResponse><a:r '
                f'xmlns:a="urn:a"><a:Estado>{state}</a:Estado><a:EstatusCancelacion>{canceling}</a:EstatusCancelacion>'
                "</a:r></ConsultaResponse></s:Body></s:Envelope>"
            )
        soap = ".wsdl" in path
        if PASSWORD.encode() not in body and headers.get("Authorization") != f"Bearer {PASSWORD}":
            return (200, fault("bad user")) if soap else (401, json.dumps({"status": "error", "message": "no token"}))
        if self.fault == "error":
            return 500, "<html>"
        if self.fault == "nonsense":
            return 200, "<html>?"
        sent = re.search(rb"<o:xml>(.*?)</o:xml>", body)
        paper = base64.b64decode(sent[1]) if sent else SEALED.search(body)[0]  # type: ignore[index]
        if operation in ("cancel_signature", "cancel"):
            return 200, self._cancel(paper, soap=soap)
        if operation == "stamped":
            return 200, finkok(xml=self._known.get(paper, ""))
        assert soap or headers["customid"] == hashlib.sha256(paper).hexdigest()
        return self._stamp(paper, soap=soap)

    def _stamp(self, paper: bytes, *, soap: bool) -> tuple[int, str]:
        if self.fault == "refuse":
            reason = {"CodigoError": "CFDI40147", "MensajeIncidencia": "el código postal no existe"}
            if soap:
                return 200, finkok(**reason)
            return 400, json.dumps({"status": "error", "message": " ".join(reason.values()), "data": None})
        fault, before = self.fault, None
        if fault != "lost":
            with self._lock:
                before = self._known.get(paper)
                if before is None:
                    self.stamps.append(folio := str(uuid4()).upper())
                    self._known[paper] = stamped(paper.decode(), UUID=folio)
        if fault in ("late", "lost"):
            self.go.wait(LONGEST_SECONDS)
            return 504, ""
        xml = self._known[paper]
        if fault == "other":
            xml = xml.replace("FCA", "CIF")
        if before and soap:
            return 200, finkok(CodigoError="307", MensajeIncidencia="El CFDI contiene un timbre previo")
        if before:
            return 400, json.dumps(
                {"status": "error", "message": "307. El comprobante contiene un timbre previo.", "data": {"cfdi": xml}}
            )
        return 200, finkok(xml=xml) if soap else json.dumps({"status": "success", "data": {"cfdi": xml}})

    def _cancel(self, paper: bytes, *, soap: bool) -> str:
        self.canceled.append(paper)
        folio = re.search(r'UUID="([^"]+)"', paper.decode())[1]  # type: ignore[index]
        if soap:
            return finkok(UUID=folio, EstatusUUID=self.code)
        status = "success" if self.code in ("201", "202") else "error"
        return json.dumps({"status": status, "message": None, "data": {"uuid": {folio: self.code}, "acuse": ""}})


def finkok(**fields: str) -> str:
    texts = "".join(f"<s0:{name}>{escape(value)}</s0:{name}>" for name, value in fields.items())
    return (
        '<?xml version="1.0" encoding="UTF-8"?><senv:Envelope xmlns:senv="http://schemas.xmlsoap.org/soap/envelope/" '
        f'xmlns:s0="apps.services.soap.core.views"><senv:Body><s0:Result>{texts}</s0:Result></senv:Body></senv:Envelope>'
    )


def fault(reason: str) -> str:
    return finkok(error=reason)


@contextmanager
def served(pac: FakePac) -> Iterator[str]:
    """Serve a PAC. Yields its address."""

    class Answering(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, text = pac.answer(self.path, dict(self.headers), body)
            with suppress(BrokenPipeError, ConnectionResetError):  # the caller did not wait
                self.send_response(status)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())

        def log_message(self, format: str, *args: object) -> None:
            """Print no access log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        pac.go.set()
        server.shutdown()
        server.server_close()
        thread.join()
