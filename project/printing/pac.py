"""The PACs, which stamp and cancel electronic papers, and the SAT's service that says how a paper stands.

One adapter for each PAC (infra/docs/rules.md#stamping). Answers in XML are foreign content: `read` reads them in the
process of invoices. No password and no address with one is logged.
"""

import base64
import hashlib
import json
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar
from xml.sax.saxutils import escape

from django.conf import settings

from project.core import tracing
from project.core.errors import Refusal, Unavailable

logger = logging.getLogger(__name__)

SECONDS = 30.0
"""How long one call may last, from its start to the last byte of its answer."""
MOST_BYTES = 4 << 20
MOST_REASON = 300
DONE = frozenset({"201", "202"})
"""The SAT's codes of a cancellation that it has taken, now or before."""
TWICE = "307"
"""The SAT's code of a paper that was stamped before."""

type Read = Callable[[bytes, tuple[str, ...]], Mapping[str, str]]
"""Returns the texts of the first elements with these names in an XML; of those that are missing, none."""


class PacRequired(Refusal):
    """No PAC is set up: the setting `PAC` is missing."""

    code = "pac_required"


class PacUnavailable(Unavailable):
    """The PAC or the SAT did not answer. It may still have done what was asked: ask again."""

    code = "pac_unavailable"


class PacUnreached(PacUnavailable):
    """The PAC could not be reached, so nothing was sent to it."""


class PacRefused(Refusal):
    """The PAC or the SAT refused the stamp or the cancellation. `reason`: why, in their words."""

    status = 422
    code = "pac_refused"


@dataclass(frozen=True)
class Pac(ABC):
    """A PAC at an address, with the account that pays for the stamps."""

    address: str
    user: str
    password: str
    read: Read

    @abstractmethod
    def stamp(self, sealed: bytes) -> str:
        """Let the PAC stamp a sealed paper. Returns its stamped XML.

        Raises `PacRefused`, `PacUnavailable`, `PacUnreached`.
        """

    @abstractmethod
    def ask(self, sealed: bytes) -> str | None:
        """Ask for the stamp of a sealed paper that was sent before. Returns the stamped XML; None if there is no stamp.

        Raises `PacUnavailable`.
        """

    @abstractmethod
    def cancel(self, signed: bytes) -> None:
        """Send a signed request to cancel one paper to the SAT. Raises `PacRefused`, `PacUnavailable`."""


class SwSapien(Pac):
    """SW Sapien, by its REST API. `password` is a token that does not expire; `user` is not used."""

    own_address: ClassVar = "https://services.sw.com.mx"

    def stamp(self, sealed: bytes) -> str:
        # A second paper with this id is answered with the stamp of the first, for 72 hours.
        answer = self._sent("v4/cfdi33/stamp/v4", sealed, customid=hashlib.sha256(sealed).hexdigest())
        xml = _inside(answer, "data", "cfdi")
        if isinstance(xml, str) and (answer.get("status") == "success" or TWICE in str(answer.get("message"))):
            return xml
        raise PacRefused(reason=_reason(answer.get("message"), answer.get("messageDetail")))

    def ask(self, sealed: bytes) -> str | None:
        """Return None. SW Sapien can be asked only for a folio, which a paper without a stamp does not have.

        The same paper may be sent again: `stamp` then returns the stamp that the PAC gave it before.
        """
        return None

    def cancel(self, signed: bytes) -> None:
        answer = self._sent("cfdi33/cancel/xml", signed)
        codes = _inside(answer, "data", "uuid")
        if not isinstance(codes, dict) or not {str(code) for code in codes.values()} & DONE:
            raise PacRefused(reason=_reason(answer.get("message"), answer.get("messageDetail"), codes))

    def _sent(self, path: str, xml: bytes, **headers: str) -> dict[str, Any]:
        content = _post(
            f"{self.address}/{path}",
            files={"xml": ("xml", xml, "text/xml")},
            headers={"Authorization": f"Bearer {self.password}", **headers},
        )
        try:
            answer = json.loads(content)
        except ValueError as error:
            raise PacUnavailable from error
        if not isinstance(answer, dict):
            raise PacUnavailable
        return answer


