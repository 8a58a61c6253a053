"""The Python of the README under mypy and pyright, as a user's editor sees it; exit status 1 if one complains.

basedpyright is pyright with a Node.js of its own from the package index, so nothing is downloaded when it runs.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def example() -> str:
    """All ``python`` blocks of the README as one program."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    if not blocks:
        raise SystemExit("README.md has no block of Python")
    return "\n".join(blocks)


def main() -> int:
    """Run both."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "readme.py"
        file.write_text(example(), encoding="utf-8")
        settings = {"typeCheckingMode": "standard", "extraPaths": [str(ROOT / "src")]}
        (Path(folder) / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
        found = [
            subprocess.run([sys.executable, "-m", "mypy", str(file)], cwd=ROOT, check=False).returncode,
            subprocess.run(
                [sys.executable, "-m", "basedpyright", "--project", folder, "--pythonpath", sys.executable, str(file)],
                check=False,
            ).returncode,
        ]
    return int(any(found))


if __name__ == "__main__":
    sys.exit(main())
