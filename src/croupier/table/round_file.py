"""The round file: one finished round as a person writes it down, in TOML.

Reading says what is wrong, where, and what would be right. Writing one and reading it back is the
identity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from croupier.facts.cards import Card, cards, written
from croupier.facts.errors import Refusal, Unreadable, quoted
from croupier.facts.money import Cents, cents, dollars, meter_exactly, micros
from croupier.facts.names import known_names
from croupier.facts.toml_text import read_toml
from croupier.facts.toml_text import toml_quote as _quote
from croupier.games.registry import Registry
from croupier.games.round import REASONS, FinishedBox, FinishedRound, Refused
from croupier.games.rules import PROGRESSIVE, ProgressiveTerms, Rules, bind
from croupier.rulebook.book import Rulebook
from croupier.table.feasibility import refuse_seat

TOP_KEYS = ("rulebook", "payout_limit", "paytables", "progressive", "cards", "box")
PROGRESSIVE_KEYS = ("wager", "holder_must_wager", "hand", "meters", "resets")
BOX_KEYS = ("seat", "player", "cards", "progressive_refused")
LONGEST_NAME = 100


def read_round(text: str, registry: Registry) -> FinishedRound:
    """Read a round file; raises Unreadable for what it cannot read, Refusal for what cannot be."""
    document = read_toml(text, repeated="boxes are written [[box]], each")
    if "rulebook" not in document:
        raise Unreadable(
            f"rulebook is missing; write rulebook = one of {', '.join(registry.books)}"
        )
    book = registry.book(_text(document, "rulebook"))
    _refuse_unknown_keys(document, TOP_KEYS, book, "A round file")
    written_terms = _table(document, "progressive") if "progressive" in document else None
    rules = bind(
        registry.game_of(book),
        book,
        _letters(document),
        progressive=_terms(book, written_terms),
        payout_limit_cents=_payout_limit(document),
    )
    return FinishedRound(
        rules=rules,
        cards=_places(document),
        boxes=tuple(_box(rules, entry, place) for place, entry in _boxes(document)),
        meters=_meters(written_terms or {}),
    )


def write_round(round: FinishedRound) -> str:
    """The round as :func:`read_round` reads it back."""
    rules = round.rules
    lines = [f"rulebook = {_quote(rules.book.id)}"]
    if rules.payout_limit_cents is not None:
        lines.append(f"payout_limit = {_quote(dollars(rules.payout_limit_cents))}")
    lines += ["", "[paytables]", *(f"{name} = {_quote(letter)}" for name, letter in rules.letters)]
    if rules.progressive is not None:
        lines += ["", "[progressive]", *_written_terms(rules.book, rules.progressive, round)]
    lines += ["", "[cards]"]
    lines += [f"{place} = {_quote(written(lie))}" for place, lie in round.cards.items()]
    for box in round.boxes:
        lines += ["", "[[box]]", *_written_box(box)]
    return "\n".join(lines) + "\n"


def _letters(document: Mapping[str, Any]) -> dict[str, str]:
    table = _table(document, "paytables")
    letters = {}
    for name in table:
        with _at("paytables"):
            letters[name] = _text(table, name)
    return letters


def _payout_limit(document: Mapping[str, Any]) -> Cents | None:
    if "payout_limit" not in document:
        return None
    return _amount(document, "payout_limit")


def _terms(book: Rulebook, table: Mapping[str, Any] | None) -> ProgressiveTerms | None:
    if table is None:
        return None
    rule = book.progressive
    known = [
        key
        for key in PROGRESSIVE_KEYS
        if rule is None
        or (
            (key != "holder_must_wager" or rule.holder_must_wager) and (key != "hand" or rule.hands)
        )
    ]
    _refuse_unknown_keys(table, known, book, "[progressive]")
    with _at("progressive"):
        resets = _table(table, "resets") if "resets" in table else {}
        return ProgressiveTerms(
            stake_cents=_amount(table, "wager"),
            hand=_text(table, "hand") if "hand" in table else None,
            holder_must_wager=_yes_or_no(table, "holder_must_wager"),
            resets=tuple((name, _amount(resets, name)) for name in resets),
        )


def _meters(table: Mapping[str, Any]) -> dict[str, Any]:
    with _at("progressive, meters"):
        readings = _table(table, "meters") if "meters" in table else {}
        return {name: micros(_text(readings, name)) for name in readings}


def _places(document: Mapping[str, Any]) -> dict[str, tuple[Card, ...]]:
    table = _table(document, "cards")
    places = {}
    for name in table:
        with _at(f"cards, {_plain(name)}"):
            places[name] = cards(_text(table, name))
    return places


def _boxes(document: Mapping[str, Any]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    entries = document.get("box", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise Unreadable("box must be tables of its own; write [[box]] before each box")
    yield from enumerate(entries, start=1)


def _box(rules: Rules, entry: Mapping[str, Any], place: int) -> FinishedBox:
    with _at(f"[[box]] number {place}"):
        seat = entry.get("seat")
        if not isinstance(seat, int) or isinstance(seat, bool):
            raise Unreadable("seat must be a number; write seat = 1 for the box farthest left")
    refuse_seat(rules.book, seat)
    with _at(f"box {seat}"):
        _refuse_unknown_wagers(rules, entry, seat)
        return FinishedBox(
            seat=seat,
            cards=cards(_text(entry, "cards")),
            stakes=_stakes(rules, entry, seat),
            player=_player(entry),
            refused=_refused(entry),
        )


def _stakes(rules: Rules, entry: Mapping[str, Any], seat: int) -> dict[str, Cents]:
    stakes = {}
    for wager in rules.book.wagers:
        if wager.name not in entry:
            continue
        if wager.name != PROGRESSIVE:
            stakes[wager.name] = _amount(entry, wager.name)
        elif _yes_or_no(entry, wager.name):
            stakes[wager.name] = _progressive_stake(rules, seat)
    return stakes


def _progressive_stake(rules: Rules, seat: int) -> Cents:
    if rules.progressive is not None:
        return rules.progressive.stake_cents
    wager, rule = rules.book.wager(PROGRESSIVE), rules.book.progressive
    assert rule is not None
    if rules.paytable(PROGRESSIVE) is None:
        raise Refusal(
            f"Box {seat}, Progressive: not offered at this table; "
            "choose its paytable under [paytables]",
            rules.book.cite(wager.clause),
        )
    stakes = " or ".join(f'"{stake}"' for stake in rule.stakes)
    raise Refusal(
        f"Box {seat}, Progressive: its size is not written down; "
        f"write [progressive] with wager = {stakes}",
        rules.book.cite(rule.clause),
    )


def _player(entry: Mapping[str, Any]) -> str | None:
    if "player" not in entry:
        return None
    player = _text(entry, "player")
    if not player.strip() or not player.isprintable() or len(player) > LONGEST_NAME:
        raise Unreadable(f"player must be a name of 1 to {LONGEST_NAME} characters on one line")
    return player


def _refused(entry: Mapping[str, Any]) -> Refused:
    """A win of which nothing is said was validated."""
    said = entry.get("progressive_refused", "")
    for reason in REASONS:
        if said == reason:
            return reason
    if "progressive_refused" in entry:
        raise Unreadable(
            'progressive_refused must be "hand" (it does not qualify) or "wager" (it was not '
            "accepted); leave it out where the win was validated"
        )
    return ""


def _refuse_unknown_keys(
    table: Mapping[str, Any],
    known: Iterator[str] | list[str] | tuple[str, ...],
    book: Rulebook,
    where: str,
) -> None:
    known = list(known)
    clause = book.cite(book.refusals.no_such_option)
    known_names(table, known, "key", where=f"{where} under {book.id}", clause=clause)


def _refuse_unknown_wagers(rules: Rules, entry: Mapping[str, Any], seat: int) -> None:
    wagers = [wager.name for wager in rules.book.wagers if wager.paid_on is None]
    where, clause = f"Box {seat}: {rules.book.id}", rules.book.cite(rules.book.refusals.wagers)
    staked = [key for key in entry if key not in BOX_KEYS]
    known_names(staked, wagers, "wager", where=where, clause=clause)


def _table(document: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = document.get(key)
    if not isinstance(value, dict):
        missing = "is missing" if value is None else "must be a table"
        raise Unreadable(f"{key} {missing}; write [{key}] and its lines below it")
    return value


def _text(
    table: Mapping[str, Any], key: str, like: str = 'text in quotes, like "..."', hint: str = ""
) -> str:
    value = table.get(key)
    if value is None:
        raise Unreadable(f"{_plain(key)} is missing{hint}")
    if not isinstance(value, str):
        raise Unreadable(f"{_plain(key)} must be {like}")
    return value


def _amount(table: Mapping[str, Any], key: str) -> Cents:
    like = 'an amount in quotes, like "$10"'
    value = _text(table, key, like, f"; write {like}")
    with _at(_plain(key)):
        return cents(value)


def _yes_or_no(table: Mapping[str, Any], key: str) -> bool:
    value = table.get(key, False)
    if not isinstance(value, bool):
        raise Unreadable(f"{key} must be true or false, without quotes")
    return value


def _plain(name: str) -> str:
    """A key as it is where it is a plain word, quoted where it is anything else."""
    return name if name.replace("_", "").isalnum() and len(name) <= 40 else quoted(name)


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Say where, in front of what is wrong."""
    try:
        yield
    except Unreadable as error:
        raise Unreadable(f"{place}: {error}") from None