class Finkok(Pac):
    """Finkok, by SOAP."""

    own_address: ClassVar = "https://facturacion.finkok.com"

    def stamp(self, sealed: bytes) -> str:
        answer = self._sent("stamp", "stamp", sealed)
        if xml := answer.get("xml"):
            return xml
        if answer.get("CodigoError") == TWICE:
            if found := self.ask(sealed):
                return found
            raise PacUnavailable  # it has the stamp, and finds it some seconds later
        raise PacRefused(reason=_reason(*(answer.get(name) for name in ("CodigoError", *_REASONS))))

    def ask(self, sealed: bytes) -> str | None:
        return self._sent("stamp", "stamped", sealed).get("xml") or None

    def cancel(self, signed: bytes) -> None:
        answer = self._sent("cancel", "cancel_signature", signed)
        if answer.get("EstatusUUID") not in DONE:
            raise PacRefused(reason=_reason(*(answer.get(name) for name in ("EstatusUUID", "CodEstatus", *_REASONS))))

    def _sent(self, service: str, operation: str, xml: bytes) -> Mapping[str, str]:
        fields = {"xml": base64.b64encode(xml).decode(), "username": self.user, "password": self.password}
        parts = "".join(f"<o:{name}>{escape(value)}</o:{name}>" for name, value in fields.items())
        body = f'<o:{operation} xmlns:o="http://facturacion.finkok.com/{service}">{parts}</o:{operation}>'
        answer = _soap(f"{self.address}/servicios/soap/{service}.wsdl", body, operation)
        return self.read(answer, ("xml", "CodigoError", "EstatusUUID", "CodEstatus", *_REASONS))


_REASONS = ("MensajeIncidencia", "faultstring", "error")
PACS: Mapping[str, type[SwSapien | Finkok]] = {"swsapien": SwSapien, "finkok": Finkok}


def pac(read: Read) -> Pac:
    """Return the PAC of the settings. Raises `PacRequired`."""
    of: Mapping[str, str] | None = settings.PAC
    if of is None:
        raise PacRequired
    kind = PACS[of["kind"]]
    return kind(address=of["address"] or kind.own_address, user=of["user"], password=of["password"], read=read)


@dataclass(frozen=True)
class Standing:
    """The SAT's answer about a paper. `state`: "Vigente", "Cancelado" or "No Encontrado".

    `canceling`: the SAT's text about a requested cancellation; empty if there is none.
    """

    state: str
    canceling: str

    @property
    def is_canceled(self) -> bool:
        return self.state == "Cancelado"

    @property
    def was_refused(self) -> bool:
        """Whether the buyer has refused the cancellation."""
        return "rechazad" in self.canceling.lower()


def status(expression: str, read: Read) -> Standing:
    """Ask the SAT for the state of a paper. `expression`: the text of its printed code. Raises `PacUnavailable`."""
    body = (
        '<tem:Consulta xmlns:tem="http://tempuri.org/"><tem:expresionImpresa>'
        f"{escape(expression)}</tem:expresionImpresa></tem:Consulta>"
    )
    action = "http://tempuri.org/IConsultaCFDIService/Consulta"
    answer = read(_soap(f"{settings.SAT_STATUS_URL}/ConsultaCFDIService.svc", body, action), ("Estado", *_CANCELING))
    if "Estado" not in answer:
        raise PacUnavailable
    return Standing(answer["Estado"], answer.get("EstatusCancelacion", ""))


_CANCELING = ("EstatusCancelacion",)


def _soap(address: str, body: str, action: str) -> bytes:
    envelope = (
        '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Header/>'
        f"<s:Body>{body}</s:Body></s:Envelope>"
    )
    headers = {"Content-Type": "text/xml; charset=utf-8", "SOAPAction": action}
    return _post(address, content=envelope.encode(), headers=headers)


def _post(address: str, **sent: Any) -> bytes:
    """Return what an address answers, also to what it refuses. Raises `PacUnreached`, `PacUnavailable`."""
    import httpx  # nothing else of a print needs it

    until, body = time.monotonic() + SECONDS, b""
    try:
        with (
            tracing.asking("the PAC"),
            httpx.Client(trust_env=False) as client,
            client.stream("POST", address, timeout=SECONDS, **sent) as response,
        ):
            # The timeout is that of each read: a body that drips would last as long as it likes.
            for piece in response.iter_bytes():
                body += piece
                if len(body) > MOST_BYTES or time.monotonic() > until:
                    raise PacUnavailable
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        logger.warning("a PAC cannot be reached: %s", type(error).__name__)
        raise PacUnreached from error
    except httpx.HTTPError as error:
        logger.warning("a PAC does not answer: %s", type(error).__name__)
        raise PacUnavailable from error
    # A fault of SOAP is a 500 with a body that says why.
    if response.status_code >= 500 and b"faultstring" not in body:
        raise PacUnavailable
    return body


def _inside(answer: Mapping[str, Any], *names: str) -> Any:
    found: Any = answer
    for name in names:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _reason(*parts: object) -> str:
    return " ".join(str(part) for part in parts if part)[:MOST_REASON]
