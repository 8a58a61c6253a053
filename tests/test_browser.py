"""The page of a game in a real browser: what it shows at every step is the table, and it is quiet and self-contained.

Needs Playwright and Debian's chromium; without them the tests fail in CI and are left out elsewhere.
"""

import importlib.util
import json
import os
import re
import shutil

import pytest

import sitoumus as sit

CHROMIUM = os.environ.get("SITOUMUS_CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
READY = importlib.util.find_spec("playwright") is not None and os.path.exists(CHROMIUM)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-sync",
    "--no-first-run",
]
#: Games of each rule set; the environment asks for more.
GAMES = int(os.environ.get("SITOUMUS_BROWSER_GAMES", "1"))

if not READY and not os.environ.get("CI"):
    pytest.skip("the browser tests need playwright and chromium", allow_module_level=True)


@pytest.fixture(scope="module")
def browser():
    assert READY, f"CI tests pages in a browser: install playwright, and chromium as {CHROMIUM}"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """Open a page without a network; at the end it has said nothing on its console and asked for nothing but itself."""
    opened = []

    def open_one(html, fragment="", **settings):
        path = tmp_path / f"page{len(opened)}.html"
        path.write_text(html, encoding="utf-8")
        context = browser.new_context(offline=True, **settings)
        page = context.new_page()
        noise, requests = [], []
        page.on("console", lambda message: noise.append(message.text))
        page.on("pageerror", lambda error: noise.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri() + fragment)
        opened.append((context, path, noise, requests))
        return page

    yield open_one
    for context, path, noise, requests in opened:
        context.close()
        assert noise == []
        assert [url.partition("#")[0] for url in requests] == [path.as_uri()]


def played(preset, number=0, policies="heuristic"):
    return sit.play(sit.Deal(seed=11, number=number, rules=preset), policies=policies)


READ = """() => {
  const all = (where, of) => Array.from((of || document).querySelectorAll(where));
  const board = document.getElementById("board"), pile = board.querySelector(".pile").dataset;
  return {
    step: Number(board.dataset.step), turn: board.dataset.turn, phase: board.dataset.phase,
    contract: board.dataset.contract, calls: board.dataset.calls,
    hands: Object.fromEntries(all(".seat").map((seat) => [seat.dataset.seat, seat.dataset.cards])),
    drawn: Object.fromEntries(all(".seat").map((seat) => [seat.dataset.seat, all("use", seat).map(
      (use) => use.getAttribute("href").slice(3))])),
    melds: Object.fromEntries(all(".side").map((side) => [side.dataset.side,
      all(".meld", side).map((meld) => meld.dataset.cards)])),
    points: Object.fromEntries(all(".side").map((side) => [side.dataset.side, side.dataset.points])),
    pile: pile.pile, stock: Number(pile.stock), frozen: pile.frozen === "true",
    scores: JSON.parse(document.getElementById("sheet").dataset.scores),
    shown: !document.getElementById("score").hidden,
  };
}"""
#: Every step by the key, read back one after the other.
WALK = f"""() => {{
  const read = {READ}, states = [read()];
  const end = Number(document.getElementById("slide").max);
  const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {{key, bubbles: true}}));
  for (let n = 0; n < end; n++) {{ document.body.dispatchEvent(
    new KeyboardEvent("keydown", {{key: "ArrowRight", bubbles: true}})); states.push(read()); }}
  return states;
}}"""
WALK = re.sub(r"  const press = .*\n", "", WALK)


def compare(shown, table, view=None):
    """What the page shows is what lies on the table."""
    known = table if view is None else table.view(view)
    assert (shown["turn"], shown["phase"], shown["stock"]) == (table.turn, table.phase, table.stock_size)
    assert (shown["contract"], shown["calls"].split()) == (table.contract, list(table.calls))
    assert re.sub(r"[\[\]]", "", shown["pile"]).split() == list(table.pile)
    assert shown["frozen"] == table.frozen
    for side in table.totals:
        assert shown["melds"][side] == [str(meld) for meld in known.melds(side)]
        points = {part.split(":")[0]: int(part.split(":")[1]) for part in shown["points"][side].split()}
        assert points.get("R12.2", 0) == sum(meld.points for meld in table.melds(side))
        assert points.get("R31.1", 0) == sum(meld.bonus for meld in table.melds(side))
        assert points.get("C33", 0) == -table.penalties[side]
    for seat, hand in table.hands.items():
        drawn = shown["drawn"][seat]
        assert len(drawn) == len(hand)
        if view in (None, seat):
            assert shown["hands"][seat] == str(hand)
            assert sorted(drawn) == sorted(hand)
        else:
            assert drawn.count("back") == len(hand) - len(known.known(seat))


