"""Every study and every plot in a notebook: the picture is shown, the table is a real one, and both are exported."""

import os
import re
from html.parser import HTMLParser

import pytest

import sitoumus as sit
from sitoumus.notebook import STYLE, html_table

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("matplotlib")

START = """
import sitoumus as sit
hand = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"
given = dict(progress=False)
"""
STUDIES = {
    "odds": 'sit.contract_odds(hand, ["2H", "3H"], deals=60, panel=["greedy"], **given)',
    "bids": 'sit.best_bid(hand, calls=["pass", "1H"], deals=60, **given)',
    "found": 'sit.thresholds("3H", "jokers", hands=400, policies="greedy", **given)',
    "sheet": 'sit.bidding_table([90], levels=[1], strains=["H"], hands=400, policies="greedy", **given)',
    "compared": 'sit.compare("greedy", "random", pairs=40, **given)',
    "ladder": 'sit.ladder(["greedy", "random"], pairs=40, **given)',
    "panel": 'sit.policy_panel(hand, ["2H"], ["greedy", "random"], deals=20, **given)',
    "shown": 'sit.show_condition("east.jokers >= 2", deals=50)',
}
PICTURES = {
    "cards": "sit.Hand(hand)",
    "laid": 'sit.Meld("7h 7s JK")',
    "deal": "sit.Deal(seed=7)",
    "table": 'sit.play(deal, policies="random").at(9)',
    "known": 'table.view("E")',
}
FRAMES = {"game": 'sit.play(deal, policies="random")'}
OBJECTS = {
    "score": "game.score",
    "match": 'sit.play_match(7, policies="random", rules=sit.SITOUMUSSAMBA.replace(target=500))',
}


class Tables(HTMLParser):
    """Whether every element of a piece of HTML is closed, and how many there are of each."""

    def __init__(self, text):
        super().__init__()
        self.open, self.counts, self.scopes = [], {}, set()
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag == "th":
            self.scopes.add(dict(attrs).get("scope"))
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def notebook():
    """The notebook with its outputs: a cell that shows each object, a cell that plots each study."""
    cells = [START]
    for name, made in (PICTURES | FRAMES | OBJECTS | STUDIES).items():
        cells.append(f"{name} = {made}\n{name}")
    cells += [f"{name}.plot();" for name in STUDIES]
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    kept = os.environ.pop("MPLBACKEND", None)  # a notebook has its own
    try:
        nbclient.NotebookClient(made, timeout=120, kernel_name="python3").execute()
    finally:
        if kept is not None:
            os.environ["MPLBACKEND"] = kept
    return made


def outputs(notebook, source):
    """The data of what a cell put out, by the beginning of its source."""
    cell = next(cell for cell in notebook.cells if cell.source.startswith(source))
    return [output.data for output in cell.outputs if "data" in output]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", STUDIES)
def test_each_plot_shows_its_picture(notebook, name):
    assert any("image/png" in data for data in outputs(notebook, f"{name}.plot()"))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", [*STUDIES, *OBJECTS])
def test_each_result_shows_a_real_table(notebook, name):
    html = outputs(notebook, f"{name} = ")[-1]["text/html"]
    tables = Tables(html)
    assert tables.counts["table"] >= 1
    assert tables.counts["td"] >= 1
    assert tables.counts.get("caption", 0) >= 1
    assert tables.scopes == {"row", "col"}
    assert "pre" not in tables.counts
    assert "script" not in tables.counts


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("name", PICTURES)
def test_cards_and_tables_show_a_picture(notebook, name):
    html = outputs(notebook, f"{name} = ")[-1]["text/html"]
    assert html.startswith("<svg ")
    assert "<use " in html


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_game_shows_its_page_in_a_frame_that_touches_nothing_else(notebook):
    html = outputs(notebook, "game = ")[-1]["text/html"]
    assert html.startswith("<iframe ")
    assert 'sandbox="allow-scripts"' in html
    assert html.count("<") == 2  # the page itself is an attribute


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_the_notebook_has_no_progress_and_no_warnings(notebook):
    assert [output.text for cell in notebook.cells for output in cell.outputs if output.output_type == "stream"] == []


@pytest.mark.filterwarnings("ignore")
def test_the_tables_survive_the_export_to_html(notebook):
    nbconvert = pytest.importorskip("nbconvert")
    page, _ = nbconvert.HTMLExporter().from_notebook_node(notebook)
    assert page.count('<div class="sitoumus">') >= len(STUDIES) + len(OBJECTS)
    assert page.count("data:image/png") >= len(STUDIES)


def test_the_cells_of_the_table_are_those_of_the_text():
    found = sit.contract_odds("Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s", ["2H"], deals=60, progress=False)
    rows = re.findall(r"<tr>(.*?)</tr>", found._repr_html_())
    cells = [re.findall(r"<t[dh][^>]*>([^<]*)</t[dh]>", row) for row in rows]
    lines = [re.split(r"  +", line) for line in found.table().splitlines()]
    assert [len(row) for row in cells] == [10] * 3
    for row, line in zip(cells, lines, strict=True):
        assert [cell for cell in row if cell in line] == line


def test_what_stands_in_a_table_is_text_and_no_html():
    made = html_table(["a", "b"], [["<b>x</b>", "1,234"], ["7h", "-5"]], ["<i>"])
    assert "<b>" not in made
    assert "<i>" not in made
    assert '<span class="red">7♥</span>' in made
    assert made.count('class="n"') == 3  # the column of numbers: its head and two cells


def test_every_rule_of_the_style_stays_within_its_class():
    rules = re.sub(r"@media[^{]*\{(.*?\})\}", r"\1", STYLE.replace("<style>", "").replace("</style>", "")).strip()
    for selectors in re.findall(r"([^{}]+)\{[^{}]*\}", rules):
        for selector in selectors.split(","):
            assert ".sitoumus" in selector, selector


# pictures from a script


def test_a_hundred_plots_in_a_script_leak_no_figure_and_warn_nothing(tmp_path):
    from matplotlib import pyplot

    found = sit.compare("greedy", "random", pairs=10, progress=False)
    before = pyplot.get_fignums()
    for _ in range(100):
        found.plot()
    assert pyplot.get_fignums() == before
    axes = found.plot(path=tmp_path / "difference.png")
    assert (tmp_path / "difference.png").read_bytes().startswith(b"\x89PNG")
    assert found.plot(ax=axes) is axes
    with pytest.raises(sit.StudyError, match="its name must end in one of"):
        found.plot(path=tmp_path / "difference.xyz")
