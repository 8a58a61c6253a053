"""The club: deals typed in from paper, match sheets, the ranking of an evening, dealing sheets."""
