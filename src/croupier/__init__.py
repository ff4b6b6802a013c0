"""Croupier: casino poker against the house, by the book.

Read a finished round and ask what it should have paid:

>>> import croupier
>>> finished = croupier.read_round(croupier.example("uth"))
>>> receipt = croupier.settle(finished)
>>> [(line.wager, str(line.outcome), line.paid_cents) for line in receipt.of(2)][:3]
[('ante', 'push', 0), ('blind', 'push', 0), ('play', 'win', 2000)]

Ask what a game is worth, exactly:

>>> solution = croupier.solve(croupier.rules("FCP-14"))
>>> solution.ev
Fraction(-8840827253, 317119576410)
>>> round(float(-solution.side("aces_up", "A").ev), 4)
0.0278

Let a table decide: what happens is a tuple of events, and events give the next state.

>>> table = croupier.new_table(croupier.shipped_submission("UTH-S"))
>>> (opened,) = croupier.decide(table, croupier.commands.OpenTable(by="dora", role="dealer"))
>>> croupier.narrate(opened, table)
'The table opens with an electronic shoe: inspection, wash and cut do not apply.'
>>> croupier.evolve(table, opened).open
True

What to do with the cards in sight; one hand ranked, and many at once:

>>> croupier.advise(croupier.rules("UTH-S", blind="A"), "Kd 5c", board="Qh 8s 2d 3h 3s")
{'1x': Fraction(-85, 66), 'fold': Fraction(-2, 1)}
>>> croupier.rank_hand([51, 47, 43, 39, 35, 0, 1])
7461
>>> croupier.rank_hands([[51, 47, 43, 39, 35, 0, 1], [48, 49, 50, 44, 45, 0, 4]]).tolist()
[7461, 7295]
"""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from croupier.bankroll.question import Floor, RiskQuestion
    from croupier.bankroll.risk import risk
    from croupier.exact.exposure import exposure
    from croupier.exact.kernels.four_card_rank import rank_hands as rank_four_card_hands
    from croupier.exact.kernels.poker_rank import rank_hand, rank_hands
    from croupier.exact.solution import Solution
    from croupier.exact.solution_cache import solved as solve
    from croupier.exact.strategy.strategies import evaluate as evaluate_strategy
    from croupier.exact.strategy.strategy_file import read_strategy
    from croupier.facts.errors import Refusal, Unreadable
    from croupier.games.registry import Registry, the_registry
    from croupier.games.round import FinishedBox, FinishedRound
    from croupier.games.rules import ProgressiveTerms, Rules, bind
    from croupier.paytables.design import design
    from croupier.paytables.search import Target
    from croupier.protection.protect import protect
    from croupier.submission.check import CheckedSubmission, shipped_submission
    from croupier.submission.finding import Finding
    from croupier.submission.submission import Submission
    from croupier.submission.toml_writer import write_submission
    from croupier.table import commands
    from croupier.table.automatic_dealer import next_duty
    from croupier.table.engine import decide, evolve, fold, run
    from croupier.table.events import Outcome
    from croupier.table.events import WagerSettled as ReceiptLine
    from croupier.table.narration import narrate
    from croupier.table.receipt import Receipt
    from croupier.table.settlement import settle
    from croupier.table.shoe import ElectronicShoe, ScriptedShoe
    from croupier.table.state import State
    from croupier.table.views import Viewer, view

__all__ = [
    "CheckedSubmission",
    "ElectronicShoe",
    "Finding",
    "FinishedBox",
    "FinishedRound",
    "Floor",
    "Outcome",
    "ProgressiveTerms",
    "Receipt",
    "ReceiptLine",
    "Refusal",
    "Registry",
    "RiskQuestion",
    "Rules",
    "ScriptedShoe",
    "Solution",
    "State",
    "Submission",
    "Target",
    "Unreadable",
    "Viewer",
    "advise",
    "bind",
    "check_submission",
    "commands",
    "decide",
    "design",
    "evaluate_strategy",
    "evolve",
    "example",
    "exposure",
    "fold",
    "narrate",
    "new_table",
    "next_duty",
    "protect",
    "rank_four_card_hands",
    "rank_hand",
    "rank_hands",
    "read_round",
    "read_strategy",
    "risk",
    "rules",
    "run",
    "settle",
    "shipped_submission",
    "solve",
    "the_registry",
    "view",
    "write_submission",
]


def read_round(text: str, registry: Registry | None = None) -> FinishedRound:
    """Read a round file's text; see ``docs/round-file.md`` for the format."""
    from croupier.games.registry import the_registry
    from croupier.table import round_file

    return round_file.read_round(text, registry or the_registry())


