"""The way of dealing, the devices it needs, what happens without them, and the decks."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.facts.errors import quoted
from croupier.facts.toml_lines import Path
from croupier.rulebook.book import Rulebook, Wager, WayOfDealing
from croupier.submission.draft import SubmissionCheck, SubmissionDraft, either
from croupier.submission.finding import Finding
from croupier.submission.keys import ClauseOf

METHOD, FALLBACKS = ("dealing", "method"), ("dealing", "fallbacks")
OF_THE_SHUFFLER = ("counts_to_52", "loads_shoe", "keeps_dealer_cards")
OUT_OF_ORDER = "device-out-of-order"


def method_not_known(draft: SubmissionDraft) -> Iterator[Finding]:
    for path, name in _named(draft):
        if draft.way(name) is not None:
            continue
        where = draft.elsewhere(_clause_of_way(name))
        only = f" (only {where} has it)" if where else ""
        yield draft.error(
            path,
            f"{draft.book.id} knows no dealing {quoted(name)}{only}; "
            f"choose {either([way.way for way in draft.book.dealing])}",
            where or draft.book.procedure.by_device_clause,
        )


def _clause_of_way(name: str) -> ClauseOf:
    return lambda book: next((way.clause for way in book.dealing if way.way == name), None)


def method_without_its_device(draft: SubmissionDraft) -> Iterator[Finding]:
    for path, way in _ways(draft):
        if way.devices and not machines(draft, way):
            needed = either([f"devices.{device}" for device in way.devices])
            yield draft.error(
                path,
                f"dealing {quoted(way.way)} needs a device that the table does not have; write "
                f"{needed} = true, or choose another way",
                way.shuffler.clause if way.shuffler is not None else way.clause,
            )


def wagers_the_method_cannot_deal(draft: SubmissionDraft) -> Iterator[Finding]:
    """Ruling 22: bonus cards are dealt in some ways only, so the wager asks for one of these."""
    for path, way in _ways(draft):
        for wager, clause in _undealt(draft, way) if path == METHOD else ():
            able = [other.way for other in draft.book.dealing if not list(_undealt(draft, other))]
            yield draft.error(
                METHOD,
                f"{wager.title} is offered, but dealing {quoted(way.way)} brings no cards for it "
                f"(ruling 22); deal by {either(able)}, or leave {wager.name} out",
                clause,
            )


def fallbacks_that_say_nothing(draft: SubmissionDraft) -> Iterator[Finding]:
    seen = [draft.text(*METHOD)]
    for number, name in enumerate(draft.texts(*FALLBACKS)):
        if name in seen:
            yield draft.error(
                (*FALLBACKS, number),
                f"dealing.fallbacks names {quoted(name)}, which the table does already; name "
                "each other way once",
            )
        seen.append(name)


def fallbacks_by_the_broken_device(draft: SubmissionDraft) -> Iterator[Finding]:
    """What stands in for a device cannot need that device."""
    method = draft.way(draft.text(*METHOD) or "")
    if method is None:
        return
    for path, way in _ways(draft):
        used, needed = machines(draft, method), machines(draft, way)
        if way is method or not used or not needed:
            continue
        if all(needed <= {broken} for broken in used):
            (device,) = needed
            yield draft.error(
                path,
                f"dealing {quoted(way.way)} cannot stand in for {quoted(method.way)}: both need "
                f"devices.{device}, the device that would be out of order",
                way.shuffler.clause if way.shuffler is not None else way.clause,
            )


def fallbacks_that_suspend_wagers(draft: SubmissionDraft) -> Iterator[Finding]:
    for path, way in _ways(draft):
        if path == METHOD:
            continue
        for wager, _ in _undealt(draft, way):
            yield draft.warning(
                path,
                f"while the table deals {quoted(way.way)}, {wager.title} is suspended "
                "(ruling 31); tell the players",
                _out_of_order(draft.book),
            )


def no_fallback(draft: SubmissionDraft) -> Iterator[Finding]:
    way = draft.way(draft.text(*METHOD) or "")
    unread = FALLBACKS in draft.read.broken
    if way is not None and machines(draft, way) and not draft.texts(*FALLBACKS) and not unread:
        devices = " and ".join(sorted(machines(draft, way))).replace("_", " ")
        yield draft.warning(
            FALLBACKS if draft.writes(*FALLBACKS) else METHOD,
            f"no other way of dealing is listed, so the table closes when its {devices} is out "
            'of order; write one in dealing.fallbacks, like ["shoe"]',
            _out_of_order(draft.book),
        )


def abilities_without_a_shuffler(draft: SubmissionDraft) -> Iterator[Finding]:
    for device in OF_THE_SHUFFLER:
        if draft.flag("devices", device) and not draft.has("shuffler"):
            yield draft.error(
                ("devices", device),
                f"devices.{device} speaks of a shuffler, and the table has none; write "
                f"devices.shuffler = true, or leave {device} out",
                draft.book.shuffle.counting_shuffler_finds_wrong_count.clause
                if device == "counts_to_52"
                else None,
            )


def dealer_cards_kept(draft: SubmissionDraft) -> Iterator[Finding]:
    """Only a book with a way of dealing for it lets the dealer's cards wait in the shuffler."""
    device = "keeps_dealer_cards"
    if not draft.flag("devices", device) or _clause_by_device(device)(draft.book):
        return
    where = draft.elsewhere(_clause_by_device(device))
    only = f" (only {where} does)" if where else ""
    yield draft.error(
        ("devices", device),
        f"{draft.book.id} does not let the dealer's cards wait in the shuffler{only}; "
        f"leave {device} out",
        where,
    )


