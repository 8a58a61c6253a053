"""How much do the open questions of the rules move the odds? One hand under every reading, on the same deals.

python examples/open_rule_questions.py [--deals 1000]
"""

import argparse

import sitoumus as sit

HAND = "Ah Kh Qh Jh Th 7s 7d 7c 2c JK 9s 9d 4c 4d 3s"

#: The readings, each by the rule it belongs to and the option that plays it.
READINGS = {
    "B13 three deuces after the opening": {"deuce_set_min_after_open": 3},
    "B14 the pair counts for the opening": {"pair_counts_for_opening": True},
    "B15 three cards take an open pile": {"unlocked_take_cards": 3},
    "B16 a lock on top takes to the next": {"lock_top_take": "next_lock"},
    "B19 transfer onto a new sequence": {"transfer_to_new_sequence": True},
    "B20 no sequences over the king": {"cyclic_sequences": False},
    "B23 second set after a complete one": {"second_set": "after_complete"},
    "B27 the strain must be made": {"strain_must_be_made": True},
    "B28 going out counts for the right": {"out_bonus_in_gate": True},
    "B28 going out never counts": {"out_bonus_in_result": False},
    "B30 no hand minus from level 5": {"hand_minus_at_5plus": False},
    "B33 void only if nobody went out": {"void_rule": "deal_end"},
    "B34 a failed side loses card points": {"failed_side_keeps_card_points": False},
    "B40 no question to the partner": {"permission": False},
    "C36 anyone goes out without a contract": {"no_commitment_goout": "none"},
    "C37 the last stock card ends the deal": {"stock_end": "immediate"},
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000)
    given = parser.parse_args()
    odds = sit.contract_odds(HAND, ["3H", "5H"], deals=given.deals, seed=4, rules_panel=READINGS, progress=False)
    print(odds)
    print("\nWhat the readings move, beside what the number of deals leaves open:")
    for row in odds.frame.to_dict("records"):
        moved = f"{100 * row['made_rules_least']:.1f} to {100 * row['made_rules_most']:.1f} over the readings"
        sampling = f"{100 * row['made_low']:.1f} to {100 * row['made_high']:.1f} by sampling"
        print(f"  {row['contract']} made, in %: {moved}; {sampling}")


if __name__ == "__main__":
    main()
