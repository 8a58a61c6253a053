"""Positions in the format of docs/notation.md, read into an oracle and written from one."""

import re

from . import cards as C

KEYS = """dealer phase turn contract auction totals hands melds bought bonus penalties pile stock
    ended first_turn turn_state""".split()
TURN_KEYS = """drew laid asked ask_phase start_melds touched started must_out prelay opening
    laid_before turns opened_turn""".split()
PHASES = "auction opening draw taken meld reply over".split()


def _tokens(text):
    """[card or ("?", n)] of a list of cards."""
    out = []
    for t in text.split():
        filler = re.fullmatch(r"\?(\d+)", t)
        out.append(("?", int(filler[1])) if filler else C.card(t))
    return out


def _expect(names, table, what):
    for key in table:
        if key not in names:
            raise ValueError(f"unknown key in {what}: {key!r}")


def read_position(o, p):
    """Fill a blank oracle from a position table."""
    from .oracle import bid_text, read_bid, read_contract

    r = o.rules
    _expect(KEYS, p, "position")
    o.dealer = p.get("dealer", r.seats[0])
    o.phase = p.get("phase", "draw")
    if o.dealer not in r.seats or o.phase not in PHASES:
        raise ValueError(f"no such dealer or phase: {o.dealer}, {o.phase}")
    o.contract = read_contract(p.get("contract", "none"))
    if o.contract:
        if not r.contract:
            raise ValueError("there is no contract in this game")
        if o.contract[2] not in r.seats or o.contract[0] > r.contract["max_level"]:
            raise ValueError(f"no such contract: {p['contract']}")
    if o.phase in ("auction", "opening") and not r.contract:
        raise ValueError(f"there is no phase {o.phase} in this game")
    if o.phase == "auction" and o.contract:
        raise ValueError("there is no contract before the end of the auction")
    if o.phase == "opening" and (not o.contract or o.contract[3]):
        raise ValueError("phase opening needs a contract that is not doubled")
    _read_auction(o, p.get("auction", []), read_bid, bid_text)

    for name, mine, keys in [
        ("totals", o.totals, r.sides),
        ("penalties", o.penalties_, r.sides),
    ]:
        _expect(keys, p.get(name, {}), name)
        mine.update(p.get(name, {}))
    _expect(r.seats, p.get("hands", {}), "hands")
    for name in ("melds", "bought", "bonus"):
        _expect(r.sides, p.get(name, {}), name)

    turn = p.get("turn")
    if turn is None:
        if o.phase == "opening":
            turn = o.contract[2]
        else:
            turn = r.next_seat[o.dealer]
            for _ in o.calls if o.phase == "auction" else ():
                turn = r.next_seat[turn]
    if turn not in r.seats:
        raise ValueError(f"no such turn: {turn}")
    o.seat = r.partner[turn] if o.phase == "reply" else turn
    if o.phase == "opening" and turn != o.contract[2]:
        raise ValueError("in phase opening the declarer is to act")

    if o.phase == "over":
        ended = p.get("ended")
        if ended == "stock":
            o.ended_ = "stock"
        elif ended in [f"out {s}" for s in r.seats]:
            o.ended_, o.out_seat = "out", ended[4:]
        else:
            raise ValueError(f"phase over needs ended = 'stock' or 'out N', not {ended!r}")
    elif "ended" in p:
        raise ValueError("ended belongs to phase over")

    for side in r.sides:
        o.melds_[side] = tuple(r.read_meld(t) for t in p.get("melds", {}).get(side, []))
        ranks = [
            (m.kind, m.key)
            for m in o.melds_[side]
            if r.kinds[m.kind].per_rank == "one" and r.kinds[m.kind].shape == "set"
        ]
        if len(set(ranks)) != len(ranks):
            raise ValueError("two melds of one rank where there may be only one")
        opening = o.phase == "opening" and side == r.side_of[o.seat]
        o.opened_[side] = bool(o.melds_[side]) and not opening
        if o.opened_[side]:
            o.opened_turn[side] = 0
    _deal_cards(o, p)

    o._fresh_turn()
    if o.phase in ("meld", "reply"):
        o.drew = "stock"
    elif o.phase == "taken":
        o.drew, o.laid = "pile", True
    if o.phase == "reply":
        o.ask_phase = "meld"
    _first_turn(o, p.get("first_turn"))
    state = p.get("turn_state", {})
    _expect(TURN_KEYS, state, "turn_state")
    if state.get("ask_phase") == "draw":
        o.drew = None
    for key, value in state.items():
        if key == "opening":
            o.opened_[r.side_of[o.seat]] = not value
        elif key in ("laid_before", "opened_turn"):
            getattr(o, key).update(value)
        elif key == "prelay":
            o.prelay = value - 1
        else:
            setattr(o, key, tuple(value) if key == "started" else value)


def _read_auction(o, calls, read_bid, bid_text):
    r, seat = o.rules, o.rules.next_seat[o.dealer]
    if calls and not r.contract:
        raise ValueError("there is no auction in this game")
    for k, call in enumerate(calls):
        bid = read_bid(call)
        passes = 0
        while passes < k and calls[k - 1 - passes] == "pass":
            passes += 1
        if passes >= (3 if o.bids else 4) or "double" in calls[:k]:
            raise ValueError(f"the auction was over before {call}")
        if bid:
            if bid[0] > r.contract["max_level"] or (o.bids and bid <= o.bids[-1][:2]):
                raise ValueError(f"the bid is not legal: {call}")
            o.bids.append((*bid, seat))
        elif call == "double":
            if not o.bids or r.side_of[o.bids[-1][2]] == r.side_of[seat]:
                raise ValueError("double without a bid of the opponents")
        elif call != "pass":
            raise ValueError(f"no such call: {call}")
        o.calls.append(call)
        seat = r.next_seat[seat]
    if o.phase == "auction":
        tail = o.calls[-3:] if o.bids else o.calls[-4:]
        if "double" in calls or (tail and set(tail) == {"pass"} and len(tail) == (3 if o.bids else 4)):
            raise ValueError("the auction is over")
    elif o.contract and o.phase == "opening":
        bid = o.contract[:3]
        if not o.calls:
            o.bids = [bid]
        elif bid not in o.bids:
            raise ValueError("the contract is no bid of the auction")


