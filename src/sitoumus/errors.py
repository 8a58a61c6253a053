"""The errors of the library: all are ValueErrors, so one ``except ValueError`` catches bad input.

A message is one sentence that quotes the offending text, says where it stands and what would be
right. The command line prints it as it is and exits with status 2.
"""

__all__ = [
    "CaseFileError",
    "DatasetError",
    "IllegalActionError",
    "InvalidActionError",
    "InvalidCardError",
    "InvalidMeldError",
    "InvalidPositionError",
    "PolicyError",
    "RecordError",
    "RuleSetError",
    "RulingError",
    "SitoumusError",
    "StudyError",
    "StudyInterrupted",
]


class SitoumusError(ValueError):
    """Base of all errors that the library raises for bad input."""


class InvalidCardError(SitoumusError):
    """A text that names no card, or more copies of a card than the pack holds."""


class InvalidMeldError(SitoumusError):
    """Cards that form no meld under the rules in force."""


class InvalidActionError(SitoumusError):
    """A text that is no action (or no bid, or no contract) at all."""


class IllegalActionError(SitoumusError):
    """An action that may not be taken now; the text gives the reason, the rule and the position."""


class InvalidPositionError(SitoumusError):
    """A position that the rules and the pack cannot produce, or that is written wrongly."""


class RuleSetError(SitoumusError):
    """A rule set that cannot be: the message names the field, what is wrong and what would be right."""


class RulingError(SitoumusError):
    """A ruling that cannot be given as asked for: an unknown kind, a missing detail, a choice that is not open."""


class CaseFileError(SitoumusError):
    """A file of rule cases that cannot be read."""


class RecordError(SitoumusError):
    """A game record that cannot be read or does not replay."""


class PolicyError(SitoumusError):
    """An unknown policy or parameter, or a policy that returned an action that is not legal."""


class DatasetError(SitoumusError):
    """A dataset that is incomplete, contradicts itself, or comes from another version."""


class StudyError(SitoumusError):
    """A question that a study cannot answer as it was put."""


class StudyInterrupted(KeyboardInterrupt):
    """Ctrl-C during a study: `result` is the study of what had been played by then."""

    def __init__(self, result: object) -> None:
        super().__init__("interrupted")
        self.result = result
