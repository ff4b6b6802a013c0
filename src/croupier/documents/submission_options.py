"""Every option a submission chooses, in words, with the clause that leaves the choice.

An option is known by its key in the submission file, so that two versions of a submission can be
compared key by key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass

from croupier.documents.blocks import long_date
from croupier.documents.filing import Filing
from croupier.facts.money import money
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import ProgressiveRule, Street, Wager
from croupier.rulebook.loader import rulings
from croupier.submission.draft import either
from croupier.submission.labels import ABANDONED, DEVICES
from croupier.submission.submission import MeterOffer, ProgressiveOffer, WagerLimit
from croupier.submission.value_kinds import rate_text


@dataclass(frozen=True)
class SubmissionOption:
    """What was chosen; ``clause`` is empty where no rule of the game has a say in it.

    Several clauses stand on a line each. A remark that follows from other options has no key.
    """

    key: str
    label: str
    says: str
    clause: str = ""


def sections(filing: Filing) -> Iterator[tuple[str, tuple[SubmissionOption, ...]]]:
    """The options under their headings, in the order of the submission file."""
    yield "Who files", tuple(_filed(filing))
    yield "The table", tuple(_table(filing))
    yield "Wagers and limits", tuple(_limits(filing))
    yield "Paytables", tuple(_letters(filing))
    if filing.submission.progressive is not None:
        yield "The Progressive", tuple(_progressive(filing, filing.submission.progressive))
    yield "Cards and dealing", tuple(_dealing(filing))


def options(filing: Filing) -> Iterator[SubmissionOption]:
    for _, chosen in sections(filing):
        yield from chosen


def _filed(filing: Filing) -> Iterator[SubmissionOption]:
    said, book = filing.submission, filing.book
    named = book.table.operator_named
    clause = book.cite(named.clause) if named is not None else ""
    yield SubmissionOption("facility.name", "Facility", said.facility, clause)
    yield SubmissionOption("facility.operator", "Operator", said.operator, clause)
    if said.logo is not None:
        yield SubmissionOption("facility.logo", "Logo on the layout", said.logo, clause)
    yield SubmissionOption("table.id", "Table", said.table)
    yield SubmissionOption("table.rulebook", "Rulebook", f"{book.id}: {book.title}, {book.edition}")
    yield SubmissionOption("version", "Version", said.version or "not numbered")
    approved = long_date(said.approved) if said.approved else "not yet approved"
    yield SubmissionOption("approved", "Approved", approved)


def _table(filing: Filing) -> Iterator[SubmissionOption]:
    said, book = filing.submission, filing.book
    boxes, adjacent = book.table.boxes, book.table.boxes_a_player
    seats = f"{said.boxes} of at most {boxes.count}"
    yield SubmissionOption("table.boxes", "Betting positions", seats, book.cite(boxes.clause))
    one = "one player may take one" if said.adjacent_boxes == 1 else ""
    many = f"one player may take up to {said.adjacent_boxes} that lie side by side"
    clause = book.cite(adjacent.clause)
    yield SubmissionOption("table.adjacent_boxes", "Positions a player", one or many, clause)
    electronic = book.table.electronic
    if electronic is not None:
        offered = "also offered" if said.electronic else "not offered"
        clause = book.cite(electronic.clause)
        yield SubmissionOption(
            "table.electronic", "Electronic table", f"{offered}, dealer-controlled", clause
        )
    if said.players_numbers:
        told = "players' numbers shuffle the sealed cards once more"
        yield SubmissionOption("table.players_numbers", "Numbers of players", told)
    left = f"the wagers of a player who leaves during a round {ABANDONED[said.abandoned_wagers]}"
    clause = book.cite(book.procedure.abandoned_clause)
    yield SubmissionOption("table.abandoned_wagers", "Abandoned wagers", left, clause)
    if book.payout_limit is not None:
        limit, names = said.payout_limit_cents, book.payout_limit.wagers
        counted = ", ".join(book.wager(name).title for name in names)
        told = f"{money(limit)} a box and hand, over {counted}" if limit is not None else "none set"
        yield SubmissionOption(
            "table.payout_limit", "Payout limit", told, book.cite(book.payout_limit.clause)
        )


def _limits(filing: Filing) -> Iterator[SubmissionOption]:
    for wager in filing.offered():
        if wager.paid_on is None:
            clause = filing.book.cite(wager.clause)
            yield SubmissionOption(
                f"limits.{wager.name}", wager.title, stake_words(filing, wager), clause
            )


def stake_words(filing: Filing, wager: Wager) -> str:
    """What may be staked on a wager, and what it needs beside it."""
    book, said = filing.book, filing.submission
    limit = said.limit(wager.name)
    if wager.equals is not None:
        told = f"always equal to the {book.wager(wager.equals).title}"
    elif wager.beside is not None:
        told = f"{play_words(book.streets_of(wager.name))} the {book.wager(wager.beside).title}"
    elif wager.name == PROGRESSIVE and said.progressive is not None:
        told = f"exactly {money(said.progressive.stake_cents)}"
    else:
        told = limit_words(limit) if limit is not None else "no limit set"
    needs = [book.wager(name).title for name in wager.needs]
    any_of = [book.wager(name).title for name in wager.needs_any]
    beside = f"{told}; only with {' and '.join(needs)}" if needs and wager.optional else told
    return f"{beside}; only with {either(any_of)}" if any_of else beside


def limit_words(limit: WagerLimit) -> str:
    ends = f"{money(limit.minimum_cents)} to {money(limit.maximum_cents)}"
    return f"{ends}, in steps of {money(limit.increment_cents)}"


def play_words(streets: Sequence[Street]) -> str:
    """The sizes of Play over its streets: ``4, 3, 2 or 1 times``, ``1 to 3 times``."""
    if streets[0].least_multiple is not None:
        return f"{streets[0].least_multiple} to {streets[0].most_multiple} times"
    sizes = sorted({size for street in streets for size in street.multiples}, reverse=True)
    return "equal to" if sizes == [1] else f"{either([str(size) for size in sizes])} times"


def _letters(filing: Filing) -> Iterator[SubmissionOption]:
    book, letters = filing.book, dict(filing.rules.letters)
    for wager, letter, table in filing.paytables():
        known = [*book.paytables[wager.name]]
        told = f"{letter}, of {either(known)}" if len(known) > 1 else "the one of the rulebook"
        yield SubmissionOption(
            f"paytables.{wager.name}", wager.title, told, book.cite(table.clause)
        )
    if ENVY in letters and filing.rules.envy is not None:
        clause = book.cite(filing.rules.envy.clause)
        yield SubmissionOption(
            "paytables.envy", "Envy", f"{letters[ENVY]}, of {either([*book.envy])}", clause
        )
    out = [wager for wager in book.wagers if not filing.rules.offers(wager.name)]
    if out:
        titles = ", ".join(wager.title for wager in out)
        yield SubmissionOption("", "Not offered", titles, book.cite(book.refusals.wagers))
    for wager in out:
        if wager.layout_clause is not None:
            told = "on the layout all the same, marked as not offered"
            clause = book.cite(wager.layout_clause)
            yield SubmissionOption("", f"Area for {wager.title}", told, clause)


def _progressive(filing: Filing, offer: ProgressiveOffer) -> Iterator[SubmissionOption]:
    book, rule, table = filing.book, filing.book.progressive, filing.rules.paytable(PROGRESSIVE)
    assert rule is not None and table is not None, "an offer is bound only where the book has one"
    stake = f"{money(offer.stake_cents)}; the rulebook knows {either(rule.stakes)}"
    yield SubmissionOption("progressive.wager", "Wager", stake, _stake_clause(filing, rule))
    system = book.cite(rule.system.clause) if rule.system is not None else ""
    yield SubmissionOption("progressive.system", "Accepted by", offer.system, system)
    if offer.hand is not None:
        told = f"the {rule.hands[offer.hand]} (ruling {rule.hand_ruling})"
        clauses = "\n".join(map(book.cite, rule.hand_clauses or (rule.clause,)))
        yield SubmissionOption("progressive.hand", "Cards that count", told, clauses)
    if offer.holder_must_wager is not None and rule.holder_must_wager is not None:
        needs = "must" if offer.holder_must_wager else "need not"
        told = f"the holder of an Envy hand {needs} have made the Progressive wager"
        clause = book.cite(rule.holder_must_wager.clause)
        yield SubmissionOption("progressive.holder_must_wager", "Envy holder", told, clause)
    for meter, least in zip(offer.meters, table.meters, strict=True):
        told = (
            f"starts at {money(meter.initial_cents)}, falls back to {money(meter.reset_cents)} "
            f"(at least {least.least}), grows by {rate_text(meter.rate_ppm)} of each wager"
            f"{_up_to(meter)}"
        )
        label = f"{meter.name.capitalize()} meter"
        yield SubmissionOption(
            f"progressive.meters.{meter.name}", label, told, book.cite(least.clause)
        )


def _up_to(meter: MeterOffer) -> str:
    if meter.limit_cents is None:
        return ""
    return f" up to {money(meter.limit_cents)}; what is beyond fills it up again when it was won"


def _stake_clause(filing: Filing, rule: ProgressiveRule) -> str:
    """The clause that knows the chosen stake: the one of its Envy, which no other stake has."""
    book, envy = filing.book, filing.rules.envy
    if envy is not None:
        paid_by = book.cite(envy.clause)
        for clause in rulings()[rule.ruling].clauses:
            if paid_by.startswith(clause):
                return clause
    return book.cite(rule.clause)


def _dealing(filing: Filing) -> Iterator[SubmissionOption]:
    said, book, deck = filing.submission, filing.book, filing.book.deck
    way = book.way(said.dealing.method)
    yield SubmissionOption("dealing.method", "Dealt", way.title, book.cite(way.clause))
    for name in said.dealing.fallbacks:
        other = book.way(name)
        told, key = f"{other.title}, while a device is out of order", "dealing.fallbacks"
        yield SubmissionOption(f"{key}.{name}", "In its place", told, book.cite(other.clause))
    if way.stub_count is not None:
        often = f"by the dealer, at least once in every {way.stub_count.rounds} rounds"
        counts = f"not by the dealer: the shuffler counts to {deck.cards.count} after each shuffle"
        told = counts if said.devices.counts_to_52 else often
        clause = book.cite(way.stub_count.clause)
        yield SubmissionOption("dealing.stub_count", "Stub counted", told, clause)
    there = [DEVICES[name] for name, is_there in asdict(said.devices).items() if is_there]
    told = "; ".join(there) or "none"
    yield SubmissionOption("devices", "Devices", told, book.cite(book.procedure.by_device_clause))
    count, backs = said.decks.count, " and ".join(said.decks.backs)
    rule = deck.decks if count == deck.decks.count else deck.decks_with_shuffler
    decks = f"{count} of {deck.cards.count} cards{f', backs {backs}' if backs else ''}"
    yield SubmissionOption("decks", "Decks", decks, book.cite(rule.clause))