def _deal_cards(o, p):
    """Named cards first, then fillers: hands, pile, stock; the rest is the stock."""
    r = o.rules
    deal = r.data["deal"]
    hands = {}
    for s in r.seats:
        size = deal["hand"]
        if (
            deal["first_turn"] == "discard_only"
            and o.phase == "meld"
            and s == o.seat == r.next_seat[o.dealer]
            and not p.get("pile", "x")
        ):
            size += deal["first_extra"]
        default = "" if s == o.out_seat else f"?{size}"
        hands[s] = _tokens(p.get("hands", {}).get(s, default))
    turned = o.phase not in ("auction", "opening") and deal["turn_up"] != "none"
    pile = _tokens(p.get("pile", "?1" if turned else ""))
    stock = _tokens(p["stock"]) if "stock" in p else None
    for side in r.sides:
        o.laid_bonus[side] = tuple(C.cards(p.get("bonus", {}).get(side, "")))
        if any(i not in r.bonus_cards for i in o.laid_bonus[side]):
            raise ValueError("bonus holds a card that is not a bonus card")
        n = p.get("bought", {}).get(side, 0)
        if n:
            buy = r.data["buy"]
            if not buy:
                raise ValueError("there are no bought cards in this game")
            o.laid_bought[side] = (None,) * n

    left = list(r.pack)

    def use(i):
        left[i] -= 1
        if left[i] < 0:
            raise ValueError(f"surplus: more {C.TEXT[i]} than the pack has")

    for s in r.seats:
        for t in hands[s]:
            if not isinstance(t, tuple):
                if t in r.bonus_cards and not (r.bonus_waits and s != o.seat):  # F24
                    raise ValueError(f"bonus card in a hand: {C.TEXT[t]}")
                use(t)
    for side in r.sides:
        for i in [c for m in o.melds_[side] for c in m.cards] + list(o.laid_bonus[side]):
            use(i)
    for t in pile + (stock or []):
        if not isinstance(t, tuple):
            use(t)
    for side in r.sides:  # 3d first
        laid = []
        for _ in o.laid_bought[side]:
            i = 9 if left[9] else 10
            use(i)
            laid.append(i)
        o.laid_bought[side] = tuple(laid)

    def fill(tokens, skip=()):
        out = []
        for t in tokens:
            if not isinstance(t, tuple):
                out.append(t)
                continue
            n, i = t[1], 0
            while n:
                if i == C.NUM:
                    raise ValueError("surplus: more cards than the pack has")
                if left[i] and i not in skip:
                    left[i] -= 1
                    out.append(i)
                    n -= 1
                else:
                    i += 1
        return tuple(out)

    for s in r.seats:
        o.hands_[s] = C.counts(fill(hands[s], r.bonus_cards))
    o.pile_ = fill(pile)
    o.stock_ = fill([("?", sum(left))]) if stock is None else fill(stock)


def _first_turn(o, given):
    r = o.rules
    if r.data["deal"]["first_turn"] == "discard_only":
        o.discard_only = (
            o.phase == "meld" and o.seat == r.next_seat[o.dealer] and not o.pile_ and not o.melds_[r.side_of[o.seat]]
            if given is None
            else bool(given)
        )
    if r.contract and o.contract and r.contract["first_player"] == "committer":
        o.first = (
            o.phase == "draw"
            and not o.contract[3]
            and o.seat == o.contract[2]
            and (given if given is not None else len(o.pile_) == 1 and len(o.stock_) == 101)
        )


def write_position(o):
    """A position from which an oracle goes on in the same way."""
    r = o.rules
    p = {
        "dealer": o.dealer,
        "phase": o.phase,
        "turn": o.turn,
        "totals": dict(o.totals),
        "hands": o.hands,
        "melds": o.melds,
        "penalties": dict(o.penalties_),
        "pile": o.pile,
        "stock": o.stock,
        "first_turn": (o.first and o.phase == "draw") or o.discard_only,
    }
    if r.contract:
        p.update(contract=o.contract_text, auction=list(o.calls), bought=o.bought)
    else:
        p["bonus"] = o.bonus
    if o.phase == "over":
        p["ended"] = o.ended
        return p
    state = {
        "laid": o.laid,
        "start_melds": o.start_melds,
        "touched": o.touched,
        "started": list(o.started),
        "must_out": o.must_out,
        "laid_before": dict(o.laid_before),
        "turns": o.turns,
        "opened_turn": dict(o.opened_turn),
    }
    for key in ("drew", "asked", "ask_phase"):
        if getattr(o, key):
            state[key] = getattr(o, key)
    if o.prelay is not None:
        state["prelay"] = o.prelay + 1
    side = r.side_of[o.seat]
    if o.melds_[side] and not o.opened_[side] and o.phase != "opening":
        state["opening"] = True
    p["turn_state"] = state
    return p
