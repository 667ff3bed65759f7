"""The benches are programs, not a package: their modules are found beside them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "infra" / "bench"))
