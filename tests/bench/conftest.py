"""Put infra/bench and infra/chaos on the import path: they are programs, not packages."""

import sys
from pathlib import Path

INFRA = Path(__file__).resolve().parents[2] / "infra"

sys.path[:0] = [str(INFRA / "bench"), str(INFRA / "chaos")]
