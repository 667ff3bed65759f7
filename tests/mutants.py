"""Make small changes in guards, rules, money and the mask, one at a time, and run the tests to see if they notice.

    make mutants

Prints for each file how many changes were noticed (killed) and how many were not (survived). infra/docs/mutants.md
gives the reason for each survivor. Ends with 1 if less than 90 % are noticed, or if the page lacks a survivor.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
REASONS = ROOT / "infra" / "docs" / "mutants.md"
KILLED_AT_LEAST = 0.9
# The rest of the file assembles documents.
FUNCTIONS = {"project/orders/presenters.py": ("mask", "for_staff", "history")}
NOTICED = {"killed", "timeout", "segfault", "caught by type check"}


def mutmut(*arguments: str) -> str:
    """The output of mutmut. Its progress goes to the terminal."""
    run = subprocess.run(
        [sys.executable, "-m", "mutmut", *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    return run.stdout


def wanted() -> dict[str, list[str]]:
    """Patterns of the mutants of each file."""
    files = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]["only_mutate"]
    patterns = {}
    for file in files:
        module = file.removesuffix(".py").replace("/", ".")
        patterns[file] = [f"{module}.x_{name}__mutmut_*" for name in FUNCTIONS.get(file, ())] or [f"{module}.x*"]
    return patterns


def results(patterns: dict[str, list[str]]) -> dict[str, dict[str, str]]:
    """The status of each mutant, by file."""
    found: defaultdict[str, dict[str, str]] = defaultdict(dict)
    for name, status in re.findall(r"^\s*(\S+): (.+)$", mutmut("results", "--all", "true"), re.MULTILINE):
        for file, ones in patterns.items():
            if any(Path(name).match(one) for one in ones):
                found[file][name] = status
    return found


def change(name: str) -> str:
    """The changed lines of a mutant."""
    shown = [line for line in mutmut("show", name).splitlines() if re.match(r"[-+](?![-+])", line)]
    return "\n".join(line[0] + " " + line[1:].strip() for line in shown)


def main() -> int:
    shutil.rmtree(ROOT / "mutants", ignore_errors=True)
    patterns = wanted()
    print(mutmut("run", *(one for ones in patterns.values() for one in ones)).splitlines()[-1])
    reasons = REASONS.read_text(encoding="utf-8").replace(r"\|", "|")  # the page escapes them in a table's cell
    killed = survived = unknown = 0
    print(f"{'file':<36}{'killed':>8}{'survived':>10}")
    for file, statuses in sorted(results(patterns).items()):
        counted = Counter(status in NOTICED for status in statuses.values())
        killed, survived = killed + counted[True], survived + counted[False]
        print(f"{file:<36}{counted[True]:>8}{counted[False]:>10}")
        for name in sorted(name for name, status in statuses.items() if status not in NOTICED):
            differs = change(name)
            known = all(line[2:] in reasons for line in differs.splitlines() if line.startswith("+")) and differs
            unknown += not known
            print(f"    {name}: {statuses[name]}{'' if known else ', and mutants.md gives no reason'}")
            print("      " + differs.replace("\n", "\n      "))
    share = killed / max(1, killed + survived)
    print(f"{'all':<36}{killed:>8}{survived:>10}  {share:.1%} killed")
    return 1 if share < KILLED_AT_LEAST or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
