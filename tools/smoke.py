"""Try an installed sitoumus from hand to odds; with a wheel, install it first into an empty environment.

python tools/smoke.py                                          the installed library
python tools/smoke.py --in-empty-environment dist/X.whl        the wheel with its required dependencies alone
"""

import importlib.util
import json
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
OF_EXTRAS = ("pyarrow", "matplotlib", "distributed", "cma")


def command(*arguments: str) -> str:
    """Standard output of the command line."""
    run = [sys.executable, "-m", "sitoumus", *arguments]
    return subprocess.run(run, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout


def try_the_library() -> None:
    import sitoumus as sit

    hand = sit.Hand(HAND)
    assert sit.Hand(str(hand)) == hand
    assert len(hand) == 15
    assert hand.best_opening() is not None

    table = sit.Table(sit.Deal(seed=7, number=42))
    before = table.to_position()
    table.push("2H")
    table.pop()
    assert table.to_position() == before

    game = sit.play(sit.Deal(seed=7, number=42))
    assert game.score == sit.play(sit.Deal(seed=7, number=42)).score

    frame = sit.simulate(200, seed=7, progress=False)
    assert len(frame) == 200

    odds = sit.contract_odds(hand, contracts=["2H", "3H"], deals=200, seed=7, progress=False)
    assert list(odds.frame["contract"]) == ["2H", "3H"]

    shown = json.loads(command("odds", HAND, "--contract", "2H", "--contract", "3H", "--deals", "200", "--json"))
    assert [row["contract"] for row in shown["rows"]] == ["2H", "3H"]
    assert "odds" in command("--help")

    advice = sit.best_bid(hand, deals=200, calls=["pass", "2H", "3H"], seed=7, progress=False)
    assert advice.best in ("pass", "2H", "3H")

    found = sit.thresholds("4H", "run_h", against="3H", hands=2000, draws=200, seed=7, progress=False)
    assert found.frame["hands"].sum() == 1000
    assert "not excluded" in str(found)

    missing = [name for name in OF_EXTRAS if importlib.util.find_spec(name) is None]
    if "pyarrow" in missing:
        refusal = ""
        try:
            sit.simulate(10, seed=7, out="deals", progress=False)
        except sit.StudyError as error:
            refusal = str(error)
        assert "sitoumus[parquet]" in refusal, f"no word about the missing extra: {refusal!r}"
    print(f"smoke test passed: sitoumus {sit.__version__}, without {', '.join(missing) or 'nothing'}")


def try_the_wheel(wheel: Path) -> int:
    with tempfile.TemporaryDirectory() as scratch:
        venv.create(scratch, with_pip=True)
        python = Path(scratch, "Scripts" if sys.platform == "win32" else "bin", "python")
        subprocess.run([python, "-m", "pip", "install", "--quiet", wheel.resolve()], check=True)
        return subprocess.run([python, "-I", Path(__file__).resolve()], cwd=scratch).returncode


if __name__ == "__main__":
    if sys.argv[1:2] == ["--in-empty-environment"]:
        sys.exit(try_the_wheel(Path(sys.argv[2])))
    try_the_library()
