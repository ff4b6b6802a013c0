"""The signs at a table: limits, payouts, rules, the Progressive, and one for a broken device.

They say the same as the felt, from the same words, so a table whose layout leaves something out
still posts it. ``signs.typ`` sets them, one to a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from croupier.documents.blocks import AnyBlock, Document, Grid, Heading, Prose
from croupier.documents.filing import Filing
from croupier.documents.help_line import HELP
from croupier.documents.layout.texts import (
    Payouts,
    Statement,
    payouts,
    statements,
    times,
)
from croupier.documents.pdf import compiled
from croupier.documents.round_words import and_words, capital
from croupier.facts.money import money
from croupier.facts.odds import MAIN_METER, For, Odds, Share, Sum, To
from croupier.games.rules import ENVY, PROGRESSIVE
from croupier.rulebook.book import Rulebook, Wager
from croupier.submission.check_limits import ANY_CENT
from croupier.submission.submission import WagerLimit

TITLE = "Signs"
TO = "odds with \N{LEFT DOUBLE QUOTATION MARK}to\N{RIGHT DOUBLE QUOTATION MARK}"
FOR = "odds with \N{LEFT DOUBLE QUOTATION MARK}for\N{RIGHT DOUBLE QUOTATION MARK}"
GIVE_BACK: Mapping[type[Odds], str] = {To: TO, Sum: "amounts in dollars"}
KEEP: Mapping[type[Odds], str] = {For: FOR, Share: "shares of a meter"}
"""How lines pay, by whether the winning wager comes back beside the payout."""


class SignLine(msgspec.Struct, frozen=True):
    """Two columns of a sign, and the clause behind them."""

    left: str
    right: str
    clause: str


class Section(msgspec.Struct, frozen=True):
    title: str
    lines: tuple[SignLine, ...]
    clause: str | None = None


class Sign(msgspec.Struct, frozen=True, kw_only=True):
    """One sheet; ``shout`` is for the sign that says only one thing."""

    name: str
    title: str
    sections: tuple[Section, ...] = ()
    sentences: tuple[Statement, ...] = ()
    shout: bool = False

    @property
    def clauses(self) -> frozenset[str]:
        """Every clause this sign answers to."""
        cited = [statement.clause for statement in self.sentences]
        for section in self.sections:
            cited += [line.clause for line in section.lines]
            cited += [section.clause] if section.clause is not None else []
        return frozenset(cited)


def signs(filing: Filing) -> tuple[Sign, ...]:
    """Every sign this table needs, in the order of hanging."""
    return (
        _limits(filing),
        _payouts(filing),
        _rules(filing),
        *_progressive(filing),
        *_device(filing),
        *_suspended(filing),
    )


def signs_document(filing: Filing) -> Document:
    """The same signs as a report, for who reads them before they are printed."""
    blocks: list[AnyBlock] = []
    for sign in signs(filing):
        blocks.append(Heading(sign.title))
        for section in sign.sections:
            rows = tuple((line.left, line.right, line.clause) for line in section.lines)
            blocks.append(Grid(("", "", "Clause"), rows, "lrr", section.title, widths=(1, 1, 0)))
        said = (
            Prose(f"{one.text}.", clause=filing.book.cite(one.clause)) for one in sign.sentences
        )
        blocks += said
    return Document(filing.imprint(TITLE), (*blocks, Prose(HELP)))


def typeset_signs(filing: Filing) -> bytes:
    """All signs as one PDF, a page each."""
    imprint = filing.imprint(TITLE)
    said = {
        "imprint": msgspec.to_builtins(imprint),
        "standing": imprint.standing,
        "facility": filing.submission.facility,
        "signs": msgspec.to_builtins(signs(filing)),
        "help": HELP,
    }
    return compiled("signs.typ", said, imprint)


def _limits(filing: Filing) -> Sign:
    book, table = filing.book, filing.submission
    lines = [
        SignLine(wager.title, said, wager.clause)
        for wager in filing.offered()
        if (said := _limit_of(filing, wager)) is not None
    ]
    boxes = Statement(
        "boxes",
        "One box a player"
        if table.adjacent_boxes == 1
        else f"Up to {table.adjacent_boxes} adjacent boxes a player",
        book.table.boxes_a_player.clause,
    )
    limit = [s for s in statements(filing.rules) if s.name == "payout_limit"]
    return Sign(
        name="limits",
        title="Table limits",
        sections=(Section(filing.rules.game.name, tuple(lines)),),
        sentences=(boxes, *limit),
    )


def _limit_of(filing: Filing, wager: Wager) -> str | None:
    """What may be staked on a wager; one that pays without a stake has no line."""
    book, own = filing.book, filing.submission.limit(wager.name)
    if wager.equals is not None:
        return f"equal to the {book.wager(wager.equals).title}"
    if own is not None:
        return _range(own)
    if wager.beside is not None:
        asked = book.streets_of(wager.name)
        sizes = ", then ".join(times(street).rsplit(" ", 1)[0] for street in asked)
        return f"{sizes} times the {book.wager(wager.beside).title}"
    offer = filing.submission.progressive
    if wager.name == PROGRESSIVE and offer is not None:
        return money(offer.stake_cents)
    return None


def _range(limit: WagerLimit) -> str:
    least, most = money(limit.minimum_cents), money(limit.maximum_cents)
    if limit.increment_cents == ANY_CENT:
        return f"{least} to {most}"
    return f"{least} to {most} in steps of {money(limit.increment_cents)}"


def _payouts(filing: Filing) -> Sign:
    tables = payouts(filing.rules)
    said = [s for s in statements(filing.rules) if s.name in ("even_money", "payout_limit")]
    said += _stake_back(filing)
    return Sign(
        name="payouts",
        title="Payouts",
        sections=tuple(_section(table) for table in tables),
        sentences=tuple(said),
    )


def _stake_back(filing: Filing) -> Iterator[Statement]:
    """Which payouts give the winning wager back, where they do not all do so."""
    lines = [line for _, _, table in filing.paytables() for line in table.lines]
    kinds = {type(line.odds): line.clause for line in reversed(lines)}
    back, kept = ([way[k] for k in way if k in kinds] for way in (GIVE_BACK, KEEP))
    if kept:
        gives = capital(and_words(back))
        text = f"{gives} give the winning wager back beside the payout; {and_words(kept)} do not"
        clause = next(clause for kind, clause in kinds.items() if kind in KEEP)
        yield Statement("to_and_for", text, clause)


def _section(table: Payouts) -> Section:
    lines = tuple(SignLine(line.phrase, line.odds, line.clause) for line in table.lines)
    return Section(table.title, lines, table.clause)


def _rules(filing: Filing) -> Sign:
    """What the layout says in words, and what becomes of the wagers of a player who leaves."""
    default = ", then ".join(dict.fromkeys(street.otherwise for street in filing.book.streets))
    left = {
        "lost": "A player who leaves during a round loses every wager",
        "default": "The hand of a player who leaves during a round is played by the default: "
        + default,
    }[filing.submission.abandoned_wagers]
    clause = filing.book.procedure.abandoned_clause
    said = (
        *statements(filing.rules),
        *_fold(filing),
        Statement("abandoned", left, clause),
        *(_on_screen(filing.book, default) if filing.submission.electronic else ()),
    )
    return Sign(name="rules", title="Rules of this table", sentences=said)


def _on_screen(book: Rulebook, default: str) -> Iterator[Statement]:
    """What a screen has to tell before anybody plays: who is late, and what a malfunction does."""
    late = "A box that does not answer in time, or loses its connection, is played by the default: "
    yield Statement("late", late + default, book.procedure.abandoned_clause)
    void = "If a malfunction stops a round, it is void, and every wager goes back"
    yield Statement("malfunction", void, book.procedure.irregular_clause)


def _fold(filing: Filing) -> Iterator[Statement]:
    """What a fold loses, and what stays in play; the clause is that of the wager it is news for."""
    lost = [wager for wager in filing.offered() if wager.fold.outcome == "forfeit"]
    stays = [wager.title for wager in filing.offered() if wager.fold.outcome == "stays"]
    text = f"A fold loses {and_words([wager.title for wager in lost])}"
    if stays:
        text += f"; {and_words(stays)} {'stays' if len(stays) == 1 else 'stay'} in play"
    if lost:
        yield Statement("fold", text, lost[-1].fold.clause)


def _progressive(filing: Filing) -> Iterator[Sign]:
    offer, book, rules = filing.submission.progressive, filing.book, filing.rules
    if offer is None or book.progressive is None:
        return
    clause = book.progressive.reset_clause
    begin = tuple(SignLine(_meter(m.name), money(m.initial_cents), clause) for m in offer.meters)
    reset = tuple(SignLine(_meter(m.name), money(m.reset_cents), clause) for m in offer.meters)
    limit = tuple(
        SignLine(_meter(m.name), money(m.limit_cents), clause)
        for m in offer.meters
        if m.limit_cents is not None
    )
    meters = (
        Section("Meters begin at", begin),
        Section("Meters reset to", reset),
        *((Section("Meters stay, until won, at", limit),) if limit else ()),
    )
    shown = [t for t in payouts(rules) if t.wager in (PROGRESSIVE, ENVY)]
    yield Sign(
        name="progressive",
        title=f"Progressive wager {money(offer.stake_cents)}",
        sections=(*(_section(t) for t in shown), *meters),
        sentences=tuple(_progressive_rules(filing)),
    )


def _meter(name: str) -> str:
    return "Meter" if name == MAIN_METER else f"{name.capitalize()} meter"


def _progressive_rules(filing: Filing) -> Iterator[Statement]:
    book, rules = filing.book, filing.rules
    wager, does = book.wager(PROGRESSIVE), book.procedure
    needed = [book.wager(name).title for name in (*wager.needs, *wager.needs_any)]
    joined = " and ".join(needed) if wager.needs else " or ".join(needed)
    yield Statement("needs", f"Needs a wager on {joined}", wager.clause)
    hand = f"The hand that counts: {rules.judged_by(PROGRESSIVE)}"
    yield Statement("hand", hand, wager.paytables_clause or wager.clause)
    if wager.fold.outcome == "forfeit":
        envy = ", though not Envy for the hands of others" if rules.envy is not None else ""
        fold = f"A fold loses the Progressive wager{envy}"
        yield Statement("fold", fold, wager.fold.clause)
    light = "See that the light at your box accepts your wager"
    yield Statement("light", light, does.own_light_clause)
    if book.progressive is not None:
        turn = "A share of a meter is paid from what stands on it in your turn"
        yield Statement("meter", turn, book.progressive.meter_clause)
    if rules.envy is not None and book.envy_bonus is not None:
        envy = (
            "Envy goes to every Progressive wager, once for each other player's hand that "
            "qualifies; never for the dealer's or your own"
        )
        yield Statement("envy", envy, book.envy_bonus.clause)
        if rules.progressive is not None and rules.progressive.holder_must_wager:
            holder = "The holder of that hand must have made the Progressive wager too"
            cited = book.progressive.holder_must_wager if book.progressive is not None else None
            yield Statement("holder", holder, (cited or book.envy_bonus).clause)


def _device(filing: Filing) -> Iterator[Sign]:
    """For the day a device fails: it must be covered or carry this."""
    devices, broken = filing.submission.devices, filing.book.irregularity("device-out-of-order")
    stands = devices.shuffler or devices.automated_shoe or devices.reshuffling_shoe
    if stands and broken is not None:
        said = "This device is out of order and may not be used"
        yield Sign(
            name="out-of-order",
            title="Out of order",
            sentences=(Statement("out_of_order", said, broken.clause),),
            shout=True,
        )


def _suspended(filing: Filing) -> Iterator[Sign]:
    """For the same day: a wager whose cards the way of dealing in its place does not deal."""
    broken = filing.book.irregularity("device-out-of-order")
    for place in filing.book.places:
        wager = place.only_for
        if wager is None or broken is None or not filing.rules.offers(wager):
            continue
        ways = [filing.book.way(name) for name in filing.submission.dealing.fallbacks]
        if any(place.name not in {step.to for step in way.steps} for way in ways):
            title = filing.book.wager(wager).title
            said = f"While the cards are dealt another way, {title} is not offered"
            yield Sign(
                name=f"{wager}-suspended",
                title=f"{title} suspended",
                sentences=(Statement("suspended", said, broken.clause),),
                shout=True,
            )
