"""Write the counts of perft files again, from the oracle: ``python -m perft.recount FILE...``."""

import sys
from pathlib import Path

from . import count, read


def recount(path: Path) -> None:
    entries = {entry.id: entry for entry in read(path)}
    lines, entry = [], None
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(" ")
        if key == "id":
            entry = entries[value.strip()]
        if key == "perft":
            depth = int(value.split()[0])
            line = f"perft    {depth} {count(entry.oracle(), depth)}"
            print(f"{path.name} {entry.id}: {line}", flush=True)
        lines.append(line)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        recount(Path(name))
