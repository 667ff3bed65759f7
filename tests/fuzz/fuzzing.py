"""Run Schemathesis over the OpenAPI of a running server as one caller, and count the findings."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

HERE = Path(__file__).resolve().parent
ENDS_A_SESSION = [
    "sign_out",
    "user_change_password",
    "user_update",
    "user_delete",
    "user_erase",
    "role_update",
    "role_delete",
]
"""Operations that can end the caller's session or take their rights. Later calls would be anonymous."""
OF_THE_SCHEMA = frozenset(
    {
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
        "response_headers_conformance",
        "allow_header_conformance",
    }
)
AUTHENTICATION = "ignored_auth"
# Whether a field is valid can depend on another field or on stored records, which OpenAPI cannot express.
NOT_CHECKED = "positive_data_acceptance,object_level_authorization"
SHOWN = 400


@dataclass
class Findings:
    """The findings of one caller. `failures`: check and operation → the first failure in words."""

    operations: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    """Operations that were answered 2xx at least once."""
    examples: int = 0
    server_errors: int = 0
    of_schema: int = 0
    authentication_ignored: int = 0
    others: int = 0
    failures: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def bad(self) -> bool:
        return bool(self.server_errors or self.of_schema or self.authentication_ignored or self.others)

    def add(self, other: "Findings") -> None:
        self.operations |= other.operations
        self.done |= other.done
        self.failures = other.failures | self.failures
        for name in ("examples", "server_errors", "of_schema", "authentication_ignored", "others"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def fuzz(url: str, bearer: str | None, *options: str, seed: int, seconds: int | None = None) -> Findings:
    """One run of schemathesis against the server at `url`. Raises RuntimeError if it did not run."""
    with tempfile.TemporaryDirectory(prefix="obrador-fuzz.") as folder:
        report = Path(folder) / "events.ndjson"
        run = subprocess.run(
            [
                Path(sys.executable).with_name("schemathesis"),
                "--no-color",
                "run",
                f"{url}/api/openapi.json",
                f"--seed={seed}",
                f"--exclude-checks={NOT_CHECKED}",
                "--continue-on-failure",
                "--no-shrink",
                "--generation-database=none",
                "--suppress-health-check=all",
                "--request-timeout=30",
                "--warnings=off",
                "--report=ndjson",
                f"--report-ndjson-path={report}",
                *([f"--header=Authorization: Bearer {bearer}"] if bearer else []),
                *([f"--max-time={seconds}"] if seconds else []),
                *options,
            ],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(HERE.parents[1]), "SCHEMATHESIS_HOOKS": "tests.fuzz.hooks"},
            capture_output=True,
            text=True,
            check=False,
        )
        if not report.exists() or "Test cases:" not in run.stdout:
            raise RuntimeError(run.stdout[-2_000:] + run.stderr[-2_000:])
        found = read(report)
        found.operations &= documented(url)
        found.done &= found.operations
        return found


def documented(url: str) -> set[str]:
    """The operations of the OpenAPI at `url`. Schemathesis also tries methods that a path does not have."""
    paths = httpx.get(f"{url}/api/openapi.json", timeout=30).json()["paths"]
    return {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}


def read(report: Path) -> Findings:
    """The findings in schemathesis' own report of a run."""
    found = Findings()
    with report.open(encoding="utf-8") as lines:
        for line in lines:
            ((kind, event),) = json.loads(line).items()
            if kind == "ScenarioFinished":
                _count(event["recorder"], found)
            elif kind in ("NonFatalError", "FatalError"):
                found.others += 1
                found.failures[("no answer", event.get("label", ""))] = json.dumps(event)[:SHOWN]
    return found


def _count(recorder: Any, found: Findings) -> None:
    cases = {name: case["value"] for name, case in recorder.get("cases", {}).items()}
    for name, interaction in recorder.get("interactions", {}).items():
        operation = _operation(cases[name])
        status = (interaction.get("response") or {}).get("status_code")
        found.operations.add(operation)
        found.examples += 1
        found.server_errors += status is not None and status >= 500
        if status is not None and status < 300:
            found.done.add(operation)
    for name, failure in _failed(recorder):
        check = failure["name"]
        found.of_schema += check in OF_THE_SCHEMA
        found.authentication_ignored += check == AUTHENTICATION
        found.others += check not in OF_THE_SCHEMA | {AUTHENTICATION, "not_a_server_error"}
        sent = recorder["interactions"].get(name, {})
        request, response = sent.get("request", {}), sent.get("response") or {}
        words = json.dumps(failure.get("failure_info", failure), ensure_ascii=False)
        found.failures.setdefault(
            (check, _operation(cases[name])),
            f"{words[:SHOWN]}\n    {request.get('method')} {request.get('uri', '')[:SHOWN]}"
            f" {str(request.get('body', ''))[:SHOWN]}\n    {response.get('status_code')}"
            f" {str(response.get('content', ''))[:SHOWN]}",
        )


def _failed(recorder: Any) -> Iterator[tuple[str, Any]]:
    for name, checks in recorder.get("checks", {}).items():
        for check in checks:
            if check["status"] == "failure":
                yield name, check


def _operation(case: Any) -> str:
    return f"{case['method'].upper()} {case['path']}"


def table(rows: dict[str, Findings]) -> str:
    """A line for each caller."""
    heads = ["caller", "operations", "done", "examples", "5xx", "schema", "auth ignored", "other"]
    lines = [
        [
            caller,
            *map(
                str,
                (
                    len(found.operations),
                    len(found.done),
                    found.examples,
                    found.server_errors,
                    found.of_schema,
                    found.authentication_ignored,
                    found.others,
                ),
            ),
        ]
        for caller, found in rows.items()
    ]
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    shown = ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in [heads, *lines]]
    return "\n".join(shown)
