"use strict";
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const SUITS = { c: "♣", d: "♦", h: "♥", s: "♠" };
  const SVG = "http://www.w3.org/2000/svg";
  const find = (id) => document.getElementById(id);
  let game, states, step = 0, deal = 0, bottom, hidden = false, timer = null, frame = 0;

  // Small helpers: elements, cards, words.

  function make(tag, content, attributes) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) made.setAttribute(name, value);
    for (const each of [].concat(content === undefined ? [] : content)) made.append(each);
    return made;
  }

  function fill(id, content) {
    find(id).replaceChildren(...[].concat(content));
  }

  function list(text) {
    return text ? text.split(" ") : [];
  }

  function bare(card) {
    return card.replace(/[[\]]/g, "");
  }

  function cardWords(card) {
    card = bare(card);
    if (card === "JK") return "joker";
    if (card[0] === "?") return card.slice(1) + " hidden cards";
    return card.replace("T", "10").replace(/[cdhs]$/, (suit) => SUITS[suit]);
  }

  function spread(text) {
    const cards = [];
    for (const card of list(text)) {
      if (card[0] === "?") for (let n = Number(card.slice(1)); n > 0; n--) cards.push("?");
      else cards.push(card);
    }
    return cards;
  }

  const ORDER = "cdsh", RANKS = "A23456789TJQK";
  function place(card) {
    if (card === "?") return 1000;
    if (card === "JK") return 999;
    return ORDER.indexOf(card[1]) * 20 + RANKS.indexOf(card[0]);
  }

  function drawn(card, lies) {
    const name = bare(card) === "?" ? "back" : bare(card);
    const picture = document.createElementNS(SVG, "svg");
    picture.setAttribute("viewBox", "0 0 48 68");
    if (lies) picture.setAttribute("class", "lie");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", "#k-" + name);
    picture.append(use);
    return picture;
  }

  function name(seat) {
    return data.names[seat];
  }

  // The table, drawn and in words.

  function sideOf(seat) {
    return game.sides.find((side) => side.includes(seat));
  }

  function melds(state, side) {
    const found = [];
    for (let n = 1; state["m" + side + "/" + n] !== undefined; n++) {
      const [cards, words] = state["m" + side + "/" + n].split("|");
      found.push({ cards: cards, words: words || "" });
    }
    return found;
  }

  function shownHand(state, seat) {
    const text = state["h" + seat];
    if (!hidden || seat === bottom) return text;
    const n = spread(text).length;
    return n ? "?" + n : "";
  }

  function drawSeat(state, seat, where) {
    const text = shownHand(state, seat), cards = spread(text).sort((a, b) => place(a) - place(b));
    const now = seat === state.turn && state.phase !== "over";
    const title = name(seat) + (now ? " ◂" : "") + ", " + cards.length + " cards" + (seat === game.dealer ? ", dealer" : "");
    return make("div", [make("div", title, { class: "name" }), make("div", cards.map((card) => drawn(card)), { class: "cards" })],
      { class: "seat " + where + (now ? " now" : ""), "data-seat": seat, "data-cards": text });
  }

  function drawSide(state, side) {
    const laid = melds(state, side).map(function (meld) {
      const cards = list(meld.cards);
      const pictures = meld.words
        ? [drawn("?"), drawn("?"), drawn(cards[0])]
        : cards.map((card, n) => drawn(card, n === 5));
      const parts = [make("div", pictures, { class: "cards" })];
      if (meld.words) parts.push(make("small", cards.length + " cards, " + meld.words));
      return make("div", parts, { class: "meld" + (meld.words ? " whole" : ""), "data-cards": meld.cards, "data-words": meld.words });
    });
    return make("div", [make("div", side + ": " + state["i" + side], { class: "name" }), make("div", laid, { class: "melds" })],
      { class: "side", "data-side": side, "data-state": state["i" + side], "data-points": state["p" + side] });
  }

  function drawPile(state) {
    const cards = list(state.pile);
    const title = "Stock " + state.stock + ", pile " + (cards.length ? cards.length + " cards, top first" : "empty") + (state.frozen ? ", frozen" : "");
    return make("div", [make("div", title, { class: "name" }), make("div", cards.map((card) => drawn(card, card[0] === "[")), { class: "cards" })],
      { class: "pile", "data-pile": state.pile, "data-stock": state.stock, "data-frozen": state.frozen });
  }

  function drawBoard(state) {
    const seats = game.seats, start = seats.indexOf(bottom);
    const round = seats.slice(start).concat(seats.slice(0, start));
    const places = { 2: ["bottom", "top"], 3: ["bottom", "left", "right"], 4: ["bottom", "left", "top", "right"] }[seats.length];
    const own = sideOf(bottom);
    const centre = game.sides.filter((side) => side !== own).map((side) => drawSide(state, side));
    centre.push(drawPile(state), drawSide(state, own));
    const parts = round.map((seat, n) => drawSeat(state, seat, places[n]));
    parts.push(make("div", centre, { class: "centre" }));
    parts.sort((a, b) => rowOf(a) - rowOf(b));
    const board = find("board");
    board.dataset.step = step;
    board.dataset.deal = deal;
    for (const key of ["turn", "phase", "contract", "calls"]) board.dataset[key] = state[key];
    fill("board", parts);
  }

  function rowOf(part) {
    return ["top", "left", "right", "centre", "bottom"].findIndex((each) => part.classList.contains(each));
  }

  function inWords(cards) {
    return cards.map(cardWords).join(" ") || "none";
  }

  function tellBoard(state) {
    const parts = [make("h2", "The table after step " + step)];
    for (const seat of game.seats) {
      parts.push(make("h3", "Hand of " + name(seat)), make("p", inWords(list(shownHand(state, seat)))));
    }
    for (const side of game.sides) {
      parts.push(make("h3", side + ", " + state["i" + side]));
      const laid = melds(state, side).map((meld) => make("li", inWords(list(meld.cards)) + (meld.words ? ": " + meld.words : "")));
      parts.push(laid.length ? make("ol", laid) : make("p", "no melds"));
    }
    parts.push(make("h3", "Pile and stock"));
    parts.push(make("p", "Pile, top first: " + inWords(list(state.pile)) + (state.frozen ? "; frozen" : "") + ". Stock: " + state.stock + " cards."));
    fill("words", parts);
  }

  // Auction, points, turns, score.

  function tableOf(caption, heads, rows) {
    const head = make("thead", make("tr", heads.map((each) => make("th", each, { scope: "col" }))));
    const lines = rows.map(function (row) {
      return make("tr", row.map((cell, n) => (n ? make("td", cell, typeof cell === "number" ? { class: "n" } : {}) : make("th", cell, { scope: "row" }))).map(function (cell, n) {
        if (typeof row[n] === "number") cell.textContent = String(row[n]);
        return cell;
      }));
    });
    return make("table", [make("caption", caption), head, make("tbody", lines)]);
  }

  function call(text) {
    return /^\d+[CDHS]$/.test(text) ? text.slice(0, -1) + SUITS[text.slice(-1).toLowerCase()] : text;
  }

  function drawAuction(state) {
    find("auction").hidden = !game.auction;
    if (!game.auction) return;
    const first = (game.seats.indexOf(game.dealer) + 1) % game.seats.length;
    const seats = game.seats.slice(first).concat(game.seats.slice(0, first));
    const calls = list(state.calls), rows = [];
    for (let n = 0; n < calls.length; n += seats.length) rows.push(calls.slice(n, n + seats.length));
    const head = make("thead", make("tr", seats.map((seat) => make("th", name(seat), { scope: "col" }))));
    const body = make("tbody", rows.map((row) => make("tr", row.map((each) => make("td", call(each))))));
    fill("calls", make("table", [make("caption", "Contract " + state.contract), head, body]));
  }

  function drawPoints(state) {
    const rows = [];
    for (const side of game.sides) {
      let sum = 0;
      for (const part of list(state["p" + side])) {
        const [rule, value] = part.split(":");
        rows.push([side, rule, Number(value)]);
        sum += Number(value);
      }
      rows.push([side, "laid so far", sum]);
    }
    fill("running", tableOf("Melds, bonuses and what was lost", ["side", "rule", "points"], rows));
  }

  function listTurns() {
    const turns = [];
    game.steps.forEach(function (each, n) {
      const [seat, turn, words] = each, last = turns[turns.length - 1];
      const said = seat + "|" + turn;
      if (last && turn === last.turn) {
        last.end = n + 1;
        last.words += (last.said === said ? "; " : "; " + name(seat) + " ") + words;
        last.said = said;
      } else turns.push({ turn: turn, said: said, end: n + 1, words: name(seat) + " " + words });
    });
    game.turns = turns;
    fill("list", turns.map(function (turn) {
      const button = make("button", (turn.turn ? turn.turn + " " : "") + turn.words, { type: "button" });
      button.addEventListener("click", () => go(turn.end));
      return make("li", button);
    }));
  }

  function drawScore() {
    const at_end = step === game.steps.length && game.score.length > 0;
    find("score").hidden = !at_end;
    const rows = game.score.concat(Object.entries(game.scores).map(([side, points]) => [side, "", "score", points]));
    fill("sheet", game.score.length ? tableOf(game.ended, ["side", "rule", "what", "points"], rows) : []);
    find("sheet").dataset.scores = JSON.stringify(game.scores);
  }

  // Going from step to step.

  function say(before) {
    const state = states[step];
    let words;
    if (step === 0) words = "The beginning: " + name(state.turn) + " is to act.";
    else words = name(game.steps[step - 1][0]) + " " + game.steps[step - 1][2] + ".";
    if (before === step + 1) {
      const undone = game.steps[step];
      words = "Taken back: " + name(undone[0]) + " " + undone[2] + ".";
    }
    find("say").textContent = words;
  }

  function show(before) {
    const state = states[step];
    const next = state.phase === "over" ? "The deal is over" : name(state.turn) + " to act, phase " + state.phase;
    find("head").textContent = game.title + ". " + next + (game.auction ? ", contract " + state.contract : "");
    drawBoard(state);
    tellBoard(state);
    drawAuction(state);
    drawPoints(state);
    drawScore();
    say(before);
    find("slide").value = step;
    find("at").textContent = step + " of " + game.steps.length;
    const now = game.turns.findIndex((turn) => turn.end >= step);
    document.querySelectorAll("#list button").forEach(function (button, n) {
      if (n === now && step > 0) {
        button.setAttribute("aria-current", "step");
        cancelAnimationFrame(frame);
        frame = requestAnimationFrame(function () {
          const box = find("list");
          box.scrollTop = button.offsetTop - box.offsetTop - box.clientHeight / 2;
        });
      } else button.removeAttribute("aria-current");
    });
    try {
      history.replaceState(null, "", "#" + (data.games.length > 1 ? deal + 1 + "/" : "") + step);
    } catch {
      // In a frame without an address of its own there is nothing to keep.
    }
  }

  function go(to) {
    const before = step;
    step = Math.max(0, Math.min(game.steps.length, to));
    show(before);
    if (step === game.steps.length) stop();
  }

  function byTurn(way) {
    const ends = [0].concat(game.turns.map((turn) => turn.end));
    const found = way > 0 ? ends.find((end) => end > step) : ends.reverse().find((end) => end < step);
    go(found === undefined ? step : found);
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    pressed("play", false);
  }

  function pressed(what, on) {
    document.querySelector('[data-do="' + what + '"]').setAttribute("aria-pressed", String(on));
  }

  const DO = {
    first: () => go(0),
    last: () => go(game.steps.length),
    back: () => go(step - 1),
    on: () => go(step + 1),
    turnback: () => byTurn(-1),
    turnon: () => byTurn(1),
    play: function () {
      if (timer !== null) return stop();
      timer = setInterval(() => go(step + 1), 900);
      pressed("play", true);
    },
    flip: function () {
      bottom = game.seats[(game.seats.indexOf(bottom) + 1) % game.seats.length];
      show(step);
    },
    hide: function () {
      hidden = !hidden;
      pressed("hide", hidden);
      show(step);
    },
    theme: function () {
      const root = document.documentElement;
      const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.theme = dark ? "light" : "dark";
    },
    keys: function () {
      const keys = find("keys");
      keys.hidden = !keys.hidden;
      document.querySelector('[data-do="keys"]').setAttribute("aria-expanded", String(!keys.hidden));
    },
  };

  const KEYS = {
    ArrowLeft: "back", ArrowRight: "on", PageUp: "turnback", PageDown: "turnon", Home: "first", End: "last",
    " ": "play", f: "flip", F: "flip", h: "hide", H: "hide", "?": "keys",
  };

  document.addEventListener("keydown", function (event) {
    const at = event.target, typing = at.tagName === "SELECT" || at.tagName === "TEXTAREA" || (at.tagName === "INPUT" && at.type !== "range");
    if (typing || event.ctrlKey || event.altKey || event.metaKey) return;
    let what = KEYS[event.key];
    if (event.key === " " && at.tagName === "BUTTON") return;
    if (event.shiftKey && what === "back") what = "turnback";
    if (event.shiftKey && what === "on") what = "turnon";
    if (!what) return;
    event.preventDefault();
    DO[what]();
  });
  document.querySelectorAll("[data-do]").forEach((button) => button.addEventListener("click", () => DO[button.dataset.do]()));
  find("slide").addEventListener("input", (event) => go(Number(event.target.value)));
  find("deal").addEventListener("change", (event) => open(Number(event.target.value), 0));
  window.addEventListener("hashchange", fromAddress);

  function open(number, at) {
    deal = number;
    game = data.games[deal];
    states = [game.first];
    for (const each of game.steps) {
      const state = Object.assign({}, states[states.length - 1], each[3]);
      for (const key of Object.keys(each[3])) if (each[3][key] === null) delete state[key];
      states.push(state);
    }
    if (!game.seats.includes(bottom)) bottom = data.view || (game.seats.includes("S") ? "S" : game.seats[0]);
    find("slide").max = game.steps.length;
    find("foot").textContent = game.foot;
    find("deal").value = deal;
    listTurns();
    step = at;
    go(at);
  }

  function fromAddress() {
    const found = /^#(?:(\d+)\/)?(\d+)$/.exec(location.hash);
    const number = found && found[1] ? Math.min(data.games.length, Math.max(1, Number(found[1]))) - 1 : 0;
    open(number, found ? Number(found[2]) : data.start);
  }

  find("which").hidden = data.games.length < 2;
  fill("deal", data.games.map((each, n) => make("option", String(n + 1), { value: n })));
  find("app").hidden = false;
  fromAddress();
})();
