"""What a finished round pays: one pure function from a round to its receipt.

Boxes are settled from the dealer's right, wagers in the order of the rulebook, each meter as it
stands when a box's turn comes, and Envy in the holder's turn (ruling 24). A Progressive win of
which nothing is said was validated; a refused one draws nothing (ruling 36).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import msgspec

from croupier.facts.errors import Refusal
from croupier.facts.hands import Hand
from croupier.facts.money import Cents, Micros, dollars, in_micros
from croupier.facts.odds import PUSH, Odds, Push, Share, StakeOdds
from croupier.facts.showings import Showing
from croupier.games.round import FinishedBox, FinishedRound
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import Cited, Paytable, Wager
from croupier.table.events import Outcome, WagerSettled
from croupier.table.feasibility import refuse_impossible
from croupier.table.receipt import Receipt

VALIDATION_RULING = 36


def settle(round: FinishedRound) -> Receipt:
    """What each wager of a finished round is due; raises Refusal for one that cannot have been."""
    refuse_impossible(round)
    meters = dict(round.meters)
    lines: list[WagerSettled] = []
    for box in round.in_settling_order():
        lines.extend(settle_box(round, box, meters))
    return Receipt(round, tuple(lines), meters)


def settle_box(
    round: FinishedRound, box: FinishedBox, meters: dict[str, Micros]
) -> tuple[WagerSettled, ...]:
    """The lines of one box when its turn comes; what they draw is taken off ``meters``.

    The table settles box by box: it lets nothing through that :func:`settle` would refuse.
    """
    return tuple(_box_lines(round, box, meters))


@dataclass(frozen=True)
class _Verdict:
    """How a wager was decided, before money is counted."""

    outcome: Outcome
    clause: str
    odds: Odds | None = None
    shows: str = ""
    rulings: tuple[int, ...] = ()
    hands: tuple[str, str] = ("", "")  # the player's and the dealer's, where the two decided


def _box_lines(
    round: FinishedRound, box: FinishedBox, meters: dict[str, Micros]
) -> Iterator[WagerSettled]:
    rule = round.rules.book.payout_limit
    capped = rule.wagers if rule is not None else ()
    under_limit_cents = 0
    for wager in round.rules.book.wagers:
        line = _wager_line(round, box, wager, meters)
        if line is not None:
            yield line
            under_limit_cents += line.paid_cents if wager.name in capped else 0
        if capped and wager.name == capped[-1]:
            yield from _payout_limit_cut(round, box, under_limit_cents)
    yield from _envy_given(round, box)


def _wager_line(
    round: FinishedRound, box: FinishedBox, wager: Wager, meters: dict[str, Micros]
) -> WagerSettled | None:
    """The line of one wager of one box; None when the box has nothing riding on it."""
    if wager.paid_on is not None:
        return _bonus_line(round, box, wager, wager.paid_on)
    if not box.has(wager.name):
        return None
    verdict = _judge(round, box, wager)
    stake_cents = box.stakes[wager.name]
    if wager.name == PROGRESSIVE and box.refused:
        return _refused_line(round, box, wager, verdict)
    line = _line(box, wager, stake_cents, verdict)
    if isinstance(verdict.odds, Share):
        return _drawn_from_meter(round, line, verdict.odds, meters)
    if isinstance(verdict.odds, StakeOdds):
        returned_cents = stake_cents if verdict.odds.returns_stake else Cents(0)
        paid_cents = verdict.odds.pays_cents(stake_cents)
        return msgspec.structs.replace(line, paid_cents=paid_cents, returned_cents=returned_cents)
    return line


def _refused_line(
    round: FinishedRound, box: FinishedBox, wager: Wager, won: _Verdict
) -> WagerSettled:
    """A win that was not validated: a lost wager, or one that never was accepted (ruling 36)."""
    book = round.rules.book
    if won.outcome is not Outcome.WIN:
        raise Refusal(
            f"Box {box.seat}, {wager.title}: only a win is refused, and it has {won.shows}",
            book.cite(book.procedure.validate_clause),
        )
    lost = box.refused == "hand"
    why = "the hand does not qualify" if lost else "the wager was not accepted"
    verdict = _Verdict(
        Outcome.LOSE if lost else Outcome.RETURNED,
        book.cite(book.procedure.validate_clause),
        shows=f"not validated: {why}",
        rulings=(VALIDATION_RULING,),
    )
    line = _line(box, wager, box.stakes[wager.name], verdict)
    return line if lost else msgspec.structs.replace(line, returned_cents=line.stake_cents)


def _bonus_line(
    round: FinishedRound, box: FinishedBox, wager: Wager, paid_on: str
) -> WagerSettled | None:
    """A bonus has no stake of its own: it is paid on another wager, and only when it is won."""
    if not all(map(box.has, (paid_on, *wager.needs))):
        return None
    verdict = _by_paytable(round, box, wager)
    if not isinstance(verdict.odds, StakeOdds):
        return None
    line = _line(box, wager, Cents(0), verdict)
    return msgspec.structs.replace(line, paid_cents=verdict.odds.pays_cents(box.stakes[paid_on]))


def _line(box: FinishedBox, wager: Wager, stake_cents: Cents, verdict: _Verdict) -> WagerSettled:
    return WagerSettled(
        clause=verdict.clause,
        box=box.seat,
        wager=wager.name,
        stake_cents=stake_cents,
        outcome=verdict.outcome,
        odds=str(verdict.odds) if verdict.odds is not None else None,
        shows=verdict.shows,
        hand=verdict.hands[0],
        dealer_hand=verdict.hands[1],
        rulings=verdict.rulings,
    )


def _judge(round: FinishedRound, box: FinishedBox, wager: Wager) -> _Verdict:
    if wager.fold.outcome == "forfeit" and round.folded(box):
        return _ruled(round, Outcome.FORFEIT, wager.fold, shows="folded")
    if wager.judged_by == "contest":
        return _by_contest(round, box, wager)
    if wager.must_win is not None:
        return _by_paytable_if_won(round, box, wager, wager.must_win)
    return _by_paytable(round, box, wager)


def _by_paytable_if_won(
    round: FinishedRound, box: FinishedBox, wager: Wager, rule: Cited
) -> _Verdict:
    """A side wager that is paid only with the higher hand, and pushes with an equal one."""
    player, dealer = round.rules.game.player(round, box).hand, round.rules.game.dealer(round)
    if player < dealer:
        return _compared(_ruled(round, Outcome.LOSE, rule), player, dealer)
    if player == dealer:
        return _compared(_ruled(round, Outcome.PUSH, rule, PUSH), player, dealer)
    return _by_paytable(round, box, wager)


def _by_contest(round: FinishedRound, box: FinishedBox, wager: Wager) -> _Verdict:
    """Ante, Blind and Play: the player's hand against the dealer's."""
    game, contest = round.rules.game, round.rules.book.contest
    showing, dealer = game.player(round, box), game.dealer(round)
    needs = contest.dealer_needs
    if needs is not None and not contest.opens(game.ranking, dealer):
        only = f"the dealer has only {dealer.aloud}"
        if wager.name in needs.pushes:
            return _ruled(round, Outcome.PUSH, needs, PUSH, only)
        if wager.name in needs.wins:
            won = _won_contest(round, wager, showing)
            return replace(won, clause=round.rules.book.cite(needs.clause), shows=only)
    return _compared(_by_hands(round, wager, showing, dealer), showing.hand, dealer)


def _by_hands(round: FinishedRound, wager: Wager, showing: Showing, dealer: Hand) -> _Verdict:
    """The higher hand wins; of equal ones the rulebook says what becomes."""
    contest = round.rules.book.contest
    if showing.hand < dealer:
        return _ruled(round, Outcome.LOSE, contest.loses)
    if showing.hand == dealer and contest.tie.outcome == "push":
        return _ruled(round, Outcome.PUSH, contest.tie, PUSH)
    if showing.hand == dealer and contest.tie.outcome == "lose":
        return _ruled(round, Outcome.LOSE, contest.tie)
    won = _won_contest(round, wager, showing)
    tied = (contest.tie.ruling,) if showing.hand == dealer and contest.tie.ruling else ()
    return replace(won, rulings=won.rulings + tied)


def _compared(verdict: _Verdict, player: Hand, dealer: Hand) -> _Verdict:
    """With both hands as they are called; of two called alike, with the card that decides."""
    own, other, comma = player.aloud, dealer.aloud, ""
    if own == other and player != dealer:
        ranks = zip(player.ranks, dealer.ranks, strict=True)
        mine, theirs = next(pair for pair in ranks if pair[0] is not pair[1])
        own, other, comma = f"{own}, {mine.one} kicker", f"{other}, {theirs.one} kicker", ","
    return replace(verdict, shows=f"{own}{comma} against {other}", hands=(own, other))


def _won_contest(round: FinishedRound, wager: Wager, showing: Showing) -> _Verdict:
    """A wager won against the dealer pays its odds or its paytable; with no line it pushes."""
    if wager.pays is not None:
        return _ruled(round, Outcome.WIN, wager.pays, wager.pays.odds)
    table = _paytable(round, wager)
    verdict = _first_line(round, table, showing)
    if verdict.odds is None:
        return replace(verdict, outcome=Outcome.PUSH, odds=PUSH)
    return verdict


def _by_paytable(round: FinishedRound, box: FinishedBox, wager: Wager) -> _Verdict:
    table = _paytable(round, wager)
    game, judged_by = round.rules.game, round.rules.judged_by(wager.name)
    showing = game.looks[judged_by](round, box)
    if showing is None:
        verdict = _Verdict(Outcome.LOSE, round.rules.book.cite(table.clause), shows="a tie")
    else:
        verdict = _first_line(round, table, showing)
        if game.looks[judged_by] is not game.player:
            verdict = replace(verdict, shows=f"{judged_by}: {verdict.shows}")
    reading = (wager.judged_ruling,) if wager.judged_ruling is not None else ()
    return replace(verdict, rulings=reading + verdict.rulings)


def _first_line(round: FinishedRound, table: Paytable, showing: Showing) -> _Verdict:
    """The first line of the paytable that is true of what is shown, or a loss."""
    book, line = round.rules.book, table.line_for(showing)
    if line is None:
        return _Verdict(Outcome.LOSE, book.cite(table.clause), shows=showing.hand.aloud)
    return _Verdict(
        Outcome.PUSH if isinstance(line.odds, Push) else Outcome.WIN,
        book.cite(line.clause),
        line.odds,
        _said(line.phrase, showing),
        (line.ruling,) if line.ruling is not None else (),
    )


def _said(phrase: str, showing: Showing) -> str:
    """What was shown, led by the paytable's own words where those say more than the hand."""
    told = phrase in (str(showing.hand.category), "anything else") or phrase in showing.hand.aloud
    return showing.hand.aloud if told else phrase


