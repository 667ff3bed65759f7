"""The benches are programs, not a package: their modules are found beside them."""

import sys
from pathlib import Path

INFRA = Path(__file__).resolve().parents[2] / "infra"

sys.path[:0] = [str(INFRA / "bench"), str(INFRA / "chaos")]