@pytest.mark.parametrize("preset", sit.PRESETS)
def test_every_step_shows_the_table_and_the_end_its_score(open_page, preset):
    for number in range(GAMES):
        game = played(preset, number)
        page = open_page(game.to_html())
        states = page.evaluate(WALK)
        assert len(states) == len(game.actions) + 1
        for step, (shown, table) in enumerate(zip(states, game.tables(), strict=True)):
            assert shown["step"] == step
            compare(shown, table)
            assert shown["shown"] == (step == len(game.actions))
        assert states[-1]["scores"] == dict(game.score.sides)
        lines = page.locator("#sheet tbody tr").all_inner_texts()
        explained = [
            f"{side}\t{rule}\t{what}\t{points}" for side, rule, what, points in game.score.explain().to_numpy()
        ]
        assert lines[: len(explained)] == explained
        page.keyboard.press("Home")
        assert page.evaluate(READ) == states[0]


def test_a_page_for_a_seat_shows_what_it_knows_at_every_step(open_page):
    game = played("sitoumussamba")
    page = open_page(game.to_html(view="E"))
    for shown, table in zip(page.evaluate(WALK), game.tables(), strict=True):
        compare(shown, table, "E")


@pytest.fixture
def at(open_page):
    """A game opened at a step, and a way to ask where it stands."""
    game = played("sitoumussamba")
    page = open_page(game.to_html(), "#57")

    def where():
        return int(page.locator("#board").get_attribute("data-step"))

    return page, where, game


def test_the_address_is_the_step(at):
    page, where, _ = at
    assert where() == 57
    page.keyboard.press("ArrowRight")
    assert page.evaluate("location.hash") == "#58"
    page.evaluate("location.hash = '#3'")
    page.locator("#board[data-step='3']").wait_for()


def turn_ends(game):
    """Steps at which turns end; calls and openings before play are one."""
    ends, last = [], None
    for step, (table, _) in enumerate(zip(game.tables(), game.actions, strict=False), 1):
        turn = 0 if table.phase in ("auction", "opening") else table.turns + 1
        if turn == last:
            ends[-1] = step
        else:
            ends.append(step)
        last = turn
    return ends


def test_keys_step_by_actions_turns_and_to_the_ends(at):
    page, where, game = at
    ends = turn_ends(game)
    later, before = min(end for end in ends if end > 57), max(end for end in [0, *ends] if end < 57)
    end = len(game.actions)
    for key, place in [
        ("ArrowRight", 58),
        ("ArrowLeft", 57),
        ("Shift+ArrowRight", later),
        ("End", end),
        ("ArrowRight", end),
        ("Home", 0),
        ("ArrowLeft", 0),
        ("PageDown", ends[0]),
        ("PageUp", 0),
    ]:
        page.keyboard.press(key)
        assert where() == place, key
    page.evaluate("location.hash = '#57'")
    page.locator("#board[data-step='57']").wait_for()
    page.keyboard.press("Shift+ArrowLeft")
    assert where() == before


def test_up_and_down_stay_with_the_browser(at):
    page, where, _ = at
    taken = page.evaluate("""() => ["ArrowUp", "ArrowDown"].map((key) => !document.body.dispatchEvent(
      new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true})))""")
    assert taken == [False, False]
    assert where() == 57


def test_keys_act_when_a_button_has_the_focus(at):
    page, where, _ = at
    page.get_by_role("button", name="Turn the table").focus()
    page.keyboard.press("ArrowRight")
    assert where() == 58


def test_buttons_step_and_are_large_enough(at):
    page, where, game = at
    for name, place in [("Next", 58), ("Back", 57), ("First", 0), ("Last", len(game.actions))]:
        page.get_by_role("button", name=name, exact=True).click()
        assert where() == place
    for button in page.locator(".controls button").all():
        box = button.bounding_box()
        assert min(box["width"], box["height"]) >= 44
        assert button.inner_text().strip()


def test_a_turn_of_the_list_goes_there_and_is_marked(at):
    page, where, game = at
    page.locator("#list button").nth(3).click()
    assert where() == turn_ends(game)[3]
    assert page.locator("#list button[aria-current=step]").all_inner_texts() == [
        page.locator("#list button").nth(3).inner_text()
    ]


def test_each_action_is_said_and_so_is_that_it_is_taken_back(at):
    page, _, _ = at
    page.keyboard.press("ArrowRight")
    said = page.get_by_role("status").inner_text()
    assert re.fullmatch(r"(North|East|South|West) [a-z].*\.", said)
    page.keyboard.press("ArrowLeft")
    assert page.get_by_role("status").inner_text() == f"Taken back: {said}"


def test_the_table_turns_and_hides_the_other_hands(at):
    page, _, _ = at
    assert page.locator(".seat.bottom").get_attribute("data-seat") == "S"
    page.keyboard.press("f")
    assert page.locator(".seat.bottom").get_attribute("data-seat") == "W"
    page.keyboard.press("h")
    for seat in page.locator(".seat").all():
        drawn = seat.locator("use").evaluate_all("all => all.map((use) => use.getAttribute('href'))")
        assert ("#k-back" in drawn) == (seat.get_attribute("data-seat") != "W")
        assert len(set(drawn)) == 1 or seat.get_attribute("data-seat") == "W"
    hidden = page.locator("#words h3:has-text('Hand of East') + p").inner_text()
    assert re.fullmatch(r"\d+ hidden cards", hidden)


