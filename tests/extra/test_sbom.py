"""`make sbom` lists every package of the locks."""

import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_locked_package_is_listed_with_its_version() -> None:
    subprocess.run(["infra/setup/sbom.sh"], cwd=ROOT, check=True)
    python = json.loads((ROOT / "var/sbom/python.json").read_text())
    locked = set(re.findall(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==([^\s;]+)", (ROOT / "requirements.lock").read_text(), re.M))
    assert locked
    assert {(one["name"], one["version"]) for one in python["components"]} == locked
    web = json.loads((ROOT / "var/sbom/web.json").read_text())
    packages = json.loads((ROOT / "web/package-lock.json").read_text())["packages"]
    named = {
        f"{path.rpartition('node_modules/')[2]}@{one['version']}": one
        for path, one in packages.items()
        if path.startswith("node_modules/") and "link" not in one
    }
    listed = {one["bom-ref"] for one in web["components"]}
    optional = {name for name, one in named.items() if one.get("optional")}
    built_with = {name for name, one in named.items() if one.get("dev") or one.get("devOptional")}
    assert listed | optional == named.keys() - built_with | optional
    assert {python["bomFormat"], web["bomFormat"]} == {"CycloneDX"}
