"""Capture the log lines, error reports and traces of a process."""

import gzip
import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import brotli
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from project.core.logs import JsonLines, WithRequestId

DECODERS: dict[str, Callable[[bytes], bytes]] = {"": bytes, "gzip": gzip.decompress, "br": brotli.decompress}
"""Content-Encoding → the function that decodes a body."""


@contextmanager
def written_lines() -> Iterator[list[dict[str, Any]]]:
    """Capture the lines that this process logs, at every level, parsed from the JSON that the product writes."""
    written: list[dict[str, Any]] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            written.append(json.loads(self.format(record)))

    handler = Kept(logging.DEBUG)
    handler.addFilter(WithRequestId())
    handler.setFormatter(JsonLines())
    logging.getLogger().addHandler(handler)
    try:
        yield written
    finally:
        logging.getLogger().removeHandler(handler)


class Collector:
    """An HTTP server on this machine that receives error reports and traces."""

    def __init__(self) -> None:
        taken = self._taken = list[tuple[str, bytes]]()

        class Taking(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                taken.append((self.path, DECODERS[self.headers.get("Content-Encoding", "")](body)))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                """Print no access log."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.address = f"127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def bytes(self) -> bytes:
        """All received bodies."""
        return b"\n".join(body for _, body in self._taken)

    @property
    def spans(self) -> list[Any]:
        """The spans of all received traces."""
        bodies = [body for path, body in self._taken if path == "/v1/traces"]
        parts = [part for body in bodies for part in ExportTraceServiceRequest.FromString(body).resource_spans]
        return [span for part in parts for scope in part.scope_spans for span in scope.spans]

    @property
    def reports(self) -> list[dict[str, Any]]:
        """The received error reports. An envelope has three lines: its header, the item's header, the report."""
        bodies = [body.splitlines() for path, body in self._taken if path.endswith("/envelope/")]
        return [json.loads(lines[2]) for lines in bodies]