def _paytable(round: FinishedRound, wager: Wager) -> Paytable:
    table = round.rules.paytable(wager.name)
    assert table is not None, "refuse_impossible lets no wager through that is not offered"
    return table


def _ruled(
    round: FinishedRound, outcome: Outcome, rule: Cited, odds: Odds | None = None, shows: str = ""
) -> _Verdict:
    rulings = (rule.ruling,) if rule.ruling is not None else ()
    return _Verdict(outcome, round.rules.book.cite(rule.clause), odds, shows, rulings)


def _drawn_from_meter(
    round: FinishedRound, line: WagerSettled, odds: Share, meters: dict[str, Micros]
) -> WagerSettled:
    """An award from a meter: whole cents leave it, the rest stays; after 100% it resets."""
    rules, name = round.rules, odds.meter
    terms, book_rule = rules.progressive, rules.book.progressive
    assert terms is not None and book_rule is not None
    if name not in meters:
        raise Refusal(
            f"Box {line.box} wins {odds}, but what stands on the {name} meter is not written down",
            rules.book.cite(book_rule.meter_clause),
        )
    reset_cents = terms.reset_of(name) if odds.percent == 100 else Cents(0)
    if reset_cents is None:
        raise Refusal(
            f"Box {line.box} wins {odds}, but what the {name} meter resets to is not written down",
            rules.book.cite(book_rule.reset_clause),
        )
    before = meters[name]
    paid_cents = odds.draws_cents(before)
    meters[name] = Micros(before - in_micros(paid_cents) + in_micros(reset_cents))
    return msgspec.structs.replace(
        line,
        paid_cents=paid_cents,
        meter=name,
        meter_before_micros=before,
        meter_after_micros=meters[name],
        reset_cents=reset_cents,
    )


