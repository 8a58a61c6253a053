"""The version of the library, and the version of its results.

History of `RESULT_VERSION`; every change of a row of `simulate` raises it:

1. The first rows.
2. The heuristic bids by worth, competes, doubles and asks before going out; `random` draws its steps by counting.
3. `greedy` asks before it goes out in the games that require the question (Russian and Brazilian Canasta).
4. The heuristic weighs discards a little otherwise where the next player is likely to hold the pair.
5. `RolloutPolicy` weighs its worlds by the auction in play too.
6. `random` draws its steps from quarter words, verb by verb.
7. With `transfer_to_new_sequence`, a transfer may leave too few cards to stay in play where the player goes out.
8. `random` draws its steps verb by verb in all games (rows of Sitoumussamba stay as they were).
9. With `no_commitment_goout = "none"`, an opening that goes out must reach its minimum without the discard.
10. An opening with a take of few cards that goes out is found from hands of any size.
11. An empty stock that forces a fit forces it from a frozen pile too, where rules let a frozen pile be taken by a fit.
12. `RolloutPolicy` weighs its worlds by discards too, and deals them seat by seat.
13. Random numbers of policies written in Python have keys that do not tell the seed; `random` draws a merge only where
    a rank lies twice. The heuristic plays games without a contract by what counts there.
14. A complete meld opens in the features of a hand (``can_open_*``) only in rules where bonuses count to an opening.
15. A yes binds: who can go out after it must (all games that ask but the Russian one). The take of an opening may name
    more cards of its set, where the top card counts (all games but Sitoumussamba and Brazilian Canasta). Dealt red
    threes are laid when their owner's first turn begins (Russian Canasta). `RolloutPolicy` weighs its worlds by a
    likelihood whose floor all legal calls, or cards of the hand, share. Where no policy is named, `steady` plays.
"""

__all__ = ["RESULT_VERSION", "__version__"]

__version__ = "0.1.0"

#: Rows of equal seed, number, rules and policies are equal as long as this number is.
RESULT_VERSION = 15