def check_submission(text: str, registry: Registry | None = None) -> CheckedSubmission:
    """Check a rules submission's text; see ``docs/submission.md`` for its keys."""
    from croupier.games.registry import the_registry
    from croupier.submission.check import check

    return check(text, registry or the_registry())


def example(game: str) -> str:
    """The text of a shipped example round by its game, such as ``uth`` or ``four-card``."""
    from croupier.games.registry import the_registry

    brought = [b.comes_with.round for b in the_registry().books.values() if b.game == game]
    if any(brought):
        return next(filter(None, brought)).lstrip()
    return (files("croupier") / "examples" / f"{game}.toml").read_text("utf-8")


def rules(rulebook: str = "UTH-S", **paytables: str) -> Rules:
    """Rules of a shipped rulebook with these paytables chosen, like ``blind="A"``."""
    from croupier.games.registry import the_registry
    from croupier.games.rules import bind

    registry = the_registry()
    book = registry.book(rulebook)
    return bind(registry.game_of(book), book, paytables)


def new_table(submission: Submission, registry: Registry | None = None) -> State:
    """A table of a valid submission before anything happened, with an electronic shoe."""
    from croupier.games.registry import the_registry
    from croupier.table import state, terms

    said = terms.terms_of(submission, registry or the_registry(), electronic_shoe=True)
    return state.new_table(said)


def advise(rules: Rules, hand: str, board: str = "", up_card: str = "") -> dict[str, Fraction]:
    """The exact value of each action in Antes, the best first; for practice and analysis."""
    from croupier.exact import advice, solution_cache
    from croupier.facts.cards import card, cards

    def known() -> solution_cache.KnownHands:
        return solution_cache.known_hands(rules, lambda: solution_cache.solved(rules))

    up = card(up_card) if up_card else None
    return advice.advise(rules, known, cards(hand), cards(board), up)


# Everything waits until somebody asks for it: whoever wants one thing does not load the others.
_LATER = {
    "croupier.bankroll.question": {"Floor": "Floor", "RiskQuestion": "RiskQuestion"},
    "croupier.bankroll.risk": {"risk": "risk"},
    "croupier.exact.exposure": {"exposure": "exposure"},
    "croupier.exact.solution_cache": {"solve": "solved"},
    "croupier.exact.kernels.poker_rank": {
        "rank_hand": "rank_hand",
        "rank_hands": "rank_hands",
    },
    "croupier.exact.kernels.four_card_rank": {"rank_four_card_hands": "rank_hands"},
    "croupier.exact.solution": {"Solution": "Solution"},
    "croupier.exact.strategy.strategies": {"evaluate_strategy": "evaluate"},
    "croupier.exact.strategy.strategy_file": {"read_strategy": "read_strategy"},
    "croupier.facts.errors": {"Refusal": "Refusal", "Unreadable": "Unreadable"},
    "croupier.games.registry": {"Registry": "Registry", "the_registry": "the_registry"},
    "croupier.games.round": {"FinishedBox": "FinishedBox", "FinishedRound": "FinishedRound"},
    "croupier.games.rules": {
        "ProgressiveTerms": "ProgressiveTerms",
        "Rules": "Rules",
        "bind": "bind",
    },
    "croupier.paytables.design": {"design": "design"},
    "croupier.paytables.search": {"Target": "Target"},
    "croupier.protection.protect": {"protect": "protect"},
    "croupier.submission.check": {
        "CheckedSubmission": "CheckedSubmission",
        "shipped_submission": "shipped_submission",
    },
    "croupier.submission.finding": {"Finding": "Finding"},
    "croupier.submission.submission": {"Submission": "Submission"},
    "croupier.submission.toml_writer": {"write_submission": "write_submission"},
    "croupier.table.engine": {"decide": "decide", "evolve": "evolve", "fold": "fold", "run": "run"},
    "croupier.table.automatic_dealer": {"next_duty": "next_duty"},
    "croupier.table.events": {"Outcome": "Outcome", "ReceiptLine": "WagerSettled"},
    "croupier.table.receipt": {"Receipt": "Receipt"},
    "croupier.table.settlement": {"settle": "settle"},
    "croupier.table.shoe": {"ElectronicShoe": "ElectronicShoe", "ScriptedShoe": "ScriptedShoe"},
    "croupier.table.state": {"State": "State"},
    "croupier.table.narration": {"narrate": "narrate"},
    "croupier.table.views": {"Viewer": "Viewer", "view": "view"},
}
_HOMES = {name: (home, itself) for home, names in _LATER.items() for name, itself in names.items()}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - whatever bears the name
    if name == "commands":
        return import_module("croupier.table.commands")
    if name not in _HOMES:
        raise AttributeError(f"module 'croupier' has no attribute {name!r}")
    home, itself = _HOMES[name]
    return getattr(import_module(home), itself)
