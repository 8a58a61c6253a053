"""tools/legality.py: it runs on the checked build only."""

import subprocess
import sys
from pathlib import Path

from sitoumus import _core

TOOL = Path(__file__).resolve().parents[1] / "tools" / "legality.py"


def test_legality_is_shown_on_the_checked_build_and_refused_on_the_other():
    command = [sys.executable, TOOL, "--deals", "20", "--rollout", "1", "--rules", "samba"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    if _core.CHECKED:
        assert done.stdout.splitlines()[-1] == "every step was legal"
        assert "rollout            1 deals" in done.stdout
    else:
        assert done.returncode == 2
        assert "not the checked build" in done.stderr