def _clause_by_device(device: str) -> ClauseOf:
    return lambda book: next((way.clause for way in book.dealing if device in way.devices), None)


def too_many_decks(draft: SubmissionDraft) -> Iterator[Finding]:
    decks, rule = draft.count("decks", "count"), draft.book.deck
    most = rule.decks_with_shuffler
    if decks is None or decks <= rule.decks.count:
        return
    if decks > most.count:
        yield draft.error(
            ("decks", "count"),
            f"decks.count is {decks}; the game is played with {rule.decks.count}, or "
            f"{most.count} and a shuffler",
            most.clause,
        )
    elif not draft.has("shuffler"):
        yield draft.error(
            ("decks", "count"),
            f"decks.count is {decks}, which needs a shuffler (ruling 22); write "
            f"devices.shuffler = true, or count = {rule.decks.count}",
            most.clause,
        )


def backs_of_the_decks(draft: SubmissionDraft) -> Iterator[Finding]:
    decks, backs = draft.count("decks", "count") or 1, draft.texts("decks", "backs")
    clause = draft.book.procedure.colors_clause
    if draft.lacks("decks", "backs") and decks == 1:
        return
    if ("decks", "backs") not in draft.read.broken and len(backs) != decks:
        yield draft.error(
            ("decks", "backs"),
            f"decks.backs names {len(backs)} colors for {decks} "
            f"{'deck' if decks == 1 else 'decks'}; name one for each",
            clause,
        )
    if len({back.strip().casefold() for back in backs}) < len(backs):
        yield draft.error(
            ("decks", "backs"),
            "decks.backs names one color twice; two decks have backs of different colors",
            clause,
        )


def machines(draft: SubmissionDraft, way: WayOfDealing) -> set[str]:
    """The machines of this table that a way of dealing can use; an ability is the shuffler's."""
    present = [device for device in way.devices if draft.has(device)]
    return {"shuffler" if device in OF_THE_SHUFFLER else device for device in present}


def _ways(draft: SubmissionDraft) -> Iterator[tuple[Path, WayOfDealing]]:
    """The method and each fallback that the book knows, with the place it is written at."""
    for path, name in _named(draft):
        if (way := draft.way(name)) is not None:
            yield path, way


def _named(draft: SubmissionDraft) -> Iterator[tuple[Path, str]]:
    if (method := draft.text(*METHOD)) is not None:
        yield METHOD, method
    for number, name in enumerate(draft.texts(*FALLBACKS)):
        yield (*FALLBACKS, number), name


def _undealt(draft: SubmissionDraft, way: WayOfDealing) -> Iterator[tuple[Wager, str]]:
    """Offered wagers whose own cards this way of dealing does not bring, and the clause."""
    dealt = {step.to for step in way.steps}
    for place in draft.book.places:
        if place.only_for is not None and place.name not in dealt:
            wager = draft.book.wager(place.only_for)
            if draft.offers(wager):
                yield wager, place.clause


def _out_of_order(book: Rulebook) -> str | None:
    return next((rule.clause for rule in book.irregularities if rule.name == OUT_OF_ORDER), None)


CHECKS: tuple[SubmissionCheck, ...] = (
    method_not_known,
    method_without_its_device,
    wagers_the_method_cannot_deal,
    fallbacks_that_say_nothing,
    fallbacks_by_the_broken_device,
    fallbacks_that_suspend_wagers,
    no_fallback,
    abilities_without_a_shuffler,
    dealer_cards_kept,
    too_many_decks,
    backs_of_the_decks,
)
