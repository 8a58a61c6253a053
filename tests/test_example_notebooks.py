"""The notebooks for readers run from top to bottom, and every picture that they promise is there."""

from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

FOLDER = Path(__file__).parents[1] / "examples" / "notebooks"
#: How many code cells show a drawn picture, an SVG, and a page to step through.
SHOWN = {"first_answers": (3, 1, 0), "a_game_watched": (0, 2, 1), "training": (1, 1, 0)}


def test_every_notebook_is_counted_here():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(SHOWN)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", SHOWN)
def test_a_notebook_is_kept_without_output_and_runs_with_its_pictures(name, tmp_path, monkeypatch):
    monkeypatch.delenv("MPLBACKEND", raising=False)  # a notebook has its own
    book = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert all(not cell.outputs and cell.execution_count is None for cell in code)
    nbclient.NotebookClient(book, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = [output for cell in code for output in cell.outputs]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    data = [output.get("data", {}) for output in outputs]
    pages = ["".join(each.get("text/html", "")) for each in data]
    pictures = sum("image/png" in each for each in data)
    frames = sum("<iframe" in page for page in pages)
    drawn = sum("<svg" in page and "<iframe" not in page for page in pages)
    assert (pictures, drawn, frames) == SHOWN[name]
