"""Pictures: what is drawn is what lies there, and a seat's picture holds no card that it may not know."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import sitoumus as sit
from sitoumus import svg

SVG = "{http://www.w3.org/2000/svg}"
PINNED = Path(__file__).parent / "pictures"
HAND = "Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s"


@pytest.fixture(scope="module")
def game():
    return sit.play(sit.Deal(seed=7, number=42), policies="heuristic")


@pytest.fixture(scope="module")
def middle():
    """A table that no change of a policy moves: complete melds, a sixth card, lock cards in the pile."""
    return sit.Table.from_position(
        {
            "phase": "meld",
            "turn": "E",
            "dealer": "N",
            "auction": ["1C", "pass", "2H", "pass", "pass", "pass"],
            "contract": "2H by W",
            "pile": "4s 3h Jc JK 8d 3c 9d",
            "totals": {"NS": 1450, "EW": 300},
            "bought": {"EW": "3d"},
            "melds": {"EW": ["Kc Kc Kd Kd Kh Kh Ks", "9c 9c 9d 9d 9h 9h", "4c 5c 6c"], "NS": []},
            "hands": {"N": "?15", "E": "Ah Kh Qh 7s 7d 7c 2c JK", "S": "?15", "W": "?4"},
        }
    )


@pytest.fixture(scope="module")
def pictures(game, middle):
    return {
        "card": svg.card("Th"),
        "joker": svg.card("JK", size=48),
        "hand": svg.hand(HAND),
        "hand-four": svg.hand(HAND, suits="four", sort="rank", overlap=0.25),
        "meld": svg.meld("7h 7s 7c 7d JK 7c"),
        "complete": svg.meld("Th Jh Qh Kh Ah 2h 3h"),
        "deal": svg.deal(game.deal),
        "table": svg.table(middle),
        "view": svg.table(middle, view="E", orientation="E"),
        "auction": svg.auction(middle),
    }


def uses(picture, kind="card"):
    """Names of the cards drawn, in the order drawn; cards beneath a squared meld are backs."""
    root = ElementTree.fromstring(picture)
    prefix = root.find(f"{SVG}title").get("id").removesuffix("title")
    drawn = [use for use in root.iter(f"{SVG}use") if kind in use.get("class", "").split()]
    return [use.get("href").removeprefix(f"#{prefix}") for use in drawn]


def words(picture, kind):
    root = ElementTree.fromstring(picture)
    return [text.text for text in root.iter(f"{SVG}text") if text.get("class") == kind]


def desc(picture):
    return ElementTree.fromstring(picture).find(f"{SVG}desc").text


def test_ten_pictures_are_the_bytes_that_were_looked_at(pictures, update_pictures):
    if update_pictures:
        PINNED.mkdir(exist_ok=True)
        for name, picture in pictures.items():
            (PINNED / f"{name}.svg").write_text(picture + "\n", encoding="utf-8")
    assert {path.stem for path in PINNED.glob("*.svg")} == set(pictures)
    for name, picture in pictures.items():
        assert (PINNED / f"{name}.svg").read_text(encoding="utf-8") == picture + "\n", name


def test_pictures_are_xml_with_a_title_and_no_two_share_an_id(pictures):
    seen = []
    for picture in pictures.values():
        root = ElementTree.fromstring(picture)
        assert root.tag == f"{SVG}svg"
        assert root.get("role") == "img"
        assert root.find(f"{SVG}title").text.count("\n") == 0
        ids = {element.get("id") for element in root.iter() if element.get("id")}
        asked = {use.get("href")[1:] for use in root.iter(f"{SVG}use")}
        assert asked <= ids
        seen += ids
    assert len(seen) == len(set(seen))


def test_pictures_load_nothing_from_elsewhere(pictures):
    for picture in pictures.values():
        assert "<image" not in picture
        assert set(re.findall(r"[a-z]+://[^\"]*", picture)) == {"http://www.w3.org/2000/svg"}


def test_the_description_is_the_text_of_the_object(pictures, game, middle):
    assert desc(pictures["hand"]) == str(sit.Hand(HAND))
    assert desc(pictures["complete"]) == str(sit.Meld("Th Jh Qh Kh Ah 2h 3h"))
    assert desc(pictures["deal"]) == str(game.deal)
    assert desc(pictures["table"]) == str(middle)
    assert desc(pictures["view"]) == str(middle.view("E"))


def test_a_hand_shows_each_of_its_cards_by_suit_or_by_rank():
    assert uses(svg.hand("Kd 2h JK 3c Kc")) == ["3c", "Kc", "Kd", "2h", "JK"]
    assert uses(svg.hand("Kd 2h JK 3c Kc", sort="rank")) == ["2h", "3c", "Kc", "Kd", "JK"]


def test_the_overlap_is_the_part_of_a_card_that_is_covered():
    def box(overlap):
        return ElementTree.fromstring(svg.hand("Kd 2h JK", overlap=overlap)).get("viewBox")

    assert [box(overlap) for overlap in (0, 0.5, 0.75)] == ["0 0 144 68", "0 0 96 68", "0 0 72 68"]


def test_the_sixth_card_of_a_meld_lies_crosswise():
    root = ElementTree.fromstring(svg.meld("7h 7s 7c 7d JK 7c"))
    across = ["across" in use.get("class", "").split() for use in root.iter(f"{SVG}use") if use.get("class")]
    assert across == [False] * 5 + [True]
    assert "across" not in svg.meld("7h 7s 7c 7d JK")


def test_a_complete_meld_is_squared_up_with_kind_and_bonus_below():
    picture = svg.meld("Th Jh Qh Kh Ah 2h 3h")
    assert uses(picture) == ["back", "back", "Th"]
    assert words(picture, "bonus") == ["7 cards,", "sequence", "1500"]
    assert words(svg.meld("7h 7s 7c"), "bonus") == []


def test_a_table_shows_every_hand_meld_and_the_pile_from_its_top(pictures, middle):
    shown = sorted(uses(pictures["table"]))
    lying = [card for hand in middle.hands.values() for card in hand] + list(middle.pile)
    melds = [meld for side in middle.totals for meld in middle.melds(side)]
    lying += [card for meld in melds for card in (["back", "back", meld.cards[0]] if meld.complete else meld.cards)]
    assert shown == sorted(lying)
    root = ElementTree.fromstring(pictures["table"])
    pile = next(group for group in root.iter(f"{SVG}g") if group.get("class") == "pile")
    in_pile = [use.get("class") for use in pile.iter(f"{SVG}use")]
    ranks = [kind.split()[1].removeprefix("r").replace("joker", "JK") for kind in in_pile]
    assert ranks == [card if card == "JK" else card[0] for card in middle.pile]
    line = re.search(r"^pile (.*(?:\n        .*)*)", str(middle), re.M)[1].replace("(frozen)", "").split()
    locks = [card.startswith("[") for card in line]
    assert any(locks)
    assert ["across" in kind.split() for kind in in_pile] == locks
    assert f"Stock {middle.stock_size} " in words(pictures["table"], "pile")[0]


@pytest.mark.parametrize("preset", sit.PRESETS)
def test_a_seats_picture_is_the_same_whatever_the_others_hold(preset):
    game = sit.play(sit.Deal(seed=3, number=1, rules=preset), policies="heuristic")
    for place in range(0, len(game.actions), 17):
        table = game.at(place)
        seat = list(table.hands)[1]
        picture = svg.table(table, view=seat)
        assert picture == table.view(seat)._repr_html_()
        view = table.view(seat)
        hidden = sum(size - len(view.known(name)) for name, size in view.hand_sizes.items() if name != seat)
        squared = sum(meld.complete for side in table.totals for meld in table.melds(side))
        assert uses(picture).count("back") == hidden + 2 * squared
        open_cards = [*view.hand, *view.pile, *(card for name in view.hand_sizes for card in view.known(name))]
        laid = [card for side in table.totals for meld in table.melds(side) for card in meld]
        bought = [card for side in table.totals for card in (*table.bought(side), *table.bonus(side))]
        assert set(uses(picture)) - {"back"} <= {*open_cards, *laid}
        text = set(re.findall(r"\b(?:[A2-9TJQK][cdhs]|JK)\b", desc(picture)))
        calls = {call for call in view.calls if len(call) == 2}
        assert text <= {*open_cards, *laid, *bought, *calls}


def test_the_seat_of_the_orientation_sits_at_the_bottom(middle):
    def lowest(orientation):
        root = ElementTree.fromstring(svg.table(middle, orientation=orientation))
        names = [text for text in root.iter(f"{SVG}text") if text.get("class") == "seat"]
        return max(names, key=lambda name: float(name.get("y"))).text[0]

    assert [lowest(seat) for seat in "NESW"] == list("NESW")


def test_an_auction_stands_in_columns_from_the_first_seat_to_call(pictures, middle):
    assert words(pictures["auction"], "seat") == ["E", "S", "W", "N"]
    root = ElementTree.fromstring(pictures["auction"])
    bids = [call for call in middle.calls if call[-1] in "CDHS" and call[:-1].isdigit()]
    suits = [use.get("href")[-1] for use in root.iter(f"{SVG}use")]
    assert suits == [bid[-1].lower() for bid in bids]
    assert words(pictures["auction"], "contract") == [f"Contract {middle.contract}"]


def test_four_colours_give_each_suit_its_own():
    def inks(suits):
        return dict(re.findall(r'id="[^"]*-([cdhs])".*?fill="(#\w+)"', svg.hand("3c 3d 3h 3s", suits=suits)))

    assert len(set(inks("two").values())) == 2
    assert len(set(inks("four").values())) == 4


def test_style_and_size_are_put_into_the_picture():
    root = ElementTree.fromstring(svg.card("7h", size=96, style=".card > rect { fill: red }"))
    assert (root.get("width"), root.get("height")) == ("96", "136")
    assert root.find(f"{SVG}style").text == ".card > rect { fill: red }"
    assert ElementTree.fromstring(svg.card("7h")).get("width") is None


@pytest.mark.parametrize(
    ("ask", "complaint"),
    [
        (lambda table: svg.card("7h 8h"), "'7h 8h' holds 2 cards: a picture of a card shows one"),
        (lambda table: svg.hand("7h", suits="six"), "suits is 'six': it must be 'two' or 'four'"),
        (lambda table: svg.hand("7h", sort="age"), "sort is 'age': it must be 'suit' or 'rank'"),
        (lambda table: svg.hand("7h", overlap=1), "overlap is 1: it must be from 0 to 0.75"),
        (lambda table: svg.hand("7h", size=0), "size is 0: it must be a width in pixels"),
        (lambda table: svg.hand("7h", lang="sv"), "lang is 'sv': pictures know 'en' so far"),
        (lambda table: svg.table(table, view="X"), "view is 'X': the seats of this table are N E S W"),
        (lambda table: svg.table(table, orientation="X"), "orientation is 'X': the seats of this table are N E S W"),
        (lambda table: svg.table(table.view("N"), view="E"), "view is for tables: what is given is a view already"),
        (lambda table: svg.meld("7h 8s 9h"), "'7h 8s 9h' is no meld"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_one_sentence(middle, ask, complaint):
    with pytest.raises(sit.SitoumusError, match=f"^{re.escape(complaint)}"):
        ask(middle)


def test_objects_show_their_pictures_in_notebooks(game, middle):
    hand, meld = sit.Hand(HAND), sit.Meld("7h 7s 7c")
    assert hand._repr_html_() == svg.hand(hand)
    assert meld._repr_html_() == svg.meld(meld)
    assert game.deal._repr_html_() == svg.deal(game.deal)
    assert middle._repr_html_() == svg.table(middle)
    assert not any(hasattr(each, "_repr_svg_") for each in (hand, meld, game.deal, middle))