def _payout_limit_cut(
    round: FinishedRound, box: FinishedBox, paid_cents: int
) -> Iterator[WagerSettled]:
    """One line of its own takes back what a box was paid over the limit (ruling 7)."""
    rule, limit_cents = round.rules.book.payout_limit, round.rules.payout_limit_cents
    if rule is None or limit_cents is None or paid_cents <= limit_cents:
        return
    yield WagerSettled(
        clause=round.rules.book.cite(rule.clause),
        box=box.seat,
        wager="payout_limit",
        stake_cents=0,
        outcome=Outcome.LOSE,
        paid_cents=limit_cents - paid_cents,
        shows=f"{dollars(paid_cents)} won, at most {dollars(limit_cents)} is paid",
        rulings=(rule.ruling,),
    )


def _envy_given(round: FinishedRound, holder: FinishedBox) -> Iterator[WagerSettled]:
    """Envy for this box's hand, to every other player's box with a Progressive wager."""
    rules, bonus, table = round.rules, round.rules.book.envy_bonus, round.rules.envy
    if bonus is None or table is None or not _is_holder(round, holder):
        return
    showing = rules.game.looks[rules.chosen_hand(bonus.judged_by)](round, holder)
    line = table.line_for(showing) if showing is not None else None
    if showing is None or line is None or not isinstance(line.odds, StakeOdds):
        return
    for box in round.in_settling_order():
        if box.has_accepted(PROGRESSIVE) and not box.belongs_with(holder):
            yield WagerSettled(
                clause=rules.book.cite(line.clause),
                box=box.seat,
                wager=ENVY,
                stake_cents=0,
                outcome=Outcome.WIN,
                odds=str(line.odds),
                paid_cents=line.odds.pays_cents(box.stakes[PROGRESSIVE]),
                shows=f"box {holder.seat} holds {_said(line.phrase, showing)}",
                rulings=(bonus.ruling,),
                holder=holder.seat,
            )


def _is_holder(round: FinishedRound, box: FinishedBox) -> bool:
    """A holder's cards still lie on the table; a submission may ask for its Progressive wager.

    A hand that was found not to qualify gives no Envy either.
    """
    terms, bonus = round.rules.progressive, round.rules.book.envy_bonus
    if box.refused == "hand":
        return False
    if terms is not None and terms.holder_must_wager and not box.has_accepted(PROGRESSIVE):
        return False
    if not round.folded(box):
        return True
    open_wagers = (w.name for w in round.rules.book.wagers if w.keeps_folded_cards)
    keeps_cards = any(map(box.has_accepted, open_wagers))
    return bonus is not None and bonus.folded_holder == "with an open wager" and keeps_cards
