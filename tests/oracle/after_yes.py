"""What a yes binds to (RULES.md D20, F10): while the asker can go out in his turn, he must."""

from . import cards as C


class AfterYes:
    """The part of the oracle that knows what a yes binds to."""

    def _bound(self):
        """Whether partner has said yes and the player can go out in this turn."""
        if self.asked != "yes" or not self.rules.data["out"]["yes_binds"]:
            return False
        return self.phase in ("draw", "taken", "meld") and self._can_go_out()

    def _arrive(self, most):
        """How many cards a draw of so many brings."""
        return min(most, len(self.stock_))

    def _good_ends(self, hand, melds, least, most, merge=False):
        """Whether the hand can be laid out, `least` to `most` cards left, so that the side may go out."""
        side, total = self._side(), self._points(melds) + self.rules.card_points(C.listed(hand))

        def good(done, rest):
            return self._right(side, done, total - self.rules.card_points(rest))

        return self.search.can_lay_out(hand, melds, least, most, good, merge)

    def _lays_whole(self, hand, melds, opened, waived):
        """Whether every card of the hand can be laid so that the side may go out: an unseen card is the discard."""
        if self._good_ends(hand, melds, 0, 0):
            if opened or waived:
                return True
        elif not self.rules.merging:
            return False
        if opened:
            return self._lays_whole_merging(hand, melds, set())
        return self._whole_opening(hand, melds)

    def _lays_whole_merging(self, hand, melds, seen):
        """The same where sets of the side are merged on the way."""
        key = (hand, tuple(sorted(melds)))
        if key in seen:
            return False
        seen.add(key)
        if not sum(hand):
            return self._right_with(self._side(), melds) or any(
                self._lays_whole_merging(hand, after, seen) for _, _, after in self._merges(melds)
            )
        return any(self._lays_whole_merging(h, ms, seen) for _, h, ms in self._steps(hand, melds, True))

    def _whole_opening(self, hand, melds):
        """An opening that leaves no card but the one that comes unseen."""
        side, req = self._side(), self._req()
        total = self._points(melds) + self.rules.card_points(C.listed(hand))

        def shown(ms, rest):
            ms = [m for m in ms if not self.rules.kinds[m.kind].black]
            return self._right_with(side, ms, total) and self.search.enough(
                req, total, self.search.bits(ms, req._replace(deuces=0))
            )

        return self.search.can_lay_out_literally(hand, melds, 0, 0, shown)

    def _can_go_out(self):
        """Whether the player to act can go out in this turn, whatever cards he does not know."""
        side, rules = self._side(), self.rules
        hand, melds = self.hands_[self.seat], self.melds_[side]
        if self.asked == "no" or (rules.ask == "required" and self.asked != "yes"):
            return False
        if self.phase == "draw":
            return self._can_go_out_from_draw()
        least = 1 if rules.discard_required else 0
        if self.opened_[side]:
            if self._laid_out(hand, melds, self._points(melds)):
                return True
            extra = self.phase == "taken" and self._arrive(rules.data["draw"]["after_pile"]) == 1
            return extra and self._lays_whole(hand, melds, True, False)
        if self._good_ends(hand, melds, least, 1):
            if self._waiver():
                return True
        elif not rules.merging or not self._good_ends(hand, melds, least, 1, True):
            return False
        return any(self._then(a)._can_go_out_or_is_out() for a in self._lays() if self._why_not_free(a) is None)

    def _can_go_out_or_is_out(self):
        """The same after a step; steps in another order lead to the same place, which is asked about once."""
        if self.phase == "over":
            return True
        key = ("can go out", self._place())
        cache = self.search.cache
        if key not in cache:
            answer = self._can_go_out()
            cache[key] = answer
            return answer
        return cache[key]

    def _place(self):
        """All that the rest of the turn hangs on: the melds of the side in no order, everything else as it is."""
        side = self._side()
        melds = self.melds_[side]
        others = tuple(m for name, m in self.melds_.items() if name != side)
        target = None if self.prelay is None else melds[self.prelay]
        told = ("rules", "search", "melds_", "prelay", "calls", "bids", "_legal")
        rest = [
            tuple(value.items()) if isinstance(value, dict) else value
            for name, value in self.__dict__.items()
            if name not in told
        ]
        return tuple(sorted(melds)), others, target, *rest

    def _can_go_out_from_draw(self):
        side, rules = self._side(), self.rules
        hand, melds = self.hands_[self.seat], self.melds_[side]
        opened, begun = self.opened_[side], self._begun()
        if not begun and self._arrive(rules.data["draw"]["stock"]) == 1:
            waived = not opened and rules.data["opening"]["waive"] != "never"
            if self._lays_whole(hand, melds, opened, waived):
                return True
        takes = [a for a in self._takes() if self._why_not_free(a) is None]
        if any(self._then(a)._can_go_out_or_is_out() for a in takes):
            return True
        if opened or not self._ways():
            return False
        return any(self._then(a)._can_go_out() for a in self._lays() if self._why_not_free(a) is None)

    def _then(self, action):
        after = self.copy()
        after._apply(action)
        return after

    def _goes_on(self, action):
        """Whether the player has gone out with this step, or can still go out after it."""
        verb, rules = action[0], self.rules
        side = self._side()
        hand, melds, opened = self.hands_[self.seat], self.melds_[side], self.opened_[side]
        if verb == "discard":
            return sum(hand) == 1
        if verb == "end":
            return False
        waived = self._waiver()
        if verb == "draw":
            waived = not opened and rules.data["opening"]["waive"] != "never"
            return self._arrive(rules.data["draw"]["stock"]) == 1 and self._lays_whole(hand, melds, opened, waived)
        if verb == "extra":
            return self._arrive(rules.data["draw"]["after_pile"]) == 1 and self._lays_whole(hand, melds, opened, False)
        if verb == "buy":
            return self._lays_whole(C.minus(hand, (action[1],)), melds, opened, waived)
        return self._then(action)._can_go_out_or_is_out()
