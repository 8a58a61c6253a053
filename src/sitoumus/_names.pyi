from typing import Final

PHASES: Final[tuple[str, ...]]
VERBS: Final[tuple[str, ...]]
RESULTS: Final[tuple[str, ...]]
FEATURES: Final[tuple[str, ...]]
YES_NO_FEATURES: Final[tuple[str, ...]]
POLICIES: Final[dict[str, int]]
PURPOSES: Final[dict[str, int]]
STEPS: Final[dict[str, int]]
COUNTS: Final[dict[str, int]]
MOST_STEPS: Final[int]
MOST_QUANTITIES: Final[int]
LAYOUT: Final[str]

def layouts() -> dict[str, list[tuple[str | None, int, int]]]: ...
