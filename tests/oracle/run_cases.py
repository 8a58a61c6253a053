"""Run rule cases against the oracle: python tests/oracle/run_cases.py PATH [PATH ...]"""

import sys
import tomllib
from pathlib import Path

if __name__ == "__main__" and not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    from oracle import Oracle
    from oracle import cards as C
else:
    from . import Oracle
    from . import cards as C

KEYS = """legal illegal count play hands pile stock frozen melds turn phase minimum contract
    penalties bonus result scores winner error""".split()


def _same(text):
    return sorted(C.cards(text))


def run_case(case):
    """A list of complaints about one case."""
    unknown = set(case) - {"id", "rule", "rules", "options", "position", "expect", "note"}
    expect = case.get("expect", {})
    unknown |= set(expect) - set(KEYS)
    if unknown:
        return [f"unknown keys {sorted(unknown)}"]
    try:
        o = Oracle(case["position"], case.get("rules", "sitoumussamba"), case.get("options"))
    except ValueError as e:
        if "error" in expect and expect["error"] in str(e):
            return []
        return [f"position refused: {e}"]
    if "error" in expect:
        return [f"position accepted, expected error {expect['error']!r}"]
    bad = []
    for text in expect.get("play", []):
        try:
            o.push(text)
        except ValueError as e:
            return [f"play: {e}"]
    listed = o.legal()
    before = o.to_position()
    for text in expect.get("legal", []):
        try:
            o.copy().push(text)
        except ValueError as e:
            bad.append(f"should be legal: {e}")
    for text in expect.get("illegal", []):
        try:
            o.push(text)
            return [*bad, f"should be refused: {text}"]
        except ValueError:
            if o.to_position() != before:
                bad.append(f"the refused {text} changed the position")
    for verb, n in expect.get("count", {}).items():
        found = sorted(t for t in listed if t.split()[0] == verb)
        if len(found) != n:
            bad.append(f"{n} actions {verb} expected, found {found}")

    def check(name, want, got):
        if want != got:
            bad.append(f"{name}: expected {want!r}, found {got!r}")

    for seat, text in expect.get("hands", {}).items():
        check(f"hand {seat}", _same(text), _same(o.hands[seat]))
    for side, melds in expect.get("melds", {}).items():
        check(f"melds {side}", [_same(m) for m in melds], [_same(m) for m in o.melds[side]])
    for side, text in expect.get("bonus", {}).items():
        check(f"bonus {side}", _same(text), _same(o.bonus[side]))
    simple = {
        "pile": o.pile,
        "stock": o.stock_size,
        "frozen": o.frozen,
        "turn": o.turn,
        "phase": o.phase,
        "contract": o.contract_text,
        "result": o.result,
        "winner": o.winner,
    }
    for name, got in simple.items():
        if name in expect:
            check(name, expect[name], got)
    tables = {"minimum": o.minimum, "penalties": o.penalties, "scores": o.scores or {}}
    for name, got in tables.items():
        for side, want in expect.get(name, {}).items():
            check(f"{name} {side}", want, got.get(side))
    return bad


def files_of(paths):
    for path in map(Path, paths):
        # rulings (cases/director) are judged by the referee, of whom the oracle knows nothing yet
        yield from sorted(path.glob("*.toml")) if path.is_dir() else [path]


def main(paths):
    passed = failed = 0
    for path in files_of(paths):
        for case in tomllib.loads(path.read_text())["case"]:
            bad = run_case(case)
            passed, failed = passed + (not bad), failed + bool(bad)
            for text in bad:
                print(f"{path.name}: {case.get('id')} ({case.get('rule')}): {text}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or [Path(__file__).resolve().parent.parent / "cases"]))
