"""`manage.py doctor`: check this installation, and say how to repair what is broken."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from project.operations.doctor import State, examined
from project.operations.examinations import ALL


class Command(BaseCommand):
    help = "Look at settings, servers, storage, clock, mail, fonts, disk, keys, backups. Ends with 1 where one is ill."
    requires_system_checks = ()  # the check `settings` runs them

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--json", action="store_true", help="for machines")

    def handle(self, *args: Any, **options: Any) -> None:
        findings = [*examined(ALL)]
        ok = all(finding.state is not State.BROKEN for finding in findings)
        if options["json"]:
            self.stdout.write(json.dumps({"ok": ok, "checks": [finding.as_json() for finding in findings]}, indent=2))
        else:
            for finding in findings:
                for remark in finding.remarks:
                    self.stdout.write(f"{remark.state:8} {finding.name}: {remark.says}")
                    if remark.mend:
                        self.stdout.write(f"{'':8}   {remark.mend}")
        if not ok:
            sys.exit(1)