def _written_terms(book: Rulebook, terms: ProgressiveTerms, round: FinishedRound) -> Iterator[str]:
    yield f"wager = {_quote(dollars(terms.stake_cents))}"
    if book.progressive is not None and book.progressive.holder_must_wager is not None:
        yield f"holder_must_wager = {str(terms.holder_must_wager).lower()}"
    if terms.hand is not None:
        yield f"hand = {_quote(terms.hand)}"
    readings = {name: meter_exactly(amount) for name, amount in round.meters.items()}
    resets = {name: dollars(amount) for name, amount in terms.resets}
    for key, amounts in (("meters", readings), ("resets", resets)):
        if amounts:
            pairs = ", ".join(f"{name} = {_quote(amount)}" for name, amount in amounts.items())
            yield f"{key} = {{ {pairs} }}"


def _written_box(box: FinishedBox) -> Iterator[str]:
    yield f"seat = {box.seat}"
    if box.player is not None:
        yield f"player = {_quote(box.player)}"
    yield f"cards = {_quote(written(box.cards))}"
    if box.refused:
        yield f"progressive_refused = {_quote(box.refused)}"
    for name, stake_cents in box.stakes.items():
        yield f"{name} = {'true' if name == 'progressive' else _quote(dollars(stake_cents))}"