def test_space_plays_and_stops(at):
    page, where, _ = at
    page.keyboard.press(" ")
    page.locator("#board[data-step='58']").wait_for()
    page.keyboard.press(" ")
    stopped = where()
    page.wait_for_timeout(1100)
    assert where() == stopped


def test_the_keys_are_listed(at):
    page, _, _ = at
    assert not page.locator("#keys").is_visible()
    page.keyboard.press("?")
    assert page.locator("#keys").is_visible()
    assert page.get_by_role("button", name="Keys").get_attribute("aria-expanded") == "true"


def test_readers_of_the_screen_find_the_table_in_words(at):
    page, _, game = at
    snapshot = page.locator("#words").aria_snapshot()
    assert "heading" in snapshot
    table = game.at(57)
    for name, seat in (("North", "N"), ("East", "E"), ("South", "S"), ("West", "W")):
        told = page.locator(f"#words h3:has-text('Hand of {name}') + p").inner_text()
        assert len(told.split()) == len(table.hand(seat))
    assert page.locator("#board").get_attribute("aria-hidden") == "true"


def contrast(colours):
    def light(colour):
        parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
        lin = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * lin[0] + 0.7152 * lin[1] + 0.0722 * lin[2]

    high, low = sorted(map(light, colours), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_in_light_and_dark(open_page, scheme):
    page = open_page(played("samba").to_html(), "#40", color_scheme=scheme)
    ask = """(where) => { const found = document.querySelector(where); let behind = found;
      const back = (e) => getComputedStyle(e).backgroundColor;
      while (behind && /rgba\\(0, 0, 0, 0\\)/.test(back(behind))) behind = behind.parentElement;
      return [getComputedStyle(found).color, back(behind || document.body)]; }"""
    seen = {}
    for where in ("h1", "#head", "#say", ".controls button", "#board .name", "#board .now .name", "td", "#foot"):
        seen[where] = page.evaluate(ask, where)
        assert contrast(seen[where]) >= 4.5, (where, seen[where])
    dark = sum(map(int, re.findall(r"\d+", seen["h1"][1])[:3])) < 300
    assert dark == (scheme == "dark")
    page.get_by_role("button", name="Dark or light").click()
    assert page.evaluate(ask, "h1")[1] != seen["h1"][1]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_breaks_no_rule_of_accessibility_of_level_a_or_aa(open_page, scheme):
    from axe_playwright_python.sync_playwright import Axe

    def broken():
        asked = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
        return [each["id"] for each in Axe().run(page, options=asked).response["violations"]]

    page = open_page(played("sitoumussamba").to_html(), "#57", color_scheme=scheme)
    for key in ("Home", "End", "?"):
        page.keyboard.press(key)
        assert broken() == []
    faint = {"light": "#b0b0b0", "dark": "#404040"}[scheme]
    page.evaluate(f"document.getElementById('say').style.color = '{faint}'")
    assert broken() == ["color-contrast"]


def test_nothing_has_to_be_moved_sideways_on_a_phone(open_page):
    game = played("sitoumussamba")
    page = open_page(game.to_html(), viewport={"width": 360, "height": 740})
    for step in (0, len(game.actions) // 2, len(game.actions)):
        page.evaluate(f"location.hash = '#{step}'")
        page.locator(f"#board[data-step='{step}']").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_what_is_printed_is_the_score_sheet(at):
    page, _, _ = at
    page.emulate_media(media="print")
    assert page.locator("#score").is_visible()
    assert not page.locator("#board").is_visible()
    assert not page.locator(".controls").is_visible()


def test_without_scripts_the_transcript_and_the_score_are_read(open_page):
    game = played("sitoumussamba")
    page = open_page(game.to_html(), java_script_enabled=False)
    items = page.locator("noscript li").all_inner_texts()
    assert items == [line.strip() for line in game.transcript().splitlines()]
    assert str(game.score["NS"]) in page.locator("noscript table").inner_text()


def test_a_match_goes_from_deal_to_deal(open_page):
    match = sit.play_match(7, policies="heuristic")
    page = open_page(match.to_html(), "#2/5")
    assert page.locator("#board").get_attribute("data-deal") == "1"
    assert page.evaluate(READ)["step"] == 5
    for number, game in enumerate(match.games):
        page.locator("#deal").select_option(index=number)
        page.get_by_role("button", name="Last", exact=True).click()
        shown = page.evaluate(READ)
        compare(shown, game.table)
        assert shown["scores"] == json.loads(json.dumps(dict(game.score.sides)))


def test_a_game_runs_in_the_frame_of_a_notebook(open_page):
    game = played("samba")
    page = open_page("<!doctype html><meta charset='utf-8'><title>Notebook</title>" + game._repr_html_())
    frame = page.frame_locator("iframe")
    assert frame.locator("#board").get_attribute("data-step") == "0"
    frame.get_by_role("button", name="Next", exact=True).click()
    assert frame.locator("#board").get_attribute("data-step") == "1"
