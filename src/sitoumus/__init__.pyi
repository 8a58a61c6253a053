# ruff: noqa: I001  (in the order of the documentation)
from ._core import Hand as Hand, Meld as Meld, Deal as Deal, Table as Table, LegalActions as LegalActions, View as View
from ._testing import perft as perft
from .hands import (
    features as features,
    best_opening as best_opening,
    random_hands as random_hands,
)
from .score import Score as Score
from .rules import (
    RuleSet as RuleSet,
    PRESETS as PRESETS,
    preset as preset,
    SITOUMUSSAMBA as SITOUMUSSAMBA,
    FINNISH_CANASTA as FINNISH_CANASTA,
    FINNISH_CANASTA_2P as FINNISH_CANASTA_2P,
    FINNISH_CANASTA_3P as FINNISH_CANASTA_3P,
    AMERICAN_CANASTA as AMERICAN_CANASTA,
    RUSSIAN_CANASTA as RUSSIAN_CANASTA,
    TILE_CANASTA as TILE_CANASTA,
    SAMBA as SAMBA,
    BOLIVIA as BOLIVIA,
    BRAZILIAN_CANASTA as BRAZILIAN_CANASTA,
)
from .director.incidents import Incident as Incident, Ruling as Ruling
from .director.penalties import (
    Duty as Duty,
    Irregularity as Irregularity,
    PenaltyCode as PenaltyCode,
    Remedy as Remedy,
)
from .director.referee import Referee as Referee
from .director.checking import RefereeReport as RefereeReport, referee as referee
from .club.typed import score_deal as score_deal
from .club.sheet import MatchSheet as MatchSheet
from .club.evening import ranking as ranking
from .play import (
    play as play,
    play_match as play_match,
    Match as Match,
)
from .simulate import (
    simulate as simulate,
    replay as replay,
    concat as concat,
    simulate_matches as simulate_matches,
)
from .dataset import (
    open_dataset as open_dataset,
    Dataset as Dataset,
)
from .rescore import rescore as rescore
from .record import (
    Game as Game,
    load_game as load_game,
    load_games as load_games,
    save_games as save_games,
)
from .page import to_html as to_html
from .session import Session as Session
from .odds import (
    contract_odds as contract_odds,
    ContractOdds as ContractOdds,
)
from .compare import (
    compare as compare,
    Comparison as Comparison,
    SequentialTest as SequentialTest,
)
from .ladder import (
    ladder as ladder,
    Ladder as Ladder,
    policy_panel as policy_panel,
    Panel as Panel,
)
from .conditions import (
    north as north,
    east as east,
    south as south,
    west as west,
    me as me,
    lho as lho,
    partner as partner,
    rho as rho,
    Condition as Condition,
    parse_condition as parse_condition,
)
from .show_condition import (
    show_condition as show_condition,
    ConditionView as ConditionView,
)
from .advice import (
    best_bid as best_bid,
    Advice as Advice,
)
from .thresholds import (
    thresholds as thresholds,
    Thresholds as Thresholds,
)
from .bidding_table import (
    bidding_table as bidding_table,
    BiddingTable as BiddingTable,
)
from .study import run_study as run_study
from .policies import (
    policy as policy,
    Policy as Policy,
    HeuristicPolicy as HeuristicPolicy,
    RolloutPolicy as RolloutPolicy,
)
from .tuning import (
    tune as tune,
    Tuned as Tuned,
)
from .bench import (
    bench as bench,
    speeds as speeds,
    Speeds as Speeds,
)
from .errors import (
    SitoumusError as SitoumusError,
    InvalidCardError as InvalidCardError,
    InvalidMeldError as InvalidMeldError,
    InvalidActionError as InvalidActionError,
    IllegalActionError as IllegalActionError,
    InvalidPositionError as InvalidPositionError,
    RuleSetError as RuleSetError,
    PolicyError as PolicyError,
    RecordError as RecordError,
    RulingError as RulingError,
    CaseFileError as CaseFileError,
    DatasetError as DatasetError,
    StudyError as StudyError,
    StudyInterrupted as StudyInterrupted,
)
from . import actions as actions, cases as cases, envs as envs, svg as svg
from .version import (
    RESULT_VERSION as RESULT_VERSION,
    __version__ as __version__,
)
